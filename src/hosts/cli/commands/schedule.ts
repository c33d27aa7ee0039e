import { setTimeout as pause } from 'node:timers/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import { endpointName } from '#contract/params.ts'
import type { RouteChoice } from '#contract/reconcile.ts'
import type { Schedule, ScheduleRun, ScheduleState, ScheduleTime, Weekday } from '#contract/schedule.ts'
import { ROUTE_CHOICES, WEEKDAYS } from '#contract/values.ts'
import { knownConnection } from '../shared/connection-change.ts'
import { couldNot, EXIT, type ExitCode, wrongUsage } from '../shared/failures.ts'
import { type CommonOptions, examples, wholeNumber, withCommon, yesNo } from '../shared/options.ts'
import { type Reached, reachExisting, using } from '../shared/reach.ts'
import type { CommandContext } from '../shared/terminal.ts'
import { number, visible } from '../shared/text.ts'

/** When a schedule runs: `every 60 minutes`, `at 06:30 on mon, tue (America/Santo_Domingo)`. */
function timesText({ time }: Schedule, zone: string): string {
  if ('every' in time) return time.every === 1 ? 'every minute' : `every ${number(time.every)} minutes`
  return `at ${time.at}${time.weekdays ? ` on ${time.weekdays.join(', ')}` : ' every day'} (${zone})`
}

/** A schedule for people, with what its last run came to. @param zone of its connection */
export function scheduleText({ schedule, running, nextRun, last }: ScheduleState, zone: string): string {
  const { connection, enabled, route, overlapMinutes, lookBackDays, notify, recoverTo } = schedule
  const facts: readonly (readonly [string, string | null])[] = [
    ['Sweeps', route === 'both' ? 'accounting-sync, then treasury-sync' : `${route}-sync`],
    ['Overlap', `${number(overlapMinutes)} min`],
    [
      'First goes',
      lookBackDays === DEFAULT_SCHEDULE.lookBackDays ? null : `${number(lookBackDays)} days back`,
    ],
    ['Notifies', notify ? null : 'no'],
    ['Recovers to', recoverTo],
    ['Last run', last === null ? 'none yet' : `${timeText(last.endedAt)}: ${resultText(last)}`],
    ['Next run', running ? 'running' : nextRun === null ? null : timeText(nextRun)],
  ]
  const lines = [
    `${connection}  ${timesText(schedule, zone)}${enabled ? '' : ', off'}`,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`     ${name.padEnd(12)} ${value}`])),
  ]
  return `${lines.map(visible).join('\n')}\n`
}

/** What a run came to, as a sentence. */
function resultText({ missing, differs, fresh, recovery, error }: ScheduleRun): string {
  const found =
    missing === null
      ? []
      : [
          `${number(missing)} missing, ${number(differs ?? 0)} differ${fresh > 0 ? `, ${number(fresh)} with a missed event that is new` : ''}.`,
        ]
  const recovered =
    recovery === null
      ? []
      : [
          `${counted(recovery.events, 'event')} of ${counted(recovery.documents, 'document')} rebuilt and sent to ${recovery.target} by job ${recovery.jobs.join(', ')}.`,
        ]
  return [...(error === null ? [] : [error.message]), ...found, ...recovered].join(' ')
}

/**
 * Takes every run that has ended, and says in one line that something was missed, or why it failed. A failure that stays the same is said
 * once: a service that is down all night must not fill the log.
 */
export function newsTeller(say: (sentence: string) => void): (state: ScheduleState) => void {
  const failures = new Map<string, string>()
  return (state) => {
    const { schedule, last } = state
    const failure = last?.error?.message
    const known = failure !== undefined && failures.get(schedule.connection) === failure
    if (failure === undefined) failures.delete(schedule.connection)
    else failures.set(schedule.connection, failure)
    const missed = schedule.notify && (last?.fresh ?? 0) > 0
    if (last && (missed || (failure !== undefined && !known))) say(newsText(schedule, last))
  }
}

function newsText(schedule: Schedule, last: ScheduleRun): string {
  const sweeps = last.sweeps.length === 0 ? '' : ` (sweep ${last.sweeps.join(', ')})`
  return visible(`Scheduled sweep of ${schedule.connection}${sweeps}: ${resultText(last)}`)
}

const counted = (count: number, what: string): string => `${number(count)} ${what}${count === 1 ? '' : 's'}`
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '')

interface ScheduleOptions extends CommonOptions {
  readonly every?: number
  readonly at?: string
  readonly days?: readonly Weekday[]
  readonly route?: RouteChoice
  readonly overlap?: number
  readonly lookBack?: number
  readonly notify?: boolean
  /** Null: none. */
  readonly recoverTo?: string | null
  readonly on?: boolean
  readonly off?: boolean
  readonly remove?: boolean
  readonly runNow?: boolean
}

const LOOK_MS = 100

/** `acuse connections schedule`: sweeps that a running Acuse makes by itself. */
export function addSchedule(group: Command, name: (text: string) => string, context: CommandContext): void {
  const { terminal, exitWith } = context
  const schedule = group
    .command('schedule')
    .description(
      'Sweep a connection by itself while Acuse runs, in the app or as "acuse serve"; without options it shows the schedule. With --run-now the exit code is 1 when something was missed that no run before has told of, 3 when it was refused or incomplete.',
    )
    .argument('<name>', 'the connection', name)
    .option('--every <minutes>', 'every so many minutes (60)', wholeNumber(1, 43_200))
    .option('--at <time>', "at a time of the day in the connection's zone, such as 06:30", timeFrom)
    .option('--days <days>', 'with --at: mon,tue,… or all', daysFrom)
    .addOption(new Option('--route <route>', 'what is swept (accounting)').choices(ROUTE_CHOICES))
    .option(
      '--overlap <minutes>',
      `begin so long before the end of the last complete sweep (${DEFAULT_SCHEDULE.overlapMinutes})`,
      wholeNumber(0, 525_600),
    )
    .option(
      '--look-back <days>',
      `how far back the first sweep goes (${DEFAULT_SCHEDULE.lookBackDays})`,
      wholeNumber(1, 3_660),
    )
    .option('--notify <yes|no>', 'tell when something was missed (yes)', yesNo)
    .option('--recover-to <target>', 'rebuild what was missed and send it to this target; none', targetFrom)
    .option('--on', 'run at its times')
    .option('--off', 'keep it, but do not run it')
    .option('--remove', 'remove the schedule')
    .option('--run-now', 'run it at once, and wait for its result')
  examples(withCommon(schedule, 'print {"schedule","running","nextRun","last"}'), [
    ['acuse connections schedule erp --every 60', 'every hour'],
    ['acuse connections schedule erp --at 06:30 --days mon,tue,wed,thu,fri', 'on workdays'],
    ['acuse connections schedule erp --recover-to handler', 'and send what was missed to a target'],
    ['acuse connections schedule erp --run-now', 'now'],
    ['acuse connections schedule erp --off', 'not any more, for a while'],
  ]).action((connection: string, options: ScheduleOptions) => {
    const change = changeOf(options)
    return using(reachExisting(options.data, terminal), async (reached) => {
      const { call } = reached
      const settings = await call('settings.get', {})
      const { zone } = knownConnection(connection, settings.connections)
      const present = settings.schedules.find((one) => one.connection === connection)
      if (options.remove) {
        if (!present) throw couldNot(`The connection "${connection}" has no schedule.`)
        await call('schedules.remove', { connection })
        terminal.say(`The schedule of ${connection} was removed.`)
        if (options.json) await terminal.print(`${JSON.stringify({ removed: connection })}\n`)
        return
      }
      if (isChange(options, change)) {
        await call('schedules.save', {
          ...DEFAULT_SCHEDULE,
          ...present,
          ...change,
          connection,
          time: timeOf(options, present),
        })
        terminal.say(`The schedule of ${connection} was ${present ? 'changed' : 'made'}.`)
      } else if (!present)
        throw couldNot(
          `The connection "${connection}" has no schedule; make one with: acuse connections schedule ${connection} --every 60`,
        )
      const state = options.runNow ? await run(reached, connection) : await stateOf(reached, connection)
      await terminal.print(options.json ? `${JSON.stringify(state)}\n` : scheduleText(state, zone))
      if (reached.here && state.schedule.enabled && !options.runNow)
        terminal.say('No Acuse is running on this data: it is swept once one does.')
      if (options.runNow) exitWith(exitOf(state))
    })
  })
}

const exitOf = ({ last }: ScheduleState): ExitCode =>
  last?.error ? EXIT.failed : (last?.fresh ?? 0) > 0 ? EXIT.found : EXIT.done

async function stateOf({ call }: Reached, connection: string): Promise<ScheduleState> {
  const { schedules } = await call('schedules.list', {})
  const found = schedules.find(({ schedule }) => schedule.connection === connection)
  if (!found) throw couldNot(`The connection "${connection}" has no schedule any more.`)
  return found
}

async function run(reached: Reached, connection: string): Promise<ScheduleState> {
  const { call, here } = reached
  let state = await call('schedules.run-now', { connection })
  while (state.running) {
    await pause(LOOK_MS)
    state = await stateOf(reached, connection)
  }
  // What this process recovers ends with it.
  for (const id of here ? (state.last?.recovery?.jobs ?? []) : [])
    while ((await call('jobs.get', { id })).state === 'running') await pause(LOOK_MS)
  return state
}

/** @throws CommandFailure where two options contradict each other */
function changeOf(options: ScheduleOptions): Omit<Partial<Schedule>, 'time'> {
  const { every, at, days, route, overlap, lookBack, notify, recoverTo, on, off, remove } = options
  if (every !== undefined && at !== undefined) throw wrongUsage('Give either --every or --at.')
  if (every !== undefined && days !== undefined) throw wrongUsage('--days goes with --at.')
  if (on && off) throw wrongUsage('Give either --on or --off.')
  const change = {
    ...given('route', route),
    ...given('overlapMinutes', overlap),
    ...given('lookBackDays', lookBack),
    ...given('notify', notify),
    ...given('recoverTo', recoverTo),
    ...given('enabled', on ? true : off ? false : undefined),
  }
  if (remove && (isChange(options, change) || options.runNow))
    throw wrongUsage('--remove goes with no other option.')
  return change
}

/** The time is put together with what there is, once that is known. */
const isChange = ({ every, at, days }: ScheduleOptions, rest: object): boolean =>
  (every ?? at ?? days) !== undefined || Object.keys(rest).length > 0

function timeOf({ every, at, days }: ScheduleOptions, present: Schedule | undefined): ScheduleTime {
  const before = present?.time ?? DEFAULT_SCHEDULE.time
  if (every !== undefined) return { every }
  const time = at ?? ('at' in before ? before.at : undefined)
  if (time === undefined) {
    if (days !== undefined) throw wrongUsage('--days goes with --at: say at which time.')
    return before
  }
  if (at === undefined && days === undefined) return before
  const weekdays = days ?? ('at' in before ? before.weekdays : undefined)
  return weekdays === undefined || weekdays.length === WEEKDAYS.length ? { at: time } : { at: time, weekdays }
}

function timeFrom(text: string): string {
  const time = text.trim().padStart(5, '0')
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) return time
  throw new InvalidArgumentError('Give hours and minutes, such as 06:30.')
}

function daysFrom(text: string): readonly Weekday[] {
  if (text.trim().toLowerCase() === 'all') return WEEKDAYS
  const words = text.split(',').map((word) => word.trim().toLowerCase().slice(0, 3))
  const days = WEEKDAYS.filter((day) => words.includes(day))
  if (days.length > 0 && words.every((word) => WEEKDAYS.some((day) => day === word))) return days
  throw new InvalidArgumentError(`Give days with commas between them: ${WEEKDAYS.join(',')}; or all.`)
}

function targetFrom(text: string): string | null {
  if (text === 'none') return null
  if (endpointName.safeParse(text).success) return text
  throw new InvalidArgumentError('Give the name of a target (see "acuse targets list"), or none.')
}

const given = <N extends string, V>(name: N, value: V | undefined): Partial<Record<N, V>> =>
  value === undefined ? {} : ({ [name]: value } as Record<N, V>)

import { setTimeout as pause } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import { endpointName } from '#contract/params.ts'
import {
  type Schedule,
  type ScheduleRun,
  type ScheduleState,
  type ScheduleTime,
  schedule as scheduleSchema,
  type Weekday,
} from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { CONNECTIONS } from '../shared/account.ts'
import {
  argument,
  changed,
  changeOf,
  command,
  flag,
  membersOf,
  option,
  type Values,
} from '../shared/command.ts'
import { couldNot, EXIT, type ExitCode, wrongUsage } from '../shared/failures.ts'
import type { Reached } from '../shared/reach.ts'
import { block, counted, number, visible } from '../shared/text.ts'
import { find } from '../shared/things.ts'

function timesText({ time }: Schedule, zone: string): string {
  if ('every' in time) return time.every === 1 ? 'every minute' : `every ${number(time.every)} minutes`
  return `at ${time.at}${time.weekdays ? ` on ${time.weekdays.join(', ')}` : ' every day'} (${zone})`
}

export function scheduleText({ schedule, running, nextRun, last }: ScheduleState, zone: string): string {
  const { connection, enabled, route, overlapMinutes, lookBackDays, notify, recoverTo } = schedule
  return block(
    `${connection}  ${timesText(schedule, zone)}${enabled ? '' : ', off'}`,
    [
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
    ],
    12,
  )
}

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

/** Prints a run's misses or failure in one line; the same failure once, so that a night-long outage does not fill the log. */
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

const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+/, '')

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

const POLL_MS = 100
const member = membersOf<Schedule>(scheduleSchema, DEFAULT_SCHEDULE)
const OPTIONS = {
  every: option('<minutes>', 'sweep at this interval (60)', z.int().min(1).max(43_200)),
  at: {
    ...option('<time>', "at a time of the day in the connection's zone, such as 06:30", timeFrom),
    not: ['every'],
  },
  days: { ...option('<days>', 'with --at: mon,tue,… or all', daysFrom), not: ['every'] },
  route: member('route', '<route>', 'what is swept'),
  overlap: member('overlapMinutes', '<minutes>', 'begin so long before the end of the last complete sweep'),
  lookBack: member('lookBackDays', '<days>', 'how far back the first sweep goes'),
  notify: member('notify', '<yes|no>', 'tell when something was missed'),
  recoverTo: member(
    'recoverTo',
    '<target>',
    'rebuild missed events and send them to this target; none',
    targetFrom,
  ),
  on: flag('run at its times'),
  off: { ...flag('keep it, but do not run it'), not: ['on'] },
  remove: { ...flag('remove the schedule'), only: [] },
  runNow: flag('run it at once, and wait for its result'),
}

export const schedule = command({
  name: 'schedule',
  about:
    'Sweep a connection by itself while Acuse runs, in the app or as "acuse serve"; without options it shows the schedule. With --run-now, exit code 1 means newly missed events, 3 a refused or incomplete sweep.',
  args: { connection: argument('<name>', 'the connection', endpointName) },
  options: OPTIONS,
  json: 'print {"schedule","running","nextRun","last"}',
  examples: [
    ['acuse connections schedule erp --every 60', 'every hour'],
    ['acuse connections schedule erp --at 06:30 --days mon,tue,wed,thu,fri', 'on workdays'],
    ['acuse connections schedule erp --recover-to handler', 'and send missed events to a target'],
    ['acuse connections schedule erp --run-now', 'now'],
    ['acuse connections schedule erp --off', 'pause it'],
  ],
  run({ connection, ...given }, cli) {
    const { every, at, days, on, off } = given
    const change = { ...changeOf(OPTIONS, given), ...(on || off ? { enabled: on } : {}) }
    const changes = (every ?? at ?? days) !== undefined || Object.keys(change).length > 0
    return cli.existing(async (reached) => {
      const { call } = reached
      const { connections, schedules } = await call('settings.get', {})
      const { zone } = find(CONNECTIONS, connection, connections)
      const present = schedules.find((one) => one.connection === connection)
      if (!present && !changes)
        throw couldNot(
          `The connection "${connection}" has no schedule${given.remove ? '.' : `; make one with: acuse connections schedule ${connection} --every 60`}`,
        )
      if (given.remove) {
        await call('schedules.remove', { connection })
        return cli.done(`The schedule of ${connection} was removed.`, { removed: connection })
      }
      if (changes) {
        const before = present ?? { ...DEFAULT_SCHEDULE, connection }
        await call('schedules.save', { ...changed(before, change), time: timeOf(given, present) })
        cli.terminal.say(`The schedule of ${connection} was ${present ? 'changed' : 'made'}.`)
      }
      const state = given.runNow ? await run(reached, connection) : await stateOf(reached, connection)
      await cli.print(state, scheduleText(state, zone))
      if (reached.here && state.schedule.enabled && !given.runNow)
        cli.terminal.say('Acuse is not running on this data folder; the sweep runs when you start it.')
      if (given.runNow) cli.exitWith(exitOf(state))
    })
  },
})

const exitOf = ({ last }: ScheduleState): ExitCode =>
  last?.error ? EXIT.failed : (last?.fresh ?? 0) > 0 ? EXIT.found : EXIT.done

async function stateOf({ call }: Reached, connection: string): Promise<ScheduleState> {
  const { schedules } = await call('schedules.list', {})
  const found = schedules.find(({ schedule }) => schedule.connection === connection)
  if (!found) throw couldNot(`The connection "${connection}" no longer has a schedule.`)
  return found
}

async function run(reached: Reached, connection: string): Promise<ScheduleState> {
  const { call, here } = reached
  let state = await call('schedules.run-now', { connection })
  while (state.running) {
    await pause(POLL_MS)
    state = await stateOf(reached, connection)
  }
  // Recovery jobs run in this process, so wait for them.
  for (const id of here ? (state.last?.recovery?.jobs ?? []) : [])
    while ((await call('jobs.get', { id })).state === 'running') await pause(POLL_MS)
  return state
}

function timeOf(
  { every, at, days }: Pick<Values<typeof OPTIONS>, 'every' | 'at' | 'days'>,
  present: Schedule | undefined,
): ScheduleTime {
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

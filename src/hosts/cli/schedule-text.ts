import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { Schedule, ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import { number } from './job-screen.ts'
import { visible } from './visible.ts'

/** When a schedule runs: `every 60 minutes`, `at 06:30 on mon, tue (America/Santo_Domingo)`. */
export function timesText({ time }: Schedule, zone: string): string {
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
export function resultText({ missing, differs, fresh, recovery, error }: ScheduleRun): string {
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

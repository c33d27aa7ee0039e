import type { ScheduleTime } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { instantOf, offsetAt } from '../time/zone.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** A week and the days at its ends: some weekday of the schedule is among them. */
const DAYS = 9

/**
 * The first time of a schedule that is later than an instant.
 *
 * A time of the day is that of the zone's clocks, once a day where they are set too (`instantOf`).
 * @param zone IANA name
 * @param after milliseconds since the epoch: the last run, or when the schedule was set
 * @returns milliseconds since the epoch
 */
export function nextDue(time: ScheduleTime, zone: string, after: number): number {
  if ('every' in time) return after + time.every * MINUTE_MS
  const minutes = Number(time.at.slice(0, 2)) * 60 + Number(time.at.slice(3))
  const today = Math.floor((after + offsetAt(zone, after)) / DAY_MS) * DAY_MS
  // From yesterday on: where clocks go forward at midnight, a time of yesterday may fall on today.
  for (let day = today - DAY_MS; day <= today + DAYS * DAY_MS; day += DAY_MS) {
    if (time.weekdays && !time.weekdays.some((one) => WEEKDAYS.indexOf(one) === weekdayOf(day))) continue
    const at = instantOf(zone, day + minutes * MINUTE_MS)
    if (at > after) return at
  }
  throw new Error('a schedule without a weekday is never due')
}

/** 0 is Monday, as in WEEKDAYS. The epoch was a Thursday. */
const weekdayOf = (day: number): number => (((day / DAY_MS + 3) % 7) + 7) % 7

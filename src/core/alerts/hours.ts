import type { Hours } from '#contract/alerts.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { instantOf, offsetAt, weekdayOf } from '../time/zone.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** @returns the beginning of the working hours that an instant is in, in milliseconds since the epoch; null outside of them */
export function workingSince({ from, to, weekdays, zone }: Hours, at: number): number | null {
  const today = Math.floor((at + offsetAt(zone, at)) / DAY_MS) * DAY_MS
  const length = minutesOf(to) - minutesOf(from)
  // Hours that began yesterday may end after midnight.
  for (const day of [today, today - DAY_MS]) {
    if (!weekdays.some((one) => WEEKDAYS.indexOf(one) === weekdayOf(day))) continue
    const first = day + minutesOf(from) * MINUTE_MS
    const last = first + (length > 0 ? length : length + 1_440) * MINUTE_MS
    const begins = instantOf(zone, first)
    if (begins <= at && at < instantOf(zone, last)) return begins
  }
  return null
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

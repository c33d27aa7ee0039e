import { readDate, readDateTime } from '#catalog/date-time.ts'

/** A moment as a parameter names it. Items are dated to the millisecond, a parameter may be finer. */
export interface Moment {
  /** First millisecond that is not before it. */
  readonly from: number
  /** Last millisecond that is not after it. For a date alone: the last of the day. */
  readonly to: number
  /** What the parameter says beyond the millisecond, as digits that compare as text. */
  readonly rest: string
}

/** Sandbox choice: a date alone, or a time without an offset, is meant in this zone. Minutes east of UTC. */
const ZONE = -240
const DAY_MS = 86_400_000

/**
 * Reads ISO 8601: a date, or a date-time with or without an offset, in every form that the checks of a Timestamp take.
 * @returns null for anything else, also for days and times that do not exist
 */
export function readMoment(typed: string): Moment | null {
  // As RFC 3339 has it, a small t, z or w is one.
  const text = typed.toUpperCase()
  const date = readDate(text)
  if (date) {
    const from = date.days * DAY_MS - ZONE * 60_000
    return { from, to: from + DAY_MS - 1, rest: '' }
  }
  const time = readDateTime(text, ZONE)
  if (!time) return null
  const at = time.seconds * 1_000 + Number(time.fraction.slice(0, 3).padEnd(3, '0'))
  const rest = time.fraction.slice(3).replace(/0+$/, '')
  return { from: rest === '' ? at : at + 1, to: at, rest }
}

/** Whether a range ends before it begins. */
export function endsBefore(to: Moment, from: Moment): boolean {
  const begin = from.rest === '' ? from.from : from.from - 1
  return to.to < begin || (to.to === begin && to.rest < from.rest)
}

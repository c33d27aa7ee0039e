/** A moment as a parameter names it. Items are dated to the millisecond, a parameter may be finer. */
export interface Moment {
  /** First millisecond that is not before it. */
  readonly from: number
  /** Last millisecond that is not after it. For a date alone: the last of the day. */
  readonly to: number
  /** What the parameter says beyond the millisecond, as digits that compare as text. */
  readonly rest: string
}

/** Sandbox choice: a date alone, or a time without an offset, is meant in this zone. */
const ZONE = '-04:00'
const DATE = /^\d{4}-\d{2}-\d{2}$/
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?)?$/
const DAY_MS = 86_400_000

/**
 * Reads ISO 8601: a date, or a date-time with or without an offset.
 * @returns null for anything else, also for days and times that do not exist
 */
export function readMoment(text: string): Moment | null {
  if (DATE.test(text)) {
    const start = exact(text, '00:00:00.000', ZONE)
    return start === null ? null : { from: start, to: start + DAY_MS - 1, rest: '' }
  }
  const parts = DATE_TIME.exec(text)
  if (!parts) return null
  const [, date = '', minutes = '', seconds = '00', fraction = '', utc, hours, past = '00'] = parts
  const offset = utc ? 'Z' : hours === undefined ? ZONE : `${hours}:${past}`
  const at = exact(date, `${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`, offset)
  if (at === null) return null
  const rest = fraction.slice(3).replace(/0+$/, '')
  return { from: rest === '' ? at : at + 1, to: at, rest }
}

/** Whether a range ends before it begins. */
export function endsBefore(to: Moment, from: Moment): boolean {
  const begin = from.rest === '' ? from.from : from.from - 1
  return to.to < begin || (to.to === begin && to.rest < from.rest)
}

/** Date.parse lets 31 February roll over into March and takes 24:00; neither exists here. */
function exact(date: string, time: string, offset: string): number | null {
  const plain = Date.parse(`${date}T${time}Z`)
  if (Number.isNaN(plain) || new Date(plain).toISOString() !== `${date}T${time}Z`) return null
  const at = Date.parse(`${date}T${time}${offset}`)
  return Number.isNaN(at) ? null : at
}

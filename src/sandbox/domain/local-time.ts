import { dateTimeText, readTimestamp } from '#catalog/date-time.ts'

const OFFSET = /^([+-])(\d\d):([0-5]\d)$/

/** Minutes east of UTC; null when it is no offset. `-00:00` is none: it says "UTC", which Timestamp never is. */
export function offsetMinutes(offset: string): number | null {
  const parts = OFFSET.exec(offset)
  if (!parts || offset === '-00:00') return null
  const minutes = Number(parts[2]) * 60 + Number(parts[3])
  return minutes > 14 * 60 ? null : parts[1] === '-' ? -minutes : minutes
}

/**
 * ISO 8601 in local time with its offset, never Z, to the millisecond (Webhook envelope, Timestamp).
 * @param instant milliseconds since the epoch
 * @param offset a valid one, see offsetMinutes
 */
export const localTime = (instant: number, offset: string): string =>
  dateTimeText(instant * 1_000, offsetMinutes(offset) ?? 0, 3)

/** Milliseconds since the epoch of a date-time with offset in the years 2000 to 2099; null for anything else. */
export function readInstant(text: string): number | null {
  const read = readTimestamp(text)
  if ('problem' in read) return null
  const instant = Math.floor(read.instant / 1_000)
  return instant >= Date.UTC(2000) && instant < Date.UTC(2100) ? instant : null
}

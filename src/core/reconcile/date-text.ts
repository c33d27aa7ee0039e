import { readWrittenDate } from '#catalog/date-time.ts'
import { localInstant } from './zone.ts'

/** A date of a sync item as paging goes by it. */
export interface DateReading {
  /** Microseconds since the epoch: the first that the text can mean. */
  readonly instant: number
  /** Microseconds that the text stands for: 1,000,000 where it is exact to the second, a day where it has no time. */
  readonly unit: number
  /** A full date-time with offset, which can be asked from as it is. */
  readonly full: boolean
}

/**
 * Reads a date as a service may write it (readings, accounting-sync): with an offset, without one in the connection's zone, or the date
 * alone. Null for what is no date.
 * @param zone IANA name
 */
export function readDate(text: string, zone: string): DateReading | null {
  const date = readWrittenDate(text)
  if (!date) return null
  const { micros, local, unit } = date
  return { instant: local ? localInstant(zone, micros) : micros, unit, full: !local && text.includes('T') }
}

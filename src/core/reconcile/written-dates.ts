import { DATE_UNITS, type WrittenDate } from '#catalog/date-time.ts'
import { offsetAt } from './zone.ts'

const [DAY] = DATE_UNITS
/** Every zone of the present keeps its offset for whole quarters of an hour. */
const QUARTER = 900_000_000
const OFFSETS_KEPT = 10_000
const known = new Map<string, Map<number, number>>()

/** An instant as the clocks of a zone show it, as if they showed UTC. @param zone IANA name; microseconds in and out */
function localTime(zone: string, instant: number): number {
  let offsets = known.get(zone)
  if (!offsets || offsets.size >= OFFSETS_KEPT) {
    offsets = new Map()
    known.set(zone, offsets)
  }
  const quarter = Math.floor(instant / QUARTER)
  let offset = offsets.get(quarter)
  if (offset === undefined) {
    offset = offsetAt(zone, (quarter * QUARTER) / 1_000) * 1_000
    offsets.set(quarter, offset)
  }
  return instant + offset
}

/**
 * Whether two dates are the same at the precision of the coarser one, cut off or rounded to it. One without offset is a time in the zone
 * (readings, accounting-sync, "Representation is not a difference").
 */
export function sameDate(a: WrittenDate, b: WrittenDate, zone: string): boolean {
  const unit = Math.max(a.unit, b.unit)
  const shown = (date: WrittenDate) =>
    a.local !== b.local && !date.local ? localTime(zone, date.micros) : date.micros
  const [x, y] = [shown(a), shown(b)]
  if (Math.floor(x / unit) === Math.floor(y / unit)) return true
  return unit < DAY && Math.abs(x - y) <= unit / 2
}

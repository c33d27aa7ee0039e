/** Every zone of the present is a whole number of these from UTC. */
const QUARTER_US = 15 * 60 * 1_000_000

/** The quarter of an hour in which an instant (microseconds) lies, counted from the epoch. */
export const quarterOf = (instant: number): number => Math.floor(instant / QUARTER_US)

/** As `quarterOf`, for a column; SQLite's division cuts towards zero. */
export const quarterSql = (column: string): string =>
  `(${column} / ${QUARTER_US} - (${column} < 0 AND ${column} % ${QUARTER_US} <> 0))`

/** Dates of beyond year 9999 and before 0 cannot be written as days. */
const MOST_MS = 253_402_300_799_000
const LEAST_MS = -62_135_596_800_000

/** Days in a zone. @returns the day of a quarter of an hour, `2026-10-05` */
export function daysIn(zone: string): (quarter: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const known = new Map<number, string>()
  return (quarter) => {
    const found = known.get(quarter)
    if (found !== undefined) return found
    const instant = Math.min(MOST_MS, Math.max(LEAST_MS, (quarter * QUARTER_US) / 1_000))
    const day = format.format(instant).padStart(10, '0')
    known.set(quarter, day)
    return day
  }
}

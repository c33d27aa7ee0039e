import type { Format } from '@/shared/i18n/format.ts'

const SECOND = 1_000_000
const UNITS = [
  ['d', 86_400 * SECOND],
  ['h', 3_600 * SECOND],
  ['min', 60 * SECOND],
  ['s', SECOND],
] as const

/** A stretch of time in microseconds, in its two largest units: `3 d 4 h`, `2 min 5 s`; below a second as a duration. */
export function spanOf(us: number, format: Format): string {
  if (us < SECOND) return format.duration(Math.max(0, us))
  const first = UNITS.findIndex(([, size]) => us >= size)
  const [unit, size] = UNITS[first] ?? ['s', SECOND]
  const [next, nextSize] = UNITS[first + 1] ?? ['s', SECOND]
  const rest = unit === 's' ? 0 : Math.floor((us % size) / nextSize)
  const most = `${format.number(Math.floor(us / size))} ${unit}`
  return rest === 0 ? most : `${most} ${rest} ${next}`
}

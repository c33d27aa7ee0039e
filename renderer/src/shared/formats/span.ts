import type { Format } from '@/shared/i18n/format.ts'

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** A length of time in its two largest units: `2 h 5 min`. The signs are those of the International System, alike in both languages. */
export function spanText(seconds: number, format: Pick<Format, 'number'>): string {
  let left = Math.max(1, Math.round(seconds))
  const first = UNITS.findIndex(([, size]) => left >= size)
  return UNITS.slice(first, first + 2)
    .flatMap(([unit, size]) => {
      const count = Math.floor(left / size)
      left -= count * size
      return count === 0 ? [] : [`${format.number(count)} ${unit}`]
    })
    .join(' ')
}

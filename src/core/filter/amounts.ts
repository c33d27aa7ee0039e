import type { Amount, Range } from './tree.ts'

/** What one unit is worth, in bytes or microseconds; as the window shows them, a kB has 1000 bytes. */
const UNITS: Readonly<Record<Amount, Readonly<Record<string, number>>>> = {
  status: { '': 1 },
  answer: { '': 1 },
  size: { '': 1, b: 1, k: 1e3, kb: 1e3, kib: 1024, m: 1e6, mb: 1e6, mib: 1_048_576, g: 1e9, gb: 1e9 },
  took: { us: 1, µs: 1, ms: 1e3, '': 1e3, s: 1e6, m: 60e6, min: 60e6 },
}
const NUMBER = /^(\d{1,15})(?:\.(\d{1,6}))?([a-zµ]*)$/
const COMPARED = /^(>=|<=|>|<)(.*)$/s

/** A number with its unit: what it is worth, and the least step that its digits can tell. */
function read(of: Amount, text: string): { readonly value: number; readonly step: number } | undefined {
  const found = NUMBER.exec(text)
  if (!found) return undefined
  const unit = UNITS[of][found[3] ?? '']
  if (unit === undefined) return undefined
  const decimals = found[2] ?? ''
  const value = Number(`${found[1]}.${decimals}0`) * unit
  const step = Math.max(1, Math.floor(unit / 10 ** decimals.length))
  return value <= Number.MAX_SAFE_INTEGER ? { value, step } : undefined
}

/**
 * What a value of an amount means: `404`, `4xx`, `>10kb`, `1kb..2kb`, `..50ms`. A bare number with a unit is the whole unit: `3ms` is
 * anything from 3 to under 4.
 * @returns undefined when it is none, `reversed` for a range that ends before it begins
 */
export function rangeOf(of: Amount, typed: string): Range | 'reversed' | undefined {
  const text = typed.toLowerCase()
  const hundreds = of === 'answer' || of === 'status' ? /^([1-9])xx$/.exec(text) : null
  if (hundreds) return { from: Number(hundreds[1]) * 100, to: Number(hundreds[1]) * 100 + 99 }
  const compared = COMPARED.exec(text)
  if (compared) {
    const limit = read(of, compared[2] ?? '')?.value
    if (limit === undefined) return undefined
    switch (compared[1]) {
      case '>':
        return { from: Math.floor(limit) + 1, to: null }
      case '>=':
        return { from: Math.ceil(limit), to: null }
      case '<':
        return { from: null, to: Math.ceil(limit) - 1 }
      default:
        return { from: null, to: Math.floor(limit) }
    }
  }
  const dots = text.indexOf('..')
  if (dots >= 0) {
    const [low, high] = [text.slice(0, dots), text.slice(dots + 2)]
    const from = low === '' ? null : read(of, low)?.value
    const to = high === '' ? null : read(of, high)?.value
    if (from === undefined || to === undefined || (from === null && to === null)) return undefined
    if (from !== null && to !== null && from > to) return 'reversed'
    return { from: from && Math.ceil(from), to: to && Math.floor(to) }
  }
  const one = read(of, text)
  return one && { from: Math.ceil(one.value), to: Math.ceil(one.value + one.step) - 1 }
}

export const within = ({ from, to }: Range, value: number): boolean =>
  (from === null || value >= from) && (to === null || value <= to)

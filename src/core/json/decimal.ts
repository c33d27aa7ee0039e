/**
 * Money is compared and summed by its digits, never through doubles (readings, "data per kind"). Value = ±digits × 10^exponent; digits
 * carry no leading or trailing zeros, so equal values have equal parts.
 */
export interface Decimal {
  readonly negative: boolean
  /** `0` for zero. */
  readonly digits: string
  readonly exponent: bigint
}

const ZERO: Decimal = { negative: false, digits: '0', exponent: 0n }

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Longer sources are left alone: no amount has so many digits, and exponents beyond it would make BigInt arithmetic slow. */
const MAX_SOURCE = 10_000
/** Sums need both numbers written out to the same last digit; beyond this distance that would exhaust memory. */
const MAX_SPREAD = 20_000n

function make(negative: boolean, digits: string, exponent: bigint): Decimal {
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return ZERO
  return { negative, digits: digits.slice(start, end), exponent: exponent + BigInt(digits.length - end) }
}

/** @param source a JSON number as sent. @returns undefined when it is none, or has more than 10,000 characters */
export function parseDecimal(source: string): Decimal | undefined {
  if (source.length > MAX_SOURCE) return undefined
  const parts = NUMBER.exec(source)
  if (!parts) return undefined
  const fraction = parts[3] ?? ''
  return make(parts[1] === '-', `${parts[2]}${fraction}`, BigInt(parts[4] ?? '0') - BigInt(fraction.length))
}

/** `5.0` and `1e2` included (readings: "an integer in JSON Schema's sense"). */
export const isInteger = (value: Decimal): boolean => value.exponent >= 0n

export function toSafeInteger(value: Decimal): number | undefined {
  if (!isInteger(value) || BigInt(value.digits.length) + value.exponent > 16n) return undefined
  const number = Number(`${value.digits}e${value.exponent}`)
  if (!Number.isSafeInteger(number)) return undefined
  return value.negative ? -number : number
}

/** Power of ten just above the value: what decides between numbers of one sign before any digit is looked at. */
const magnitude = (value: Decimal): bigint => BigInt(value.digits.length) + value.exponent

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const signA = a.digits === '0' ? 0 : a.negative ? -1 : 1
  const signB = b.digits === '0' ? 0 : b.negative ? -1 : 1
  if (signA !== signB) return signA < signB ? -1 : 1
  if (signA === 0) return 0
  const up = signA === 1 ? 1 : -1
  const down = signA === 1 ? -1 : 1
  const topA = magnitude(a)
  const topB = magnitude(b)
  if (topA !== topB) return topA > topB ? up : down
  // Same magnitude and no trailing zeros: the digits compare like text, a prefix being the smaller one.
  return a.digits === b.digits ? 0 : a.digits > b.digits ? up : down
}

export const equalDecimals = (a: Decimal, b: Decimal): boolean => compareDecimals(a, b) === 0

/** Sources that are no numbers are equal only when written alike. */
export function sameNumber(a: string, b: string): boolean {
  if (a === b) return true
  const first = parseDecimal(a)
  const second = parseDecimal(b)
  return first !== undefined && second !== undefined && equalDecimals(first, second)
}

/** Exact sum, undefined when the numbers lie more than 20,000 decimal places apart. */
export function addDecimals(a: Decimal, b: Decimal): Decimal | undefined {
  if (a.digits === '0') return b
  if (b.digits === '0') return a
  // biome-ignore lint/complexity/useMathMinMax: Math.min refuses bigint
  const exponent = a.exponent < b.exponent ? a.exponent : b.exponent
  if (a.exponent - exponent > MAX_SPREAD || b.exponent - exponent > MAX_SPREAD) return undefined
  const whole = (value: Decimal): bigint => {
    const size = BigInt(value.digits) * 10n ** (value.exponent - exponent)
    return value.negative ? -size : size
  }
  const sum = whole(a) + whole(b)
  return make(sum < 0n, String(sum < 0n ? -sum : sum), exponent)
}

export const subtractDecimals = (a: Decimal, b: Decimal): Decimal | undefined =>
  b.digits === '0' ? a : addDecimals(a, { ...b, negative: !b.negative })

/** Fills up decimal places with zeroes, at most 20. */
export function withPlaces(plain: string, places: number): string {
  const wanted = Math.min(20, places)
  if (wanted === 0 || plain.includes('e')) return plain
  const point = plain.indexOf('.')
  const present = point < 0 ? 0 : plain.length - point - 1
  return present >= wanted ? plain : `${plain}${point < 0 ? '.' : ''}${'0'.repeat(wanted - present)}`
}

export function formatDecimal(value: Decimal): string {
  const sign = value.negative ? '-' : ''
  const { digits, exponent } = value
  if (exponent > 60n || exponent < -60n - BigInt(digits.length)) return `${sign}${digits}e${exponent}`
  if (exponent >= 0n) return `${sign}${digits}${'0'.repeat(Number(exponent))}`
  const places = Number(-exponent)
  const padded = digits.padStart(places + 1, '0')
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`
}

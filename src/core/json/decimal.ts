/**
 * A number by its digits: amounts are compared and summed exactly, never as doubles (readings, "data per kind"). Value = ±digits ×
 * 10^exponent, without leading or trailing zeros, so equal values have equal parts.
 */
export interface Decimal {
  readonly negative: boolean
  /** `0` for zero. */
  readonly digits: string
  readonly exponent: bigint
}

const ZERO: Decimal = { negative: false, digits: '0', exponent: 0n }

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** Longer sources are not parsed: no amount has so many digits, and their exponents would make BigInt arithmetic slow. */
const MAX_SOURCE = 10_000
/** Maximum difference of exponents in a sum: writing out more digits would exhaust memory. */
const MAX_SPREAD = 20_000n

function make(negative: boolean, digits: string, exponent: bigint): Decimal {
  let start = 0
  while (digits[start] === '0') start++
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end--
  if (start === end) return ZERO
  return { negative, digits: digits.slice(start, end), exponent: exponent + BigInt(digits.length - end) }
}

/** @param source a JSON number as sent @returns undefined when it is not one, or has more than 10,000 characters */
export function parseDecimal(source: string): Decimal | undefined {
  if (source.length > MAX_SOURCE) return undefined
  const parts = NUMBER.exec(source)
  if (!parts) return undefined
  const fraction = parts[3] ?? ''
  return make(parts[1] === '-', `${parts[2]}${fraction}`, BigInt(parts[4] ?? '0') - BigInt(fraction.length))
}

/** True for `5.0` and `1e2` too (readings: "an integer in JSON Schema's sense"). */
export const isInteger = (value: Decimal): boolean => value.exponent >= 0n

export function toSafeInteger(value: Decimal): number | undefined {
  if (!isInteger(value) || BigInt(value.digits.length) + value.exponent > 16n) return undefined
  const number = Number(`${value.digits}e${value.exponent}`)
  if (!Number.isSafeInteger(number)) return undefined
  return value.negative ? -number : number
}

/** Power of ten just above the value, which decides most comparisons without looking at digits. */
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
  // With equal magnitude and no trailing zeros, digits compare like text: a prefix is smaller.
  return a.digits === b.digits ? 0 : a.digits > b.digits ? up : down
}

export const equalDecimals = (a: Decimal, b: Decimal): boolean => compareDecimals(a, b) === 0

/** Compares two JSON numbers by value; sources that are not numbers are equal only when identical. */
export function sameNumber(a: string, b: string): boolean {
  if (a === b) return true
  const first = parseDecimal(a)
  const second = parseDecimal(b)
  return first !== undefined && second !== undefined && equalDecimals(first, second)
}

/** Exact sum; undefined when the exponents differ by more than 20,000. */
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

/** Pads the fraction with zeros to this many places, at most 20. */
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

/** Digits that a double holds exactly; the sum of two such numbers is still exact. */
const SMALL = 15
const FLUSH = 2 ** 52

const DIGIT_0 = 0x30
const MINUS = 0x2d
const POINT = 0x2e

const latin1 = new TextDecoder('windows-1252')

/** Sum of the amounts with the same number of decimal places, as integers. */
interface Column {
  small: number
  large: bigint
}

/**
 * Exact sum of many JSON numbers (readings, "data per kind"). Ordinary numbers are added as integers of their last decimal place, without
 * allocation; all others by addDecimals.
 */
export class DecimalSum {
  readonly #columns = new Map<number, Column>()
  #others: Decimal | undefined = parseDecimal('0')
  #places = 0

  /** @returns false when it is not a JSON number, which is then left out */
  add(bytes: Uint8Array, from: number, to: number): boolean {
    if (to - from <= SMALL + 2 && this.#addSmall(bytes, from, to)) return true
    const value = parseDecimal(latin1.decode(bytes.subarray(from, to)))
    if (!value) return false
    this.#others = this.#others && addDecimals(this.#others, value)
    if (value.exponent < 0n) this.#places = Math.max(this.#places, Number(-value.exponent))
    return true
  }

  #addSmall(bytes: Uint8Array, from: number, to: number): boolean {
    const negative = bytes[from] === MINUS
    const start = negative ? from + 1 : from
    let whole = 0
    let digits = 0
    let point = -1
    for (let at = start; at < to; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === POINT && point < 0 && at > start) {
        point = at
        continue
      }
      const digit = byte - DIGIT_0
      if (digit < 0 || digit > 9) return false
      whole = whole * 10 + digit
      digits += 1
    }
    const end = point < 0 ? to : point
    if (digits === 0 || digits > SMALL || point === to - 1) return false
    // 007 is not a JSON number.
    if (bytes[start] === DIGIT_0 && end - start > 1) return false
    this.#put(point < 0 ? 0 : to - point - 1, negative ? -whole : whole)
    return true
  }

  #put(places: number, whole: number): void {
    const column = this.#columns.get(places) ?? { small: 0, large: 0n }
    this.#columns.set(places, column)
    column.small += whole
    if (places > this.#places) this.#places = places
    if (Math.abs(column.small) < FLUSH) return
    column.large += BigInt(column.small)
    column.small = 0
  }

  /** Most decimal places of any number added; formatting the sum with as many keeps amounts of money readable. */
  get places(): number {
    return this.#places
  }

  /** The sum so far; undefined when the numbers are more than 20,000 decimal places apart. */
  total(): Decimal | undefined {
    let sum = this.#others
    for (const [places, { small, large }] of this.#columns) {
      const whole = large + BigInt(small)
      const value = parseDecimal(`${whole}e-${places}`)
      sum = sum && value && addDecimals(sum, value)
    }
    return sum
  }
}

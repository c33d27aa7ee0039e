import { addDecimals, type Decimal, parseDecimal } from './decimal.ts'

/** Digits that a double holds exactly; the sum of two such numbers is still exact. */
const SMALL = 15
const FLUSH = 2 ** 52

const ZERO = 0x30
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
      const digit = byte - ZERO
      if (digit < 0 || digit > 9) return false
      whole = whole * 10 + digit
      digits += 1
    }
    const end = point < 0 ? to : point
    if (digits === 0 || digits > SMALL || point === to - 1) return false
    // 007 is not a JSON number.
    if (bytes[start] === ZERO && end - start > 1) return false
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

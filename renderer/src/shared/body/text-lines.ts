import { firstPlace, GrowingUint32 } from './growing.ts'
import { PIECE, pieceEnd } from './json-scanner.ts'

/** 8 million rows cost 32 MB; a body of nothing but line ends stays in the hex view beyond them. */
const MAX_ROWS = 8_000_000

/** The text view: rows are lines, long ones in pieces. Only the first byte of each row is kept. */
export class TextLines {
  readonly #starts = new GrowingUint32()
  readonly #continuations = new GrowingUint32()
  readonly #bytes: Uint8Array
  #at = 0
  #inLine = false
  limited = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  get count(): number {
    return this.#starts.length
  }

  run(budget: number): boolean {
    const bytes = this.#bytes
    const stop = Math.min(bytes.length, this.#at + budget)
    while (this.#at < stop) {
      if (this.count >= MAX_ROWS) {
        this.limited = true
        return true
      }
      if (this.#inLine) this.#continuations.push(this.count)
      this.#starts.push(this.#at)
      const newline = bytes.subarray(this.#at, this.#at + PIECE + 1).indexOf(0x0a)
      if (newline !== -1) {
        this.#at += newline + 1
        this.#inLine = false
      } else {
        this.#at = pieceEnd(bytes, this.#at, bytes.length)
        this.#inLine = true
      }
    }
    return this.#at >= bytes.length
  }

  from(row: number): number {
    return this.#starts.at(row)
  }
  /** Past the row's last byte, its line end left out. */
  to(row: number): number {
    const next = row + 1 < this.count ? this.#starts.at(row + 1) : this.#bytes.length
    return next > this.from(row) && this.#bytes[next - 1] === 0x0a ? next - 1 : next
  }
  /** 1-based line, null for the continuation of one. */
  number(row: number): number | null {
    const before = this.#continuations.lastUpTo(row)
    return before >= 0 && this.#continuations.at(before) === row ? null : row - before
  }
  /** The row at which a line begins; past the end where there are not so many. */
  rowOfNumber(number: number): number {
    return firstPlace(this.count, (row) => row - this.#continuations.lastUpTo(row) >= number)
  }
  rowOfByte(offset: number): number {
    return Math.max(0, this.#starts.lastUpTo(offset))
  }
}

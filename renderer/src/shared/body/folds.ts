import { firstPlace } from './growing.ts'
import type { JsonLines } from './json-lines.ts'

interface Range {
  readonly first: number
  readonly last: number
  readonly hidden: number
}

export class Folds {
  readonly #lines: JsonLines
  readonly #folded = new Set<number>()
  #ranges: readonly Range[] = []

  constructor(lines: JsonLines) {
    this.#lines = lines
  }
  get total(): number {
    return this.#lines.count - (this.#ranges.at(-1)?.hidden ?? 0)
  }
  has(line: number): boolean {
    return this.#folded.has(line)
  }
  set(line: number, folded: boolean): void {
    if (!this.#lines.opens(line)) return
    if (folded) this.#folded.add(line)
    else this.#folded.delete(line)
    this.#rebuild()
  }
  /** Folds everything from that depth on, the root being 0; null unfolds all. */
  setAll(depth: number | null): void {
    this.#folded.clear()
    if (depth !== null) {
      for (let line = 0; line < this.#lines.count; line += 1) {
        if (this.#lines.opens(line) && this.#lines.depth(line) >= depth) {
          this.#folded.add(line)
          // What is inside is hidden anyway, and opening shall show all of it at once.
          line = this.#lines.end(line)
        }
      }
    }
    this.#rebuild()
  }
  reveal(line: number): void {
    for (let range = this.#rangeOf(line); range; range = this.#rangeOf(line)) {
      this.#folded.delete(range.first - 1)
      this.#rebuild()
    }
  }
  lineOfRow(row: number): number {
    // The number of hidden lines before a row grows with the ranges that begin before it.
    const ranges = this.#ranges
    const past = firstPlace(ranges.length, (at) => (ranges[at]?.first ?? 0) - this.#hiddenBefore(at) > row)
    return row + this.#hiddenBefore(past)
  }
  rowOfLine(line: number): number {
    const index = this.#lastBefore(line)
    const range = this.#ranges[index]
    if (!range) return line
    return line <= range.last ? range.first - 1 - this.#hiddenBefore(index) : line - range.hidden
  }

  #hiddenBefore(index: number): number {
    return this.#ranges[index - 1]?.hidden ?? 0
  }
  #lastBefore(line: number): number {
    return firstPlace(this.#ranges.length, (at) => (this.#ranges[at]?.first ?? 0) > line) - 1
  }
  #rangeOf(line: number): Range | undefined {
    const range = this.#ranges[this.#lastBefore(line)]
    return range && line <= range.last ? range : undefined
  }
  #rebuild(): void {
    const ranges: Range[] = []
    let hidden = 0
    let past = -1
    for (const line of [...this.#folded].sort((a, b) => a - b)) {
      const last = this.#lines.end(line)
      if (line <= past || last === line) continue
      hidden += last - line
      ranges.push({ first: line + 1, last, hidden })
      past = last
    }
    this.#ranges = ranges
  }
}

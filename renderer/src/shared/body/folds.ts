import type { JsonLines } from './json-lines.ts'

interface Range {
  /** First and last line that are hidden. */
  readonly first: number
  readonly last: number
  /** Lines hidden by this range and all before it. */
  readonly hidden: number
}

/** Which lines of the pretty view are hidden, and the way between its rows and lines. */
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
  /** Unfolds whatever hides a line. */
  reveal(line: number): void {
    let changed = false
    for (let range = this.#rangeOf(line); range; range = this.#rangeOf(line)) {
      this.#folded.delete(range.first - 1)
      this.#rebuild()
      changed = true
    }
    if (changed) this.#rebuild()
  }
  lineOfRow(row: number): number {
    // The number of hidden lines before a row grows with the ranges that begin before it.
    let low = 0
    let high = this.#ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const before = middle > 0 ? (this.#ranges[middle - 1]?.hidden ?? 0) : 0
      if ((this.#ranges[middle]?.first ?? 0) - before <= row) low = middle + 1
      else high = middle
    }
    return row + (low > 0 ? (this.#ranges[low - 1]?.hidden ?? 0) : 0)
  }
  /** The row that draws a line, or the one that it is folded into. */
  rowOfLine(line: number): number {
    const index = this.#lastBefore(line)
    if (index === -1) return line
    const range = this.#ranges[index]
    const before = index > 0 ? (this.#ranges[index - 1]?.hidden ?? 0) : 0
    if (range && line <= range.last) return range.first - 1 - before
    return line - (range?.hidden ?? 0)
  }

  #lastBefore(line: number): number {
    let low = 0
    let high = this.#ranges.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ranges[middle]?.first ?? 0) <= line) low = middle + 1
      else high = middle
    }
    return low - 1
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

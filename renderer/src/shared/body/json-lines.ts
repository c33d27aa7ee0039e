import { firstPlace, GrowingUint32 } from './growing.ts'

export const KIND = {
  string: 0,
  number: 1,
  literal: 2,
  object: 3,
  array: 4,
  close: 5,
  emptyObject: 6,
  emptyArray: 7,
  /** More of a long value. */
  continuation: 8,
  /** Text after the place where JSON could no longer be read. */
  tail: 9,
} as const
export type Kind = (typeof KIND)[keyof typeof KIND]

export const NONE = 0xffff_ffff
const COMMA = 0x80
const CUT = 0x40

/** The pretty view as columns of numbers, drawn from the body's bytes: 25 MB of JSON cost an index, not a tree of objects. */
export class JsonLines {
  readonly #kind = new GrowingUint32()
  readonly #key = new GrowingUint32()
  readonly #from = new GrowingUint32()
  readonly #to = new GrowingUint32()
  readonly #parent = new GrowingUint32()
  /** Opening lines: their closing line. Others: the last line of the same value. */
  readonly #end = new GrowingUint32()
  readonly #depth = new GrowingUint32()
  readonly #continuations = new GrowingUint32()

  get count(): number {
    return this.#kind.length
  }
  kind(line: number): Kind {
    return (this.#kind.at(line) & 0x3f) as Kind
  }
  hasComma(line: number): boolean {
    return (this.#kind.at(line) & COMMA) !== 0
  }
  /** The value ended with the bytes at hand, not by itself. */
  isCut(line: number): boolean {
    return (this.#kind.at(line) & CUT) !== 0
  }
  /** Byte of the key's opening quote, or NONE. */
  key(line: number): number {
    return this.#key.at(line)
  }
  from(line: number): number {
    return this.#from.at(line)
  }
  to(line: number): number {
    return this.#to.at(line)
  }
  parent(line: number): number {
    return this.#parent.at(line)
  }
  end(line: number): number {
    return this.#end.at(line)
  }
  depth(line: number): number {
    return this.#depth.at(line)
  }
  opens(line: number): boolean {
    const kind = this.kind(line)
    return kind === KIND.object || kind === KIND.array
  }

  add(kind: Kind, key: number, from: number, to: number, parent: number, depth: number): number {
    const line = this.count
    if (kind === KIND.continuation) this.#continuations.push(line)
    this.#kind.push(kind)
    this.#key.push(key)
    this.#from.push(from)
    this.#to.push(to)
    this.#parent.push(parent)
    this.#end.push(line)
    this.#depth.push(depth)
    return line
  }
  setEnd(line: number, end: number): void {
    this.#end.set(line, end)
  }
  makeEmpty(line: number, to: number): void {
    this.#kind.set(line, this.kind(line) === KIND.object ? KIND.emptyObject : KIND.emptyArray)
    this.#to.set(line, to)
  }
  addComma(line: number): void {
    this.#kind.set(line, this.#kind.at(line) | COMMA)
  }
  markCut(line: number): void {
    this.#kind.set(line, this.#kind.at(line) | CUT)
  }

  /** 1-based number for the gutter; null for a continuation. */
  number(line: number): number | null {
    if (this.kind(line) === KIND.continuation) return null
    return line - this.#continuations.lastUpTo(line)
  }

  /** The line with that number in the gutter, or the last one. */
  lineOfNumber(number: number): number {
    const line = firstPlace(this.count, (at) => at - this.#continuations.lastUpTo(at) >= number)
    return Math.max(0, Math.min(this.count - 1, line))
  }

  /** The line whose key, value or bracket holds that byte (or the white space after it). */
  lineOfByte(offset: number): number {
    const begins = (line: number) => (this.key(line) === NONE ? this.from(line) : this.key(line))
    return Math.max(0, firstPlace(this.count, (line) => begins(line) > offset) - 1)
  }

  /** Lines that begin the members or items of an opening line. */
  *children(line: number): Generator<number> {
    const end = this.end(line)
    for (let child = line + 1; child <= end && child < this.count; child = this.end(child) + 1) {
      if (this.parent(child) !== line || this.kind(child) === KIND.close || this.kind(child) === KIND.tail)
        return
      yield child
    }
  }

  childCount(line: number, limit: number): number {
    let count = 0
    for (const _ of this.children(line)) {
      count += 1
      if (count >= limit) break
    }
    return count
  }
}

import { type Canvas, hexRow, prettyRow, prettyText, textRow } from './draw-rows.ts'
import { findIn, MATCHES_KEPT, type Match } from './find.ts'
import { Folds } from './folds.ts'
import { JsonLines, KIND, NONE } from './json-lines.ts'
import { JsonScanner, textBegin } from './json-scanner.ts'
import { createLineTotaller } from './line-totals.ts'
import { eventModel, itemsOf, nameOf, valueOn } from './members.ts'
import type { BodyRow, BodySummary, BodyView, EventModel, LineTotals, Member, Place } from './protocol.ts'
import { TextLines } from './text-lines.ts'

/** Bytes processed before newer requests get their turn: about 20 ms of work. */
const BUDGET = 4 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const rested = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** The row of an item in a view, and the number of rows in that view after unfolding. */
interface Shown {
  readonly row: number
  readonly total: number
}
interface OfLine {
  readonly line: number
}
interface InView {
  readonly view: BodyView
  readonly bytesPerRow: number
}

/** One body: its bytes, the indexes of its views, its folds and its search hits. */
export class BodyDocument {
  #buffer: Uint8Array
  #received = 0
  #json = new JsonLines()
  #text = new TextLines(new Uint8Array())
  #folds = new Folds(this.#json)
  #matches: readonly Match[] = []
  #present = -1
  #items = new Map<number, readonly number[]>()
  #search = 0
  closed = false

  constructor(bytes: number) {
    this.#buffer = new Uint8Array(bytes)
  }

  feed({ base64 }: { readonly base64: string }): { received: number } {
    const piece = atob(base64)
    const room = Math.min(piece.length, this.#buffer.length - this.#received)
    for (let i = 0; i < room; i += 1) this.#buffer[this.#received + i] = piece.charCodeAt(i)
    this.#received += room
    return { received: this.#received }
  }

  get #bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#received)
  }
  get #canvas(): Canvas {
    return {
      bytes: this.#bytes,
      json: this.#json,
      folds: this.#folds,
      text: this.#text,
      matches: this.#matches,
      present: this.#present,
    }
  }

  /** Indexes the bytes fed so far. @param whole no bytes follow, so an unfinished value is broken rather than cut */
  async read({ whole }: { readonly whole: boolean }): Promise<BodySummary> {
    const bytes = this.#bytes
    const text = new TextLines(bytes)
    while (!text.run(BUDGET) && !this.closed) await rested()
    const scanner = new JsonScanner(bytes, whole)
    while (!scanner.run(BUDGET) && !this.closed) await rested()
    this.#text = text
    this.#json = scanner.lines
    this.#folds = new Folds(scanner.lines)
    this.#items = new Map()
    const readable = scanner.lines.count > 0 && scanner.lines.kind(0) !== KIND.tail
    return {
      bytes: bytes.length,
      nature: bytes.length === 0 ? 'empty' : readable ? 'json' : looksBinary(bytes) ? 'binary' : 'text',
      rows: { pretty: scanner.lines.count, text: text.count },
      brokenAt: scanner.brokenAt === null ? null : placeOfByte(bytes, scanner.brokenAt),
      limited: { pretty: scanner.limited, text: text.limited },
    }
  }

  #total(view: BodyView, bytesPerRow: number): number {
    if (view === 'pretty') return this.#folds.total
    return view === 'text' ? this.#text.count : Math.ceil(this.#received / bytesPerRow)
  }

  rows({ view, from, count, bytesPerRow }: InView & { readonly from: number; readonly count: number }): {
    rows: readonly BodyRow[]
    total: number
  } {
    const total = this.#total(view, bytesPerRow)
    const canvas = this.#canvas
    const rows: BodyRow[] = []
    for (let row = Math.max(0, from); row < Math.min(total, from + count); row += 1) {
      if (view === 'pretty') rows.push(prettyRow(canvas, this.#folds.lineOfRow(row)))
      else rows.push(view === 'text' ? textRow(canvas, row) : hexRow(canvas, row, bytesPerRow))
    }
    return { rows, total }
  }

  fold({ line, folded }: { readonly line: number; readonly folded: boolean }): { total: number } {
    this.#folds.set(line, folded)
    return { total: this.#folds.total }
  }
  /** Folds every object and list at that depth or deeper; null unfolds all. */
  foldAll({ depth }: { readonly depth: number | null }): { total: number } {
    this.#folds.setAll(depth)
    return { total: this.#folds.total }
  }

  async find({ text, matchCase }: { readonly text: string; readonly matchCase: boolean }): Promise<{
    count: number
    capped: boolean
  }> {
    this.#search += 1
    const search = this.#search
    const matches = await findIn(this.#bytes, text, matchCase, async () => {
      await rested()
      return search === this.#search && !this.closed
    })
    // A newer search replaced this one; only its answer counts.
    if (search !== this.#search) return { count: 0, capped: false }
    this.#matches = matches
    this.#present = -1
    return { count: matches.length, capped: matches.length >= MATCHES_KEPT }
  }
  match({ index, view, bytesPerRow }: InView & { readonly index: number }): Shown {
    this.#present = index
    return this.#show(this.#matches[index]?.from ?? 0, view, bytesPerRow)
  }

  /** The row of a place; for an absent member, the row of its nearest present ancestor. */
  locate({ place, view, bytesPerRow }: InView & { readonly place: Place }): Shown {
    if ('line' in place)
      return this.#show(byteOfPlace(this.#bytes, place.line, place.column), view, bytesPerRow)
    if ('offset' in place) return this.#show(place.offset, view, bytesPerRow)
    if ('number' in place) return this.#showNumber(place.number, view, bytesPerRow)
    const line = lineOfPointer(this.#json, this.#bytes, place.pointer)
    return view === 'pretty' ? this.#showLine(line) : this.#show(this.#json.from(line), view, bytesPerRow)
  }
  #showNumber(number: number, view: BodyView, bytesPerRow: number): Shown {
    if (view === 'hex') return this.#show((number - 1) * bytesPerRow, view, bytesPerRow)
    if (view === 'pretty') return this.#showLine(this.#json.lineOfNumber(number))
    const total = this.#text.count
    return { row: Math.min(total - 1, this.#text.rowOfNumber(number)), total }
  }
  #show(offset: number, view: BodyView, bytesPerRow: number): Shown {
    if (view === 'pretty') return this.#showLine(this.#json.lineOfByte(offset))
    const row = view === 'text' ? this.#text.rowOfByte(offset) : Math.floor(offset / bytesPerRow)
    return { row, total: this.#total(view, bytesPerRow) }
  }
  #showLine(line: number): Shown {
    this.#folds.reveal(line)
    return { row: this.#folds.rowOfLine(line), total: this.#folds.total }
  }

  /** Pointer and place of the value that begins on a line of the pretty view; null when it lies too deep. */
  pointer({ line }: OfLine): { pointer: string; line: number; column: number } | null {
    const pointer = pointerOf(this.#json, this.#bytes, line)
    return pointer === null ? null : { pointer, ...placeOfByte(this.#bytes, this.#json.from(line)) }
  }

  /** The line of each place in the pretty view, or of its nearest present ancestor. */
  lines({ pointers }: { readonly pointers: readonly string[] }): readonly number[] {
    return pointers.map((pointer) => lineOfPointer(this.#json, this.#bytes, pointer))
  }

  event(): EventModel {
    return eventModel(this.#json, this.#bytes)
  }
  items({ line, from, count }: OfLine & { readonly from: number; readonly count: number }): {
    items: readonly (readonly Member[])[]
  } {
    return { items: itemsOf(this.#json, this.#bytes, this.#itemsAt(line).slice(from, from + count)) }
  }
  #itemsAt(line: number): readonly number[] {
    const known = this.#items.get(line) ?? [...this.#json.children(line)]
    this.#items.set(line, known)
    return known
  }
  totals({ line }: OfLine): Promise<LineTotals | null> {
    return createLineTotaller(this.#json, this.#bytes).run(this.#itemsAt(line), async () => {
      await rested()
      return !this.closed
    })
  }
  /** The value on a line of the pretty view for the clipboard: the characters of a string, anything else as sent; null where there is none. */
  value({ line }: OfLine): ReturnType<typeof valueOn> {
    return valueOn(this.#json, this.#bytes, line)
  }

  /** The whole body for the clipboard, which takes text only: bytes that are not UTF-8 become U+FFFD. */
  text({ view }: { readonly view: BodyView }): { text: string } {
    const bytes = this.#bytes
    if (view === 'text') return { text: utf8.decode(bytes) }
    if (view === 'pretty') return { text: prettyText(this.#json, bytes) }
    const canvas = { ...this.#canvas, matches: [] }
    const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) => {
      const texts = hexRow(canvas, row, 16).stretches.map(([, text]) => text)
      return texts.join('').trimEnd()
    })
    return { text: rows.join('\n') }
  }
}

/** Binary: NUL bytes, or more than a tenth of the beginning that is not text. */
function looksBinary(bytes: Uint8Array): boolean {
  const beginning = bytes.subarray(0, 4_096)
  let odd = 0
  for (const byte of beginning) {
    if (byte === 0) return true
    if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) odd += 1
  }
  const replaced = utf8.decode(beginning).match(/\ufffd/g)?.length ?? 0
  return odd + replaced > beginning.length / 10
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Deeper than this a pointer helps no one, and walking up millions of levels costs time. */
const DEEPEST = 512

/** RFC 6901 pointer of the value on a line; null when it lies too deep. */
function pointerOf(json: JsonLines, bytes: Uint8Array, line: number): string | null {
  const tokens: string[] = []
  let at = line
  if (json.kind(at) === KIND.close) at = json.parent(at)
  while (at > 0 && json.kind(at) === KIND.continuation) at -= 1
  if (json.kind(at) === KIND.tail) return null
  for (; json.parent(at) !== NONE; at = json.parent(at)) {
    if (tokens.length >= DEEPEST) return null
    const parent = json.parent(at)
    if (json.kind(parent) === KIND.object) {
      tokens.push(nameOf(json, bytes, at).replaceAll('~', '~0').replaceAll('/', '~1'))
    } else {
      let index = 0
      for (const child of json.children(parent)) {
        if (child === at) break
        index += 1
      }
      tokens.push(String(index))
    }
  }
  return tokens.reverse().reduce((pointer, token) => `${pointer}/${token}`, '')
}

/** The line that a pointer names, or that of the deepest member on its way that is there. */
function lineOfPointer(json: JsonLines, bytes: Uint8Array, pointer: string): number {
  let line = 0
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const found = childNamed(json, bytes, line, name)
    if (found === undefined) return line
    line = found
  }
  return line
}

function childNamed(json: JsonLines, bytes: Uint8Array, line: number, name: string): number | undefined {
  const list = json.kind(line) === KIND.array
  if (!list && json.kind(line) !== KIND.object) return undefined
  let index = 0
  let found: number | undefined
  let otherCase: number | undefined
  for (const child of json.children(line)) {
    if (list) {
      if (String(index) === name) return child
    } else {
      const own = nameOf(json, bytes, child)
      // The last of several is the one that counts.
      if (own === name) found = child
      else if (own.toLowerCase() === name.toLowerCase()) otherCase = child
    }
    index += 1
  }
  return found ?? otherCase
}

/** LF, CR LF and a lone CR end a line, as for the findings' places (core/json/place). */
const endsLine = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] !== 0x0a)

/** The byte at a 1-based line and column, columns in UTF-16 code units; the last byte when there is no such place. */
function byteOfPlace(bytes: Uint8Array, line: number, column: number): number {
  let at = textBegin(bytes)
  for (let left = line - 1; left > 0 && at < bytes.length; at += 1) if (endsLine(bytes, at)) left -= 1
  for (let units = 1; units < column && at < bytes.length && !endsLine(bytes, at); ) {
    const byte = bytes[at] ?? 0
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    units += length === 4 ? 2 : 1
    at += length
  }
  return Math.min(at, Math.max(0, bytes.length - 1))
}

/** The other way round. */
function placeOfByte(bytes: Uint8Array, offset: number): { line: number; column: number } {
  let line = 1
  let start = textBegin(bytes)
  for (let at = start; at < offset; at += 1) {
    if (endsLine(bytes, at)) {
      line += 1
      start = at + 1
    }
  }
  return { line, column: decoder.decode(bytes.subarray(start, Math.max(start, offset))).length + 1 }
}

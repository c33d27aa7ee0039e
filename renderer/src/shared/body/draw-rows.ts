import { seenBytes } from '@/shared/formats/visible.ts'
import { firstMatchFrom, type Match } from './find.ts'
import type { Folds } from './folds.ts'
import { type JsonLines, KIND, type Kind, NONE } from './json-lines.ts'
import { PIECE, stringEnd } from './json-scanner.ts'
import type { BodyRow, Ink, Stretch } from './protocol.ts'
import type { TextLines } from './text-lines.ts'

export interface Canvas {
  readonly bytes: Uint8Array
  readonly json: JsonLines
  readonly folds: Folds
  readonly text: TextLines
  readonly matches: readonly Match[]
  readonly present: number
}

const VALUE_INK: Readonly<Partial<Record<Kind, Ink>>> = {
  [KIND.string]: 'string',
  [KIND.number]: 'number',
  [KIND.literal]: 'literal',
  [KIND.tail]: 'broken',
}

/** Maximum count of members that a folded line shows. */
const COUNTED = 10_000

class Row {
  readonly stretches: Stretch[] = []
  readonly #canvas: Canvas
  constructor(canvas: Canvas) {
    this.#canvas = canvas
  }
  add(ink: Ink, text: string): void {
    this.stretches.push([ink, text, 0])
  }
  /** Draws bytes of the body, split where search hits begin and end. */
  bytes(ink: Ink, from: number, to: number): void {
    const { matches, present } = this.#canvas
    let at = from
    for (let i = firstMatchFrom(matches, from); i < matches.length; i += 1) {
      const match = matches[i]
      if (!match || match.from >= to) break
      this.#stretch(ink, at, Math.max(at, match.from), 0)
      this.#stretch(ink, Math.max(at, match.from), Math.min(to, match.to), i === present ? 2 : 1)
      at = Math.min(to, match.to)
    }
    this.#stretch(ink, at, to, 0)
  }
  #stretch(ink: Ink, from: number, to: number, hit: 0 | 1 | 2): void {
    if (from >= to) return
    for (const part of seenBytes(this.#canvas.bytes.subarray(from, to))) {
      this.stretches.push([part.hidden ? 'chip' : ink, part.text, hit])
    }
  }
}

export function prettyRow(canvas: Canvas, line: number): BodyRow {
  const { bytes, json, folds } = canvas
  const kind = json.kind(line)
  const row = new Row(canvas)
  const key = json.key(line)
  if (key !== NONE && kind !== KIND.tail) {
    const end = stringEnd(bytes, key, Math.min(bytes.length, key + PIECE))
    row.bytes('key', key, end)
    row.add('mark', end === key + PIECE && bytes[end - 1] !== 0x22 ? '…: ' : ': ')
  }
  const opens = json.opens(line)
  const folded = opens && folds.has(line)
  let last = line
  if (kind === KIND.emptyObject) row.add('mark', '{}')
  else if (kind === KIND.emptyArray) row.add('mark', '[]')
  else if (opens) {
    row.bytes('mark', json.from(line), json.to(line))
    if (folded) {
      const count = json.childCount(line, COUNTED)
      row.add('dim', ` ${count >= COUNTED ? `${COUNTED}+` : count} … `)
      last = json.end(line)
      if (json.kind(last) === KIND.close) row.bytes('mark', json.from(last), json.to(last))
    }
  } else {
    const ink = kind === KIND.close ? 'mark' : (VALUE_INK[kind] ?? inkOfValue(json, line))
    row.bytes(ink, json.from(line), json.to(line))
    if (json.isCut(line)) row.add('dim', '…')
  }
  if (json.hasComma(last)) row.add('mark', ',')
  return {
    at: line,
    number: json.number(line),
    depth: json.depth(line),
    folded: opens ? folded : null,
    stretches: row.stretches,
  }
}

/** A continuation line has the colour of the value that it continues. */
function inkOfValue(json: JsonLines, line: number): Ink {
  let first = line
  while (first > 0 && json.kind(first) === KIND.continuation && line - first < 100_000) first -= 1
  return VALUE_INK[json.kind(first)] ?? 'string'
}

export function textRow(canvas: Canvas, index: number): BodyRow {
  const row = new Row(canvas)
  row.bytes('plain', canvas.text.from(index), canvas.text.to(index))
  return {
    at: canvas.text.from(index),
    number: canvas.text.number(index),
    depth: 0,
    folded: null,
    stretches: row.stretches,
  }
}

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0')

export function hexRow(canvas: Canvas, index: number, bytesPerRow: number): BodyRow {
  const from = index * bytesPerRow
  const slice = canvas.bytes.subarray(from, from + bytesPerRow)
  const stretches: Stretch[] = [['dim', `${hex(from, 8)}  `, 0]]
  const letters: Stretch[] = [['mark', ' ', 0]]
  for (let i = 0; i < bytesPerRow; i += 1) {
    const byte = slice[i]
    const gap = i === 7 && bytesPerRow > 8 ? '  ' : ' '
    if (byte === undefined) {
      stretches.push(['plain', `  ${gap}`, 0])
      continue
    }
    const hit = hitAt(canvas, from + i)
    const shown = byte >= 0x20 && byte < 0x7f
    stretches.push([shown ? 'plain' : 'dim', hex(byte, 2), hit], ['plain', gap, 0])
    letters.push([shown ? 'string' : 'dim', shown ? String.fromCharCode(byte) : '·', hit])
  }
  return { at: from, number: null, depth: 0, folded: null, stretches: joined([...stretches, ...letters]) }
}

function hitAt(canvas: Canvas, offset: number): 0 | 1 | 2 {
  const index = firstMatchFrom(canvas.matches, offset)
  const match = canvas.matches[index]
  if (!match || match.from > offset) return 0
  return index === canvas.present ? 2 : 1
}

/** Joins neighbouring stretches of the same colour, which keeps the DOM small. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const [ink, text, hit] of stretches) {
    const before = result.at(-1)
    if (before && before[0] === ink && before[2] === hit)
      result[result.length - 1] = [ink, before[1] + text, hit]
    else result.push([ink, text, hit])
  }
  return result
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The unfolded pretty view as text; every value keeps its original bytes. */
export function prettyText(json: JsonLines, bytes: Uint8Array): string {
  const lines: string[] = []
  for (let line = 0; line < json.count; line += 1) {
    const kind = json.kind(line)
    if (kind === KIND.continuation) continue
    const end = json.opens(line) ? line : json.end(line)
    const begin = json.key(line)
    const key = begin === NONE ? '' : `${utf8.decode(bytes.subarray(begin, stringEnd(bytes, begin)))}: `
    const value =
      kind === KIND.emptyObject
        ? '{}'
        : kind === KIND.emptyArray
          ? '[]'
          : utf8.decode(bytes.subarray(json.from(line), json.to(end)))
    lines.push(
      `${'  '.repeat(Math.min(json.depth(line), 200))}${key}${value}${json.hasComma(end) ? ',' : ''}`,
    )
  }
  return lines.join('\n')
}

import {
  ARRAY,
  ESCAPED,
  FALSE,
  type JsonTree,
  KEY,
  MAX_NODES,
  NULL,
  NUMBER,
  OBJECT,
  SHAPE_SHIFT,
  STRING,
  TRUE,
} from './tree.ts'
import { HAS_ESCAPE, literalEnd, numberEnd, OFFSET, skipSpace, stringEnd } from './words.ts'

/**
 * Why a text is no JSON (RFC 8259). `empty`: nothing but white space; `end`: it stops in the middle; `trailing`: something follows the
 * value; `control`: a raw control character in a string; `escape`: a bad backslash sequence; `number`: a malformed number;
 * `too-many`: more than MAX_NODES values, not read on to keep memory bounded.
 */
export type JsonReason =
  | 'empty'
  | 'end'
  | 'unexpected'
  | 'trailing'
  | 'control'
  | 'escape'
  | 'number'
  | 'too-many'
export interface JsonProblem {
  readonly problem: JsonReason
  /** Where in the text, in UTF-16 code units. */
  readonly offset: number
}

const problem = (text: string, reason: JsonReason, offset: number): JsonProblem =>
  offset >= text.length && reason !== 'empty'
    ? { problem: 'end', offset: text.length }
    : { problem: reason, offset }

function grown(cells: Uint32Array, text: string): Uint32Array {
  // A value takes two characters at least (itself and a comma or bracket), which bounds the table by the text.
  const most = 3 * Math.min(MAX_NODES, text.length + 2)
  const larger = new Uint32Array(Math.min(most, cells.length * 2) + 6)
  larger.set(cells)
  return larger
}

const wrongString = (text: string, offset: number): JsonProblem =>
  problem(text, text.charCodeAt(offset) < 0x20 ? 'control' : 'escape', offset)

/**
 * Reads a JSON text without recursion: depth costs nothing but cells, so that five million `[` are read like anything else.
 * Accepts exactly what JSON.parse accepts.
 * @param text decoded body without byte-order mark
 */
export function scanJson(text: string): JsonTree | JsonProblem {
  let cells: Uint32Array = new Uint32Array(3 * (32 + (text.length >>> 3)))
  let count = 0
  let parent = -1
  let inObject = false
  let depth = 0
  let deepest = 0
  let at = 0
  for (;;) {
    if (count * 3 + 6 > cells.length) cells = grown(cells, text)
    if (count > MAX_NODES - 3) return { problem: 'too-many', offset: at }
    at = skipSpace(text, at)
    if (inObject) {
      if (text.charCodeAt(at) !== 0x22) return problem(text, 'unexpected', at)
      const end = stringEnd(text, at + 1)
      if (end < 0) return wrongString(text, -1 - end)
      cells[count * 3] = at
      at = end & OFFSET
      cells[count * 3 + 1] = at
      cells[count * 3 + 2] = (count + 1) | ((end & HAS_ESCAPE ? KEY | ESCAPED : KEY) << SHAPE_SHIFT)
      count++
      at = skipSpace(text, at)
      if (text.charCodeAt(at) !== 0x3a) return problem(text, 'unexpected', at)
      at = skipSpace(text, at + 1)
    }
    const first = text.charCodeAt(at)
    const base = count * 3
    cells[base] = at
    if (first === 0x7b || first === 0x5b) {
      inObject = first === 0x7b
      // Until the container closes, its third cell holds its own parent: the stack needs no memory of its own.
      cells[base + 2] = (parent + 1) | ((inObject ? OBJECT : ARRAY) << SHAPE_SHIFT)
      parent = count
      count++
      depth++
      if (depth > deepest) deepest = depth
      at = skipSpace(text, at + 1)
      if (text.charCodeAt(at) !== first + 2) continue
    } else {
      let shape = STRING
      if (first === 0x22) {
        const end = stringEnd(text, at + 1)
        if (end < 0) return wrongString(text, -1 - end)
        if (end & HAS_ESCAPE) shape |= ESCAPED
        at = end & OFFSET
      } else if (first === 0x74 || first === 0x66 || first === 0x6e) {
        shape = first === 0x74 ? TRUE : first === 0x66 ? FALSE : NULL
        const end = literalEnd(text, at, first === 0x74 ? 'true' : first === 0x66 ? 'false' : 'null')
        if (end < 0) return problem(text, 'unexpected', -1 - end)
        at = end
      } else if (first === 0x2d || (first >= 0x30 && first <= 0x39)) {
        shape = NUMBER
        const end = numberEnd(text, at)
        if (end < 0) return problem(text, 'number', -1 - end)
        at = end
      } else {
        return problem(text, parent < 0 && at >= text.length ? 'empty' : 'unexpected', at)
      }
      cells[base + 1] = at
      count++
      cells[base + 2] = count | (shape << SHAPE_SHIFT)
    }
    // A value has ended, or an empty container is about to: close what closes here.
    for (;;) {
      at = skipSpace(text, at)
      if (parent < 0) {
        if (at < text.length) return { problem: 'trailing', offset: at }
        return { text, cells: cells.subarray(0, count * 3), count, depth: deepest }
      }
      const next = text.charCodeAt(at)
      if (next === 0x2c) {
        at++
        break
      }
      if (next !== (inObject ? 0x7d : 0x5d)) return problem(text, 'unexpected', at)
      at++
      const third = parent * 3 + 2
      const outer = ((cells[third] as number) & MAX_NODES) - 1
      cells[third - 1] = at
      cells[third] = count | ((inObject ? OBJECT : ARRAY) << SHAPE_SHIFT)
      parent = outer
      depth--
      inObject = outer >= 0 && (cells[outer * 3 + 2] as number) >>> SHAPE_SHIFT === OBJECT
    }
  }
}

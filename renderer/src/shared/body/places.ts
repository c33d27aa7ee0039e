import { type JsonLines, KIND, NONE } from './json-lines.ts'
import { textBegin } from './json-scanner.ts'
import { nameOf } from './members.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
/** Deeper than this a pointer helps no one, and walking up millions of levels costs time. */
const DEEPEST = 512

/** RFC 6901 pointer of the value on a line; null when it lies too deep. */
export function pointerOf(json: JsonLines, bytes: Uint8Array, line: number): string | null {
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
export function lineOfPointer(json: JsonLines, bytes: Uint8Array, pointer: string): number {
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
export function byteOfPlace(bytes: Uint8Array, line: number, column: number): number {
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
export function placeOfByte(bytes: Uint8Array, offset: number): { line: number; column: number } {
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

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = new Set([0x7b, 0x5b])
const CLOSE = new Set([0x7d, 0x5d])
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * The bytes of one member's value in a JSON object, exactly as they stand there: digits, escapes and white space inside it included.
 * Of several members of that name the last one counts, as for JSON.parse.
 * @param json an object, known to be valid JSON in UTF-8
 * @returns undefined when it has no such member
 */
export function memberBytes(json: Buffer, name: string): Buffer | undefined {
  let found: Buffer | undefined
  let at = skipSpace(json, json.indexOf(0x7b) + 1)
  while (json[at] === QUOTE) {
    const keyEnd = stringEnd(json, at)
    const key: unknown = JSON.parse(json.toString('utf8', at, keyEnd))
    const start = skipSpace(json, json.indexOf(COLON, keyEnd) + 1)
    const end = valueEnd(json, start)
    if (key === name) found = json.subarray(start, end)
    at = skipSpace(json, end)
    if (json[at] === COMMA) at = skipSpace(json, at + 1)
  }
  return found
}

function skipSpace(json: Buffer, from: number): number {
  let at = from
  while (SPACE.has(json[at] ?? 0)) at += 1
  return at
}

/** @returns the place after the closing quote */
function stringEnd(json: Buffer, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** @returns the place after the value's last byte */
function valueEnd(json: Buffer, from: number): number {
  let depth = 0
  let at = from
  while (at < json.length) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      at = stringEnd(json, at)
    } else if (depth === 0 && (byte === COMMA || CLOSE.has(byte) || SPACE.has(byte))) {
      return at
    } else {
      if (OPEN.has(byte)) depth += 1
      else if (CLOSE.has(byte)) depth -= 1
      at += 1
    }
    if (depth === 0 && (byte === QUOTE || CLOSE.has(byte))) return at
  }
  return at
}

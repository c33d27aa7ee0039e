import { type JsonLines, KIND } from './json-lines.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The pretty view as text, unfolded, every value with the bytes it came in. */
export function prettyText(json: JsonLines, bytes: Uint8Array): string {
  const lines: string[] = []
  for (let line = 0; line < json.count; line += 1) {
    const kind = json.kind(line)
    if (kind === KIND.continuation) continue
    const end = json.opens(line) ? line : json.end(line)
    const key =
      json.key(line) === 0xffff_ffff
        ? ''
        : `${utf8.decode(bytes.subarray(json.key(line), keyStop(bytes, json.key(line))))}: `
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

function keyStop(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1
  return Math.min(bytes.length, at + 1)
}

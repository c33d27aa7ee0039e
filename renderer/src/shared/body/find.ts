import { firstPlace } from './growing.ts'

/** More matches than anyone steps through; counting on would only cost memory. */
export const MATCHES_KEPT = 20_000
const CHUNK = 4 * 1024 * 1024

// Every byte becomes one character, so a place in the text is a place in the bytes.
const bytewise = new TextDecoder('windows-1252')
const utf8 = new TextEncoder()

function pattern(character: string, matchCase: boolean): string {
  const forms = matchCase ? [character] : [character, character.toLowerCase(), character.toUpperCase()]
  const written = new Set(
    forms.map((form) => bytewise.decode(utf8.encode(form)).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')),
  )
  return written.size === 1 ? [...written].join('') : `(?:${[...written].join('|')})`
}

export interface Match {
  readonly from: number
  readonly to: number
}

/** Looks for text as it was sent: an escape is found as an escape. @param rest called between stretches; false ends the search */
export async function findIn(
  bytes: Uint8Array,
  text: string,
  matchCase: boolean,
  rest: () => Promise<boolean>,
): Promise<Match[]> {
  const matches: Match[] = []
  if (text === '') return matches
  const expression = new RegExp([...text].map((c) => pattern(c, matchCase)).join(''), 'g')
  const overlap = utf8.encode(text).length * 2
  let past = 0
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const chunk = bytewise.decode(bytes.subarray(at, Math.min(bytes.length, at + CHUNK + overlap)))
    for (const match of chunk.matchAll(expression)) {
      const from = at + match.index
      // What lies beyond the chunk, or overlaps a match of the one before, is left to its turn.
      if (match.index >= CHUNK) break
      if (from < past) continue
      past = from + match[0].length
      matches.push({ from, to: past })
      if (matches.length >= MATCHES_KEPT) return matches
    }
    if (!(await rest())) return matches
  }
  return matches
}

export const firstMatchFrom = (matches: readonly Match[], offset: number): number =>
  firstPlace(matches.length, (at) => (matches[at]?.to ?? 0) > offset)

/** A character that no name or address can hold: where it stands, 1-based and in characters, and what it is, as U+0007. */
export interface OddCharacter {
  readonly at: number
  readonly code: string
}

/** The first control character, or half of a surrogate pair (which no UTF-8 can carry), of a text; null when it has none. */
export function oddCharacter(text: string, odd: RegExp = /[\p{Cc}\p{Cs}]/u): OddCharacter | null {
  const found = odd.exec(text)
  if (!found) return null
  const code = found[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return { at: [...text.slice(0, found.index)].length + 1, code: `U+${code}` }
}

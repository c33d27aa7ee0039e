/** Controls, format characters (bidi overrides too), line separators, lone surrogates, unassigned tags, and misleading spaces. */
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu

/** How such a character is written out: the control picture where there is one, else its code. */
export function chipOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x09) return '→'
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Captured text with such characters spelled out, for cells that are plain text. */
export const spelled = (text: string): string => text.replace(HIDDEN, chipOf)

export interface SeenPart {
  readonly text: string
  readonly hidden: boolean
}

/** Captured text cut into what can be shown as it is and what has to be written out. Joined, nothing is missing. */
export function seen(text: string): SeenPart[] {
  const parts: SeenPart[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), hidden: false })
    parts.push({ text: chipOf(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false })
  return parts
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes of the character that begins at `at`, or 0 when they are no UTF-8. */
function lengthOfCharacter(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  try {
    strict.decode(bytes.subarray(at, at + length))
    return length
  } catch {
    return 0
  }
}

/** Bytes as text; each byte that is no UTF-8 is written out as `\xNN` and hidden from no one. */
export function seenBytes(bytes: Uint8Array): SeenPart[] {
  try {
    return seen(strict.decode(bytes))
  } catch {
    const parts: SeenPart[] = []
    let from = 0
    let at = 0
    while (at < bytes.length) {
      const length = lengthOfCharacter(bytes, at)
      if (length === 0) {
        if (at > from) parts.push(...seen(lenient.decode(bytes.subarray(from, at))))
        parts.push({ text: `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`, hidden: true })
        from = at + 1
      }
      at += Math.max(1, length)
    }
    if (at > from) parts.push(...seen(lenient.decode(bytes.subarray(from, at))))
    return parts
  }
}

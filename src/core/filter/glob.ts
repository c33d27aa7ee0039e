/** Lower-cases ASCII letters only, as SQLite does. */
export const asciiLower = (value: string): string =>
  value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Removes accents and case, so that `perez` finds `PÉREZ`. Applied to stored texts and to patterns alike. */
export const folded = (value: string): string =>
  value
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** Matches a pattern in which `*` stands for any text, in at most pattern × text steps. */
export function fits(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return pattern === text
  if (!text.startsWith(head)) return false
  let at = head.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - tail.length >= at && text.endsWith(tail)
}

/** Replaces NUL, which no stored text has. @param open where more text may follow: `end` for a prefix, `both` for a substring */
export function patternOf(value: string, open: 'none' | 'end' | 'both'): string {
  const clean = value.toWellFormed().replaceAll('\0', ' ')
  return `${open === 'both' ? '*' : ''}${clean}${open === 'none' ? '' : '*'}`.replace(/\*{2,}/g, '*')
}

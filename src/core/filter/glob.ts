/** Lower case of a-z only, which is what every database can do alike. */
export const asciiLower = (value: string): string =>
  value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Without accents and upper case, so that `perez` finds `PÉREZ`. Stored texts and patterns pass the same way. */
export const folded = (value: string): string =>
  value
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** `*` stands for any text; takes at most pattern × text steps. */
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

/** What is stored holds no NUL. @param open where any text may stand besides: `end` for a beginning, `both` for a part */
export function patternOf(value: string, open: 'none' | 'end' | 'both'): string {
  const clean = value.toWellFormed().replaceAll('\0', ' ')
  return `${open === 'both' ? '*' : ''}${clean}${open === 'none' ? '' : '*'}`.replace(/\*{2,}/g, '*')
}

/** Deeper than this, lines begin no further to the right. */
const DEEPEST = 20

/**
 * JSON with a member or element a line, every other character as it came: digits keep their form, and what was cut off or is no JSON
 * does no harm.
 */
export function indented(json: string): string {
  let depth = 0
  let text = ''
  const line = () => `\n${'  '.repeat(Math.min(depth, DEEPEST))}`
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"?|[{[]\s*[}\]]|[{}[\],:]|[^\s"{}[\],:]+/gs)) {
    if (token === '{' || token === '[') {
      depth += 1
      text += token + line()
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1)
      text += line() + token
    } else if (token === ',') text += token + line()
    else if (token === ':') text += ': '
    else text += /^[{[]/.test(token) ? token.replace(/\s/g, '') : token
  }
  return text
}

import { RE2JS } from 're2js'
import { messageOf } from '#contract/errors.ts'
import { type Problem, problem } from './problem.ts'
import { tokenize } from './tokens.ts'

const MOST_CHARACTERS = 1_000
/** Maximum steps of the matcher per text, some 50 ms. A costlier expression sees only the beginning of a long text. */
const MOST_STEPS = 50_000_000
/** Maximum sum of all repetition counts: RE2 expands each one, and 100,000 would take a second and 100 MB. */
const MOST_REPEATED = 5_000
const MOST_LOOKED_AT = 1_048_576

export type Regex = { readonly found: (text: string) => boolean } | { readonly problem: string }

const kept = new Map<string, Regex>()

/** Compiles an RE2 expression (cached). Matching takes linear time, on a limited prefix of the text. @param flags of `i`, `m`, `s` */
export function compileRegex(pattern: string, flags: string): Regex {
  const key = `${flags}/${pattern}`
  const known = kept.get(key) ?? compile(pattern, flags)
  kept.delete(key)
  kept.set(key, known)
  const [oldest] = kept.keys()
  if (kept.size > 50 && oldest !== undefined) kept.delete(oldest)
  return known
}

function compile(pattern: string, flags: string): Regex {
  if (pattern.length > MOST_CHARACTERS) return { problem: `more than ${MOST_CHARACTERS} characters` }
  if (repeated(pattern) > MOST_REPEATED)
    return { problem: `repetitions that add up to more than ${MOST_REPEATED}` }
  try {
    const flag = (letter: string, bit: number): number => (flags.includes(letter) ? bit : 0)
    const bits = flag('i', RE2JS.CASE_INSENSITIVE) | flag('m', RE2JS.MULTILINE) | flag('s', RE2JS.DOTALL)
    // The filter language escapes slashes as `\/`.
    const regex = RE2JS.compile(pattern.replaceAll('\\/', '/'), bits)
    const most = Math.min(MOST_LOOKED_AT, Math.floor(MOST_STEPS / Math.max(1, regex.programSize())))
    return { found: (text) => regex.test(text.length > most ? text.slice(0, most) : text) }
  } catch (error) {
    const words = messageOf(error)
    return { problem: words.replace(/^error parsing regexp: /, '').slice(0, 100) }
  }
}

/** Sum of the counts between braces; an overestimate when braces are literal. */
const repeated = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  )

/** Separate from the parser, so that a window loads RE2 only when a user types an expression. */
export function regexProblem(text: string): Problem | null {
  const cut = tokenize(text)
  if (!cut.ok) return null
  for (const token of cut.tokens) {
    if (token.type !== 'regex') continue
    const compiled = compileRegex(token.pattern, token.flags)
    if ('problem' in compiled) return problem('bad-regex', token, { reason: compiled.problem })
  }
  return null
}

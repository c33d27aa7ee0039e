import { RE2JS } from 're2js'
import { messageOf } from '#contract/errors.ts'
import { type Problem, problem } from './problem.ts'
import { tokenize } from './tokens.ts'

const MOST_CHARACTERS = 1_000
/** Steps of the machine that one text may cost: some 50 ms. What costs more per character sees less of a long text. */
const MOST_STEPS = 50_000_000
/** What the bounds of all repetitions may add up to: each is written out in full, at a second and 100 MB for 100,000. */
const MOST_REPEATED = 5_000
const MOST_LOOKED_AT = 1_048_576

export type Regex = { readonly found: (text: string) => boolean } | { readonly problem: string }

const kept = new Map<string, Regex>()

/** In time proportional to the text, of which it reads no more than it can afford. @param flags of `i`, `m` and `s` */
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
    // A slash is escaped for the filter's sake only.
    const regex = RE2JS.compile(pattern.replaceAll('\\/', '/'), bits)
    const most = Math.min(MOST_LOOKED_AT, Math.floor(MOST_STEPS / Math.max(1, regex.programSize())))
    return { found: (text) => regex.test(text.length > most ? text.slice(0, most) : text) }
  } catch (error) {
    const words = messageOf(error)
    return { problem: words.replace(/^error parsing regexp: /, '').slice(0, 100) }
  }
}

/** What is bounded between braces; more than is meant where braces stand for themselves. */
const repeated = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  )

/** Apart from the parser, so that a window loads what compiles expressions only when one is typed. */
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

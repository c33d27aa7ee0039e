import { type Problem, problem } from './problem.ts'
import { compileRegex } from './regex.ts'
import { tokenize } from './tokens.ts'

/**
 * The first expression of a filter that cannot be used. Apart from the parser, so that a window need not load what compiles
 * expressions before one is typed.
 */
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

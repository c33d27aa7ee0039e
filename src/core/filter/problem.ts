export const PROBLEM_CODES = [
  'too-long',
  'too-many-conditions',
  'too-deep',
  'unclosed-quote',
  'unclosed-parenthesis',
  'unopened-parenthesis',
  'empty-parentheses',
  'missing-operand',
  'lone-minus',
  'unknown-field',
  'missing-value',
  'unknown-value',
  'bad-comparison',
  'nothing-to-find',
  'bad-amount',
  'bad-time',
  'reversed-range',
  'bad-path',
  'bad-regex',
  'missing-header',
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export interface Problem {
  readonly ok: false
  readonly code: ProblemCode
  readonly params: Readonly<Record<string, string | number>>
  /** 0-based column of the first wrong character, in UTF-16 code units. */
  readonly at: number
  readonly length: number
  readonly suggestions?: readonly string[]
}

export function problem(
  code: ProblemCode,
  span: { readonly start: number; readonly end: number },
  params: Problem['params'] = {},
  suggestions: readonly string[] = [],
): Problem {
  const base = { ok: false, code, params, at: span.start, length: span.end - span.start } as const
  return suggestions.length > 0 ? { ...base, suggestions } : base
}

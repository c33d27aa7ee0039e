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

/** Longer names are compared by this prefix only, so that suggestions stay cheap. */
const COMPARED = 40

function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}

/** Up to three suggestions, best first: names that start with the typed text, contain it, or differ from it in a third of its letters. */
export function nearest(typed: string, names: readonly string[]): string[] {
  const word = typed.toLowerCase().slice(0, COMPARED)
  if (word === '') return []
  const scored = names.map((name, order) => {
    const lower = name.toLowerCase()
    const score = lower.startsWith(word)
      ? 0
      : lower.includes(word)
        ? 1
        : 1 + distance(word, lower.slice(0, COMPARED))
    return { name, score, order }
  })
  return scored
    .filter(({ score }) => score <= 1 + Math.max(1, word.length / 3))
    .sort((a, b) => a.score - b.score || a.order - b.order)
    .slice(0, 3)
    .map(({ name }) => name)
}

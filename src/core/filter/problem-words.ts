import { filled, type Text, text } from '#catalog/text.ts'
import type { Problem } from './problem.ts'
import en from './problems-en.json' with { type: 'json' }
import es from './problems-es.json' with { type: 'json' }

/** Limits quoted input, so that a sentence stays readable whatever was pasted into the filter. */
const MOST_QUOTED = 60
/** Parameters with lists of the language itself, shown in full. */
const OURS: ReadonlySet<string> = new Set(['fields', 'values'])
const short = (value: string | number): string | number =>
  typeof value === 'number' || value.length <= MOST_QUOTED
    ? value
    : `${value.slice(0, MOST_QUOTED).toWellFormed()}…`

type Said = Pick<Problem, 'code' | 'params'>

/** Chooses between two sentences of one problem by its parameters. */
function keyOf({ code, params }: Said): keyof typeof en {
  if (code === 'missing-operand') return params.side === 'before' ? `${code}-before` : `${code}-after`
  return code === 'unknown-value' && params.nearest ? `${code}-near` : code
}

export function sentenceOf(problem: Said): Text {
  const params = Object.fromEntries(
    Object.entries(problem.params).map(([name, value]) => [name, OURS.has(name) ? value : short(value)]),
  )
  const key = keyOf(problem)
  return text(filled(en[key], params), filled(es[key], params))
}

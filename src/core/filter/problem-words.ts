import { filled, type Text, text } from '#catalog/text.ts'
import type { Problem } from './problem.ts'
import en from './problems-en.json' with { type: 'json' }
import es from './problems-es.json' with { type: 'json' }

/** A sentence must stay one, whatever was pasted into the filter. */
const MOST_QUOTED = 60
/** Lists of the language itself, which are shown whole. */
const OURS: ReadonlySet<string> = new Set(['fields', 'values'])
const short = (value: string | number): string | number =>
  typeof value === 'number' || value.length <= MOST_QUOTED
    ? value
    : `${value.slice(0, MOST_QUOTED).toWellFormed()}…`

type Said = Pick<Problem, 'code' | 'params'>

/** A problem with two sentences has the one that its parameters ask for. */
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

import { FIELDS, fieldNamed, type Moment, nearest } from './fields.ts'
import { type Problem, problem } from './problem.ts'
import { KEYWORDS, SEARCHABLE, type Token, tokenize } from './tokens.ts'
import { EVERYTHING, type Filter } from './tree.ts'

export const MOST_CHARACTERS = 10_000
/** Limits the cost of a query: each condition on text is a separate look-up. */
export const MOST_CONDITIONS = 200
/** Maximum nesting of parentheses and negations; limits the recursion of everything that walks a tree. */
export const MOST_DEPTH = 100

const PRESENT: Moment = { now: () => Date.now() }

export type Parsed = { readonly ok: true; readonly filter: Filter } | Problem

interface Level {
  /** The opening parenthesis; undefined for the outermost level. */
  readonly open: Token | undefined
  /** Alternatives, each a list of conditions that must all hold; the last one is being filled. */
  readonly any: Filter[][]
  /** Pending `-` and `not`, which negate the next condition. */
  nots: Token[]
  /** Pending `and` or `or`, which needs a right operand. */
  joint: Token | undefined
}

const level = (open?: Token): Level => ({ open, any: [[]], nots: [], joint: undefined })
const wrap = (all: readonly Filter[]): Filter => (all.length === 1 && all[0] ? all[0] : { type: 'and', all })
const close = ({ any }: Level): Filter =>
  any.length === 1 && any[0] ? wrap(any[0]) : { type: 'or', any: any.map(wrap) }

/**
 * Parses the filter language: adjacent conditions must all hold; `or` binds weaker, `-` and `not` stronger; parentheses group. Never
 * throws; takes linear time.
 * @param moment clock for `today` and relative times; default: the system's
 * @returns the tree (EVERYTHING for blank text), or the first problem with its position
 */
export function parseFilter(text: string, moment: Moment = PRESENT): Parsed {
  if (text.length > MOST_CHARACTERS)
    return problem(
      'too-long',
      { start: MOST_CHARACTERS, end: text.length },
      { length: text.length, most: MOST_CHARACTERS },
    )
  const cut = tokenize(text)
  if (!cut.ok) return cut

  let top = level()
  const levels = [top]
  let depth = 0
  let conditions = 0
  const add = (filter: Filter): void => {
    depth -= top.nots.length
    top.any.at(-1)?.push(top.nots.reduce<Filter>((inner) => ({ type: 'not', not: inner }), filter))
    top.nots = []
    top.joint = undefined
  }
  const lacks = (token: Token, side: 'before' | 'after'): Problem =>
    problem('missing-operand', token, { word: text.slice(token.start, token.end), side })

  for (const [index, token] of cut.tokens.entries()) {
    const keyword =
      token.type === 'word' ? KEYWORDS.find((word) => word === token.text.toLowerCase()) : undefined
    if (token.type === 'open' || token.type === 'minus' || keyword === 'not') {
      depth += 1
      if (depth > MOST_DEPTH) return problem('too-deep', token, { most: MOST_DEPTH })
      if (token.type !== 'open') {
        if (token.type === 'minus' && cut.tokens[index + 1]?.start !== token.end)
          return problem('lone-minus', token)
        top.nots.push(token)
        continue
      }
      top = level(token)
      levels.push(top)
    } else if (token.type === 'close' || keyword) {
      const waiting = top.nots.at(-1) ?? top.joint
      if (waiting) return lacks(waiting, 'after')
      const empty = top.any.at(-1)?.length === 0
      if (token.type !== 'close') {
        if (empty) return lacks(token, 'before')
        if (keyword === 'or') top.any.push([])
        top.joint = token
        continue
      }
      const { open } = top
      const outer = levels.at(-2)
      if (!open || !outer) return problem('unopened-parenthesis', token)
      if (empty) return problem('empty-parentheses', { start: open.start, end: token.end })
      const inner = close(top)
      levels.pop()
      top = outer
      depth -= 1
      add(inner)
    } else {
      conditions += 1
      if (conditions > MOST_CONDITIONS)
        return problem('too-many-conditions', token, { most: MOST_CONDITIONS })
      const read = condition(token, moment)
      if (!read.ok) return read
      add(read.filter)
    }
  }
  const waiting = top.nots.at(-1) ?? top.joint
  if (waiting) return lacks(waiting, 'after')
  if (top.open) return problem('unclosed-parenthesis', top.open)
  return { ok: true, filter: close(top) }
}

function condition(token: Token, moment: Moment): Parsed {
  if (token.type === 'word' && token.text === '*') return { ok: true, filter: EVERYTHING }
  if (token.type === 'word' || token.type === 'quoted') {
    const value = token.text.toWellFormed()
    if (!SEARCHABLE.test(value)) return problem('nothing-to-find', token, { value })
    return { ok: true, filter: { type: 'text', text: value, exact: token.type === 'quoted' && !token.open } }
  }
  if (token.type === 'regex') {
    const { pattern, flags } = token
    return { ok: true, filter: { type: 'regex', pattern: pattern.toWellFormed(), flags } }
  }
  if (token.type !== 'field') return { ok: true, filter: EVERYTHING }
  const field = fieldNamed(token.name)
  if (!field) {
    const name = { start: token.start, end: token.start + token.name.length }
    const names = FIELDS.map((known) => known.label())
    return problem(
      'unknown-field',
      name,
      { field: token.name, fields: names.join(', ') },
      nearest(token.name, names),
    )
  }
  const missing = token.values.find((value) => value.text === '')
  if (missing)
    return problem('missing-value', missing, { field: field.label(token.name), example: field.example })
  return field.parse(token.values, { name: token.name, moment, start: token.start })
}

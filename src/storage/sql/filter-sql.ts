import { SEARCHABLE } from '#core/filter/tokens.ts'
import { type Filter, type Having, type Is, isOpenedLeaf, mentions, type Range } from '#core/filter/tree.ts'
import { asciiLower, VERDICT_VALUES, type VerdictValue } from '#core/filter/values.ts'
import {
  COLUMNS,
  type DerivedMark,
  FAILED_ATTEMPT,
  hasAttempt,
  hasDrift,
  hasNote,
  hasTag,
  holdsOpened,
  type IdColumn,
  isDerivedMark,
  isImported,
  isPinned,
  lastAttempt,
  MARK_BITS,
  matchesText,
  OF_MISSED,
  verdictRank,
} from './columns.ts'
import { oneOf, raw, type Sql, sql } from './connection.ts'

/** An expression for WHERE over the names of columns.ts. It selects exactly the rows for which `matches` returns true. */
export interface CompiledFilter extends Sql {
  /** Whether it reads columns of `delivery d`; if not, a query over `analysis a` alone suffices, by `a.delivery_id`. */
  readonly readsDelivery: boolean
}

/**
 * Compiles a filter to SQL. It pushes `not` down to the single conditions, each of which handles NULL: `NOT (a.kind IN (…))`
 * would lose every delivery that is not analysed yet. A condition without `not` stays bare, so that indexes serve it.
 */
export function compileFilter(filter: Filter, id: IdColumn = 'd.id'): CompiledFilter {
  let readsDelivery = false
  const column: Context['column'] = (name) => {
    readsDelivery ||= COLUMNS[name].startsWith('d.')
    return COLUMNS[name]
  }
  const compiled = compile(filter, false, { id, column })
  return { ...compiled, readsDelivery }
}

interface Context {
  readonly id: IdColumn
  column(name: keyof typeof COLUMNS): string
}

const HAVING: Readonly<Record<Having, (id: IdColumn) => Sql>> = {
  attempt: (id) => hasAttempt(id),
  note: hasNote,
  tag: (id) => hasTag(id),
}

const truth = (value: boolean): Sql => (value ? sql`TRUE` : sql`FALSE`)
const unless = (negated: boolean, condition: Sql): Sql => (negated ? sql`NOT (${condition})` : condition)

function compile(filter: Filter, negated: boolean, to: Context): Sql {
  switch (filter.type) {
    case 'and':
      return joint(filter.all, 'all', negated, to)
    case 'or':
      return joint(filter.any, 'any', negated, to)
    case 'not':
      return compile(filter.not, !negated, to)
    case 'kind':
      return nullable(to.column('kind'), negated, among(COLUMNS.kind, filter.kinds))
    case 'group':
      return nullable(to.column('group'), negated, among(COLUMNS.group, filter.groups))
    case 'verdict':
      return verdict(filter.verdicts, negated, to)
    case 'doc': {
      const column = to.column('documentKey')
      if (filter.prefix === '') return raw(`${column} IS ${negated ? '' : 'NOT '}NULL`)
      return nullable(column, negated, startsWith(column, asciiLower(filter.prefix)))
    }
    case 'endpoint':
      return unless(negated, among(to.column('endpoint'), filter.names))
    case 'is':
      return facts(filter.facts, negated, to)
    case 'has': {
      const any = anyOf(filter.what, (having) => HAVING[having](to.id))
      return unless(negated, any)
    }
    case 'tag': {
      const named = anyOf(filter.patterns, (pattern) =>
        pattern.includes('*') ? isLike('tag', pattern) : sql`tag = ${pattern}`,
      )
      return unless(negated, hasTag(to.id, named))
    }
    case 'attempt':
      return unless(negated, attempted(filter, to))
    case 'text':
      return text('all', [filter], negated, to)
    case 'amount': {
      const column = to.column(filter.of)
      const ranges = filter.ranges.map((range) => within(column, range))
      if (!filter.none) return nullable(column, negated, balanced(ranges, 'OR'))
      return unless(negated, balanced([...ranges, raw(`${column} IS NULL`)], 'OR'))
    }
    case 'time': {
      const column = to.column(filter.of)
      const any = anyOf(filter.spans, (span) => within(column, span))
      return nullable(column, negated, any)
    }
    case 'word': {
      const column = to.column(filter.of)
      const any = anyOf(filter.patterns, (pattern) => isLike(column, pattern))
      return nullable(column, negated, any)
    }
    case 'header':
    case 'json':
    case 'regex':
    case 'body':
    case 'finding':
      return unless(negated, holdsOpened(to.id, JSON.stringify(filter)))
  }
}

/** Compiles the parts of an `and` or `or`; text conditions become one look-up. Under `not`, all becomes any (De Morgan). */
function joint(members: readonly Filter[], join: 'all' | 'any', negated: boolean, to: Context): Sql {
  const phrases: Phrase[] = []
  const parts: Sql[] = []
  const opening: Filter[] = []
  for (const member of members)
    if (member.type === 'text' && SEARCHABLE.test(member.text)) phrases.push(member)
    else if (mentions(member, isOpenedLeaf)) opening.push(member)
    else parts.push(compile(member, negated, to))
  if (phrases.length > 0) parts.push(text(join, phrases, negated, to))
  // Last, because SQLite evaluates in this order: a delivery that fails an earlier condition need not be opened.
  for (const member of opening) parts.push(compile(member, negated, to))
  return balanced(parts, (join === 'all') !== negated ? 'AND' : 'OR')
}

/** Joins parts into a balanced tree, because SQLite refuses expressions more than 1000 deep. */
function balanced(parts: readonly Sql[], operator: 'AND' | 'OR'): Sql {
  const [first = truth(operator === 'AND'), second] = parts
  if (second === undefined) return first
  const middle = Math.ceil(parts.length / 2)
  return sql`(${balanced(parts.slice(0, middle), operator)} ${raw(operator)} ${balanced(parts.slice(middle), operator)})`
}

const anyOf = <T>(list: readonly T[], compiled: (one: T) => Sql): Sql => balanced(list.map(compiled), 'OR')

const among = (column: string, values: readonly (string | number)[]): Sql =>
  values.length > 0 ? sql`${raw(column)} IN ${oneOf(values)}` : truth(false)

const nullable = (column: string, negated: boolean, condition: Sql): Sql =>
  negated ? sql`(${raw(column)} IS NULL OR NOT (${condition}))` : condition

/** True for values in a range; NULL for NULL, unless the range is open at both ends. */
export function within(column: string, { from, to }: Range): Sql {
  const name = raw(column)
  return balanced(
    [...(from === null ? [] : [sql`${name} >= ${from}`]), ...(to === null ? [] : [sql`${name} <= ${to}`])],
    'AND',
  )
}

function verdict(wanted: readonly VerdictValue[], negated: boolean, to: Context): Sql {
  const values = VERDICT_VALUES.filter((value) => wanted.includes(value) !== negated)
  const column = to.column('verdict')
  const ranks = values.flatMap((value) => (value === 'unjudged' ? [] : [verdictRank(value)]))
  const parts = ranks.length > 0 ? [among(column, ranks)] : []
  if (values.includes('unjudged')) parts.push(raw(`${column} IS NULL`))
  return balanced(parts, 'OR')
}

function attempted({ outcomes, statuses, targets }: Extract<Filter, { type: 'attempt' }>, { id }: Context) {
  const last = [
    ...(outcomes.includes('failed') ? [FAILED_ATTEMPT] : []),
    ...(outcomes.includes('ok') ? [raw('ok = 1')] : []),
    ...statuses.map((range) => sql`(status IS NOT NULL AND ${within('status', range)})`),
  ]
  const to = anyOf(targets, (pattern) => isLike('target', pattern))
  return balanced(
    [
      ...(outcomes.includes('none') ? [sql`NOT ${hasAttempt(id)}`] : []),
      ...(last.length > 0 ? [lastAttempt(id, balanced(last, 'OR'))] : []),
      ...(targets.length > 0 ? [hasAttempt(id, to)] : []),
    ],
    'OR',
  )
}

const FACTS: Readonly<Record<Exclude<Is, DerivedMark>, (negated: boolean, to: Context) => Sql>> = {
  pinned: (negated, { id }) => unless(negated, isPinned(id)),
  drift: (negated, { id }) => unless(negated, hasDrift(id)),
  imported: (negated, { id }) => unless(negated, isImported(id)),
  replayed: (negated, { id }) => unless(negated, hasAttempt(id)),
  missed: (negated) => unless(negated, OF_MISSED),
  synthetic: (negated, { column }) => raw(`${column('synthetic')} = ${negated ? 0 : 1}`),
  rejected: (negated, { column }) => raw(`${column('rejected')} = ${negated ? 0 : 1}`),
  malformed: (negated, { column }) => raw(`${column('malformed')} IS ${negated ? '' : 'NOT '}NULL`),
}

function facts(wanted: readonly Is[], negated: boolean, to: Context): Sql {
  const bits = wanted.reduce((sum, fact) => sum | (isDerivedMark(fact) ? MARK_BITS[fact] : 0), 0)
  const marked = () => nullable(to.column('marks'), negated, sql`(${raw(COLUMNS.marks)} & ${bits}) <> 0`)
  const parts = bits > 0 ? [marked()] : []
  for (const fact of new Set(wanted)) if (!isDerivedMark(fact)) parts.push(FACTS[fact](negated, to))
  return balanced(parts, negated ? 'AND' : 'OR')
}

/** A phrase without a letter or digit matches every delivery. */
function text(join: 'all' | 'any', phrases: readonly Phrase[], negated: boolean, { id }: Context): Sql {
  if (!phrases.every((phrase) => SEARCHABLE.test(phrase.text))) return truth(!negated)
  return unless(negated, matchesText(id, searchFor(join, phrases)))
}

interface Phrase {
  readonly text: string
  /** False: the last word is a prefix. */
  readonly exact: boolean
}

/** The FTS5 expression for texts that contain all (or any) of the phrases. */
export const searchFor = (join: 'all' | 'any', phrases: readonly Phrase[]): string =>
  phrases.map(fts5).join(join === 'all' ? ' AND ' : ' OR ')

/** Quotes a phrase, so that nothing in it is FTS5 syntax. FTS5 would stop at a NUL, which the tokenizer takes for a separator anyway. */
const fts5 = ({ text, exact }: Phrase): string =>
  `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${exact ? '' : ' *'}`

/** The FTS5 expression of a filter with text conditions only; undefined for any other filter. */
export function onlyText(filter: Filter): string | undefined {
  const phrases = filter.type === 'and' ? filter.all : filter.type === 'or' ? filter.any : [filter]
  const asked = phrases.filter((one) => one.type === 'text' && SEARCHABLE.test(one.text)) as Phrase[]
  return asked.length === 0 || asked.length < phrases.length
    ? undefined
    : searchFor(filter.type === 'or' ? 'any' : 'all', asked)
}

/** True for texts that begin with `prefix`, compared byte by byte; NULL for NULL. `prefix` must not be empty. */
export function startsWith(column: string, prefix: string): Sql {
  const from = sql`${raw(column)} >= ${prefix}`
  const end = after(prefix)
  return end === undefined ? from : sql`(${from} AND ${raw(column)} < ${end})`
}

/** True for texts that match the pattern: `*` stands for any text, and A-Z equal a-z; NULL for NULL. */
export const isLike = (column: string, pattern: string): Sql =>
  sql`${raw(column)} LIKE ${pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')} ESCAPE '\\'`

/** The least text above every text with that prefix, in code point order; undefined for a prefix of U+10FFFF only. */
function after(prefix: string): string | undefined {
  const points = Array.from(prefix.toWellFormed(), (char) => char.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  // U+D800 to U+DFFF are surrogates, which UTF-8 cannot store.
  return last === undefined ? undefined : String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

import { asciiLower } from '#core/filter/glob.ts'
import { SEARCHABLE } from '#core/filter/tokens.ts'
import { type Filter, type Having, type Is, isOpenedLeaf, mentions, type Range } from '#core/filter/tree.ts'
import { VERDICT_VALUES, type VerdictValue } from '#core/filter/values.ts'
import {
  COLUMNS,
  hasAttempt,
  hasDrift,
  hasNote,
  hasTag,
  holdsOpened,
  type IdColumn,
  isDerivedMark,
  isPinned,
  MARK_BITS,
  matchesText,
  OF_MISSED,
  verdictRank,
} from './columns.ts'

export interface CompiledFilter {
  /** An expression for WHERE over the names of columns.ts. Under WHERE it selects exactly the rows that `matches` says yes to. */
  readonly sql: string
  readonly params: readonly (string | number)[]
  /** It reads columns of `delivery d`; without them `analysis a` alone can be asked, by `a.delivery_id`. */
  readonly readsDelivery: boolean
}

/**
 * Compiles a filter to SQL. Values are bound, never written into the text.
 *
 * `not` is pushed down to the single conditions, which say themselves what NULL means: `NOT (a.kind IN (…))` would be NULL, and so lose
 * every delivery that is not analysed yet. Without a `not` above it a condition stays bare, so that indexes serve it.
 */
export function compileFilter(filter: Filter, id: IdColumn = 'd.id'): CompiledFilter {
  const params: (string | number)[] = []
  let readsDelivery = false
  const bind: Bind = (value) => {
    params.push(value)
    return '?'
  }
  const column: Context['column'] = (name) => {
    readsDelivery ||= COLUMNS[name].startsWith('d.')
    return COLUMNS[name]
  }
  return { sql: compile(filter, false, { id, bind, column }), params, readsDelivery }
}

/** Keeps a value and gives the placeholder that stands for it. Values must be bound in the order in which they appear in the text. */
export type Bind = (value: string | number) => string

interface Context {
  readonly id: IdColumn
  readonly bind: Bind
  column(name: keyof typeof COLUMNS): string
}

const HAVING: Readonly<Record<Having, (id: IdColumn) => string>> = {
  attempt: hasAttempt,
  note: hasNote,
  tag: hasTag,
}

const truth = (value: boolean): string => (value ? 'TRUE' : 'FALSE')

function compile(filter: Filter, negated: boolean, to: Context): string {
  switch (filter.type) {
    case 'and':
      return joint(filter.all, 'all', negated, to)
    case 'or':
      return joint(filter.any, 'any', negated, to)
    case 'not':
      return compile(filter.not, !negated, to)
    case 'kind':
      return nullable(to.column('kind'), negated, oneOf(COLUMNS.kind, filter.kinds, to))
    case 'group':
      return nullable(to.column('group'), negated, oneOf(COLUMNS.group, filter.groups, to))
    case 'verdict':
      return verdict(
        VERDICT_VALUES.filter((value) => filter.verdicts.includes(value) !== negated),
        to,
      )
    case 'doc': {
      const column = to.column('documentKey')
      if (filter.prefix === '') return `${column} IS ${negated ? '' : 'NOT '}NULL`
      return nullable(column, negated, startsWith(column, asciiLower(filter.prefix), to.bind))
    }
    case 'endpoint': {
      const sql = oneOf(to.column('endpoint'), filter.names, to)
      return negated ? `NOT ${sql}` : sql
    }
    case 'is':
      return facts(filter.facts, negated, to)
    case 'has': {
      const sql = balanced(
        filter.what.map((having) => HAVING[having](to.id)),
        'OR',
      )
      return negated ? `NOT (${sql})` : sql
    }
    case 'tag': {
      const named = filter.patterns.map((pattern) =>
        pattern.includes('*') ? isLike('tag', pattern, to.bind) : `tag = ${to.bind(pattern)}`,
      )
      const sql = hasTag(to.id, balanced(named, 'OR'))
      return negated ? `NOT (${sql})` : sql
    }
    case 'text':
      return text('all', [filter], negated, to)
    case 'amount': {
      const column = to.column(filter.of)
      const parts = filter.ranges.map((range) => within(column, range, to))
      if (filter.none) parts.push(`${column} IS NULL`)
      const sql = balanced(parts, 'OR')
      return filter.none && negated ? `NOT (${sql})` : nullable(column, negated, sql)
    }
    case 'time': {
      const column = to.column(filter.of)
      const sql = balanced(
        filter.spans.map((range) => within(column, range, to)),
        'OR',
      )
      return nullable(column, negated, sql)
    }
    case 'word': {
      const column = to.column(filter.of)
      const parts = filter.patterns.map((pattern) => isLike(column, pattern, to.bind))
      return nullable(column, negated, balanced(parts, 'OR'))
    }
    case 'header':
    case 'json':
    case 'regex':
    case 'body':
    case 'finding': {
      to.bind(JSON.stringify(filter))
      const sql = holdsOpened(to.id)
      return negated ? `NOT ${sql}` : sql
    }
  }
}

/** Members of a joint; those that ask for text become one look-up. Under `not` all turns into any (De Morgan). */
function joint(members: readonly Filter[], join: 'all' | 'any', negated: boolean, to: Context): string {
  const phrases: Phrase[] = []
  const parts: string[] = []
  const opening: Filter[] = []
  for (const member of members)
    if (member.type === 'text' && SEARCHABLE.test(member.text)) phrases.push(member)
    else if (mentions(member, isOpenedLeaf)) opening.push(member)
    else parts.push(compile(member, negated, to))
  if (phrases.length > 0) parts.push(text(join, phrases, negated, to))
  // Last, because SQLite asks in this order: a delivery that fails before need not be opened.
  for (const member of opening) parts.push(compile(member, negated, to))
  return balanced(parts, (join === 'all') !== negated ? 'AND' : 'OR')
}

/** A tree of its logarithm's depth: SQLite refuses expressions more than 1000 deep. */
function balanced(parts: readonly string[], operator: 'AND' | 'OR'): string {
  const [first = truth(operator === 'AND'), second] = parts
  if (second === undefined) return first
  const middle = Math.ceil(parts.length / 2)
  return `(${balanced(parts.slice(0, middle), operator)} ${operator} ${balanced(parts.slice(middle), operator)})`
}

const oneOf = (column: string, values: readonly (string | number)[], { bind }: Context): string =>
  values.length > 0 ? `${column} IN (${values.map(bind).join(', ')})` : truth(false)

const nullable = (column: string, negated: boolean, sql: string): string =>
  negated ? `(${column} IS NULL OR NOT (${sql}))` : sql

function within(column: string, { from, to }: Range, { bind }: Context): string {
  const parts: string[] = []
  if (from !== null) parts.push(`${column} >= ${bind(from)}`)
  if (to !== null) parts.push(`${column} <= ${bind(to)}`)
  return balanced(parts, 'AND')
}

function verdict(values: readonly VerdictValue[], to: Context): string {
  const column = to.column('verdict')
  const ranks = values.flatMap((value) => (value === 'unjudged' ? [] : [verdictRank(value)]))
  const parts = ranks.length > 0 ? [oneOf(column, ranks, to)] : []
  if (values.includes('unjudged')) parts.push(`${column} IS NULL`)
  return balanced(parts, 'OR')
}

function facts(wanted: readonly Is[], negated: boolean, { id, bind, column }: Context): string {
  const parts: string[] = []
  const add = (sql: string) => parts.push(negated ? `NOT (${sql})` : sql)
  const bits = wanted.reduce((sum, fact) => sum | (isDerivedMark(fact) ? MARK_BITS[fact] : 0), 0)
  if (bits > 0) parts.push(nullable(column('marks'), negated, `(${COLUMNS.marks} & ${bind(bits)}) <> 0`))
  for (const fact of new Set(wanted))
    switch (fact) {
      case 'duplicate':
      case 'late':
      case 'out-of-order':
      case 'replay':
        break
      case 'pinned':
        add(isPinned(id))
        break
      case 'drift':
        add(hasDrift(id))
        break
      case 'replayed':
        add(hasAttempt(id))
        break
      case 'missed':
        add(OF_MISSED)
        break
      case 'synthetic':
      case 'rejected':
        parts.push(`${column(fact)} = ${negated ? 0 : 1}`)
        break
      case 'malformed':
        parts.push(`${column(fact)} IS ${negated ? '' : 'NOT '}NULL`)
        break
      default:
        fact satisfies never
    }
  return balanced(parts, negated ? 'AND' : 'OR')
}

/** Text without a letter or digit asks for nothing, so everything has it. */
function text(
  join: 'all' | 'any',
  phrases: readonly Phrase[],
  negated: boolean,
  { id, bind }: Context,
): string {
  if (!phrases.every((phrase) => SEARCHABLE.test(phrase.text))) return truth(!negated)
  bind(searchFor(join, phrases))
  return negated ? `NOT (${matchesText(id)})` : matchesText(id)
}

interface Phrase {
  readonly text: string
  /** False: the last word may go on. */
  readonly exact: boolean
}

/** The FTS5 expression for texts in which all (or any) of the phrases occur. */
export const searchFor = (join: 'all' | 'any', phrases: readonly Phrase[]): string =>
  phrases.map(fts5).join(join === 'all' ? ' AND ' : ' OR ')

/** One FTS5 string: nothing in it is syntax. It is read as C text, so a NUL would end it; for the tokenizer it is a separator anyway. */
const fts5 = ({ text, exact }: Phrase): string =>
  `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"${exact ? '' : ' *'}`

/** The FTS5 expression of a filter that asks for nothing but indexed text; undefined for every other. */
export function onlyText(filter: Filter): string | undefined {
  const phrases = filter.type === 'and' ? filter.all : filter.type === 'or' ? filter.any : [filter]
  const asked = phrases.filter((one) => one.type === 'text' && SEARCHABLE.test(one.text)) as Phrase[]
  return asked.length === 0 || asked.length < phrases.length
    ? undefined
    : searchFor(filter.type === 'or' ? 'any' : 'all', asked)
}

/** Holds for texts, compared byte by byte, that begin with `prefix`; NULL for NULL. `prefix` is not empty. */
export function startsWith(column: string, prefix: string, bind: Bind): string {
  const from = `${column} >= ${bind(prefix)}`
  const end = after(prefix)
  return end === undefined ? from : `(${from} AND ${column} < ${bind(end)})`
}

/** Holds for texts like the pattern, `*` standing for any text and A-Z being a-z; NULL for NULL. */
export const isLike = (column: string, pattern: string, bind: Bind): string =>
  `${column} LIKE ${bind(pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%'))} ESCAPE '\\'`

/**
 * The least text that is greater than every text with that beginning, in code point order, which is what BINARY compares.
 * @returns undefined when there is none (a prefix of nothing but U+10FFFF)
 */
function after(prefix: string): string | undefined {
  const points = Array.from(prefix.toWellFormed(), (char) => char.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  // U+D800 to U+DFFF are no characters and would be stored as something else.
  return last === undefined ? undefined : String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

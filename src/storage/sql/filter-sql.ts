import { asciiLower } from '#core/filter/glob.ts'
import { SEARCHABLE } from '#core/filter/tokens.ts'
import { type Filter, type Having, type Is, isOpenedLeaf, mentions, type Range } from '#core/filter/tree.ts'
import { VERDICT_VALUES, type VerdictValue } from '#core/filter/values.ts'
import {
  COLUMNS,
  HAS_ATTEMPT,
  HAS_DRIFT,
  HAS_NOTE,
  HAS_TAG,
  hasTag,
  IS_PINNED,
  isDerivedMark,
  MARK_BITS,
  OF_MISSED,
  verdictRank,
} from './columns.ts'
import { type Bind, type Dialect, type Phrase, SQLITE } from './dialect.ts'

export interface CompiledFilter {
  /** An expression for WHERE over the names of columns.ts. Under WHERE it selects exactly the rows that `matches` says yes to. */
  readonly sql: string
  readonly params: readonly (string | number)[]
}

/**
 * Compiles a filter to SQL. Values are bound, never written into the text.
 *
 * `not` is pushed down to the single conditions, which say themselves what NULL means: `NOT (a.kind IN (…))` would be NULL, and so lose
 * every delivery that is not analysed yet. Without a `not` above it a condition stays bare, so that indexes serve it.
 */
export function compileFilter(filter: Filter, dialect: Dialect = SQLITE): CompiledFilter {
  const params: (string | number)[] = []
  const bind: Bind = (value) => dialect.placeholder(params.push(value))
  return { sql: compile(filter, false, { dialect, bind }), params }
}

interface Context {
  readonly dialect: Dialect
  readonly bind: Bind
}

const HAVING = { attempt: HAS_ATTEMPT, note: HAS_NOTE, tag: HAS_TAG } as const satisfies Record<
  Having,
  string
>

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
      return nullable(COLUMNS.kind, negated, oneOf(COLUMNS.kind, filter.kinds, to))
    case 'group':
      return nullable(COLUMNS.group, negated, oneOf(COLUMNS.group, filter.groups, to))
    case 'verdict':
      return verdict(
        VERDICT_VALUES.filter((value) => filter.verdicts.includes(value) !== negated),
        to,
      )
    case 'doc': {
      const column = COLUMNS.documentKey
      if (filter.prefix === '') return `${column} IS ${negated ? '' : 'NOT '}NULL`
      return nullable(column, negated, to.dialect.startsWith(column, asciiLower(filter.prefix), to.bind))
    }
    case 'endpoint': {
      const sql = oneOf(COLUMNS.endpoint, filter.names, to)
      return negated ? `NOT ${sql}` : sql
    }
    case 'is':
      return facts(filter.facts, negated, to)
    case 'has': {
      const sql = balanced(
        filter.what.map((having) => HAVING[having]),
        'OR',
      )
      return negated ? `NOT (${sql})` : sql
    }
    case 'tag': {
      const named = filter.patterns.map((pattern) =>
        pattern.includes('*') ? to.dialect.isLike('tag', pattern, to.bind) : `tag = ${to.bind(pattern)}`,
      )
      const sql = hasTag(balanced(named, 'OR'))
      return negated ? `NOT (${sql})` : sql
    }
    case 'text':
      return text('all', [filter], negated, to)
    case 'amount': {
      const column = COLUMNS[filter.of]
      const parts = filter.ranges.map((range) => within(column, range, to))
      if (filter.none) parts.push(`${column} IS NULL`)
      const sql = balanced(parts, 'OR')
      return filter.none && negated ? `NOT (${sql})` : nullable(column, negated, sql)
    }
    case 'time': {
      const column = COLUMNS[filter.of]
      const sql = balanced(
        filter.spans.map((range) => within(column, range, to)),
        'OR',
      )
      return nullable(column, negated, sql)
    }
    case 'word': {
      const column = COLUMNS[filter.of]
      const parts = filter.patterns.map((pattern) => to.dialect.isLike(column, pattern, to.bind))
      return nullable(column, negated, balanced(parts, 'OR'))
    }
    default: {
      const sql = to.dialect.holds(filter, to.bind)
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
  const ranks = values.flatMap((value) => (value === 'unjudged' ? [] : [verdictRank(value)]))
  const parts = ranks.length > 0 ? [oneOf(COLUMNS.verdict, ranks, to)] : []
  if (values.includes('unjudged')) parts.push(`${COLUMNS.verdict} IS NULL`)
  return balanced(parts, 'OR')
}

function facts(wanted: readonly Is[], negated: boolean, { bind }: Context): string {
  const parts: string[] = []
  const bits = wanted.reduce((sum, fact) => sum | (isDerivedMark(fact) ? MARK_BITS[fact] : 0), 0)
  if (bits > 0) parts.push(nullable(COLUMNS.marks, negated, `(${COLUMNS.marks} & ${bind(bits)}) <> 0`))
  if (wanted.includes('pinned')) parts.push(negated ? `NOT (${IS_PINNED})` : IS_PINNED)
  if (wanted.includes('drift')) parts.push(negated ? `NOT (${HAS_DRIFT})` : HAS_DRIFT)
  if (wanted.includes('replayed')) parts.push(negated ? `NOT (${HAS_ATTEMPT})` : HAS_ATTEMPT)
  if (wanted.includes('missed')) parts.push(negated ? `NOT ${OF_MISSED}` : OF_MISSED)
  if (wanted.includes('synthetic')) parts.push(`${COLUMNS.synthetic} = ${negated ? 0 : 1}`)
  if (wanted.includes('rejected')) parts.push(`${COLUMNS.rejected} = ${negated ? 0 : 1}`)
  if (wanted.includes('malformed')) parts.push(`${COLUMNS.malformed} IS ${negated ? '' : 'NOT '}NULL`)
  return balanced(parts, negated ? 'AND' : 'OR')
}

/** Text without a letter or digit asks for nothing, so everything has it. */
function text(
  join: 'all' | 'any',
  phrases: readonly Phrase[],
  negated: boolean,
  { dialect, bind }: Context,
): string {
  if (!phrases.every((phrase) => SEARCHABLE.test(phrase.text))) return truth(!negated)
  const sql = dialect.findsText(join, phrases, bind)
  return negated ? `NOT (${sql})` : sql
}

import type { CountedField, FilterCounts } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import { FACTS, HAVINGS } from '#core/filter/tree.ts'
import { COLUMNS } from '../sql/columns.ts'
import type { Statements } from '../sql/connection.ts'
import { type CompiledFilter, compileFilter } from '../sql/filter-sql.ts'
import { bounds, fromMembers, NO_END } from './members.ts'
import type { SetPlan, Source } from './plan.ts'

/** Ids among which values are counted: some tens of milliseconds at most. */
const NEWEST = 100_000
/** The same where each of them is asked a dozen questions. */
const NEWEST_ASKED = 10_000
/** A menu holds no more. */
const MOST_VALUES = 60

/**
 * How often each value of a field occurs among the newest deliveries of a set. Call it in a snapshot.
 * @param among the members to count where no index tells them; null: the selection does
 */
export function valueCounts(
  statements: Statements,
  { rows: source }: SetPlan,
  field: CountedField,
  among: readonly number[] | null,
): FilterCounts {
  if (field === 'tag') return tagCounts(statements, source, among)
  const asked = field === 'is' || field === 'has'
  const ends = statements.get('SELECT min(id) AS low, max(id) AS high FROM delivery').get()
  const after = Number(ends?.high ?? 0) - (asked ? NEWEST_ASKED : NEWEST)
  const scope: Scope = among
    ? { sql: `FROM delivery d LEFT JOIN analysis a ON a.delivery_id = d.id WHERE ${AMONG}`, ...listed(among) }
    : { sql: fromMembers(source), named: bounds(after + 1, NO_END), params: source.params }
  const exact = !among && Number(ends?.low ?? 0) > after
  if (field === 'is' || field === 'has') return { counts: answerCounts(statements, scope, field), exact }
  const rows = statements
    .get(
      `SELECT ${COLUMNS[field]} AS value, count(*) AS n ${scope.sql} GROUP BY 1 ORDER BY n DESC LIMIT ${MOST_VALUES}`,
    )
    .all(scope.named, ...scope.params)
  const counts = rows.map(({ value, n }) => ({ value: textOf(field, value), count: Number(n) }))
  return { counts, exact }
}

/** What is counted among. */
interface Scope {
  readonly sql: string
  readonly named: Readonly<Record<string, bigint>>
  readonly params: readonly (string | number)[]
}

const AMONG = 'd.id IN (SELECT value FROM json_each(?))'
const listed = (ids: readonly number[]) => ({ named: {}, params: [JSON.stringify(ids)] })

/** How many of a set each condition of the field holds for; a delivery may meet several of them, or none. */
function answerCounts(
  statements: Statements,
  { sql, named, params }: Scope,
  field: 'is' | 'has',
): FilterCounts['counts'] {
  const questions: readonly (readonly [value: string, sql: CompiledFilter])[] =
    field === 'is'
      ? FACTS.map((fact) => [fact, compileFilter({ type: 'is', facts: [fact] })])
      : HAVINGS.map((what) => [what, compileFilter({ type: 'has', what: [what] })])
  const columns = questions.map(([, one], place) => `count(*) FILTER (WHERE ${one.sql}) AS n${place}`)
  const row = statements
    .get(`SELECT ${columns.join(', ')} ${sql}`)
    .get(named, ...questions.flatMap(([, one]) => one.params), ...params)
  return questions
    .map(([value], place) => ({ value, count: Number(row?.[`n${place}`] ?? 0) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
}

/** A person gave every tag: tagged deliveries are few enough to be asked one by one. */
function tagCounts(
  statements: Statements,
  { where, params }: Source,
  among: readonly number[] | null,
): FilterCounts {
  const scope: Scope = among
    ? { sql: AMONG, ...listed(among) }
    : { sql: `d.id BETWEEN :low AND :high AND (${where})`, named: bounds(0, NO_END), params }
  const rows = statements
    .get(
      `SELECT t.tag AS value, count(*) AS n FROM tag t CROSS JOIN delivery d ON d.id = t.delivery_id
       LEFT JOIN analysis a ON a.delivery_id = d.id WHERE ${scope.sql} GROUP BY 1 ORDER BY n DESC LIMIT ${MOST_VALUES}`,
    )
    .all(scope.named, ...scope.params)
  return { counts: rows.map(({ value, n }) => ({ value: String(value), count: Number(n) })), exact: !among }
}

function textOf(field: CountedField, value: unknown): string {
  if (field === 'verdict') return (typeof value === 'number' ? VERDICTS[value] : undefined) ?? 'unjudged'
  return value === null ? 'none' : String(value)
}

import type { CountedField, FilterCounts } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import { FACTS, HAVINGS } from '#core/filter/tree.ts'
import { COLUMNS } from '../sql/columns.ts'
import { joined, raw, type Sql, type Statements, sql } from '../sql/connection.ts'
import { compileFilter } from '../sql/filter-sql.ts'
import { fromMembers, NO_END } from './members.ts'
import type { SetPlan, Source } from './plan.ts'

/** Newest ids among which values are counted, in some tens of milliseconds at most. */
const NEWEST = 100_000
/** The same for fields that test a dozen conditions per delivery. */
const NEWEST_ASKED = 10_000
/** Limit of values in a menu. */
const MOST_VALUES = 60

/** Counts the values of a field among the newest members. Call it in a read transaction. @param among members, when no index finds them */
export function valueCounts(
  statements: Statements,
  { rows: source }: SetPlan,
  field: CountedField,
  among: readonly number[] | null,
): FilterCounts {
  if (field === 'tag') return tagCounts(statements, source, among)
  const asked = field === 'is' || field === 'has'
  const ends = statements.one`SELECT min(id) AS low, max(id) AS high FROM delivery`
  const after = Number(ends?.high ?? 0) - (asked ? NEWEST_ASKED : NEWEST)
  const scope = among
    ? sql`FROM delivery d LEFT JOIN analysis a ON a.delivery_id = d.id WHERE ${isAmong(among)}`
    : fromMembers(source, after + 1, NO_END)
  const exact = !among && Number(ends?.low ?? 0) > after
  if (field === 'is' || field === 'has') return { counts: answerCounts(statements, scope, field), exact }
  const rows = statements.all`SELECT ${raw(COLUMNS[field])} AS value, count(*) AS n ${scope}
    GROUP BY 1 ORDER BY n DESC LIMIT ${MOST_VALUES}`
  const counts = rows.map(({ value, n }) => ({ value: textOf(field, value), count: Number(n) }))
  return { counts, exact }
}

const isAmong = (ids: readonly number[]): Sql =>
  sql`d.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`

/** Counts the members that meet each condition of the field; a member may meet several, or none. */
function answerCounts(statements: Statements, scope: Sql, field: 'is' | 'has'): FilterCounts['counts'] {
  const questions =
    field === 'is'
      ? FACTS.map((fact) => [fact, compileFilter({ type: 'is', facts: [fact] })] as const)
      : HAVINGS.map((what) => [what, compileFilter({ type: 'has', what: [what] })] as const)
  const columns = questions.map(([value, one]) => sql`count(*) FILTER (WHERE ${one}) AS "${raw(value)}"`)
  const row = statements.one`SELECT ${joined(columns, ', ')} ${scope}`
  return questions
    .map(([value]) => ({ value, count: Number(row?.[value] ?? 0) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
}

/** The user gave every tag, so tagged deliveries are few enough to read each one. */
function tagCounts(statements: Statements, source: Source, among: readonly number[] | null): FilterCounts {
  const tagged =
    'tag t CROSS JOIN delivery d ON d.id = t.delivery_id LEFT JOIN analysis a ON a.delivery_id = d.id'
  const scope = among
    ? sql`FROM ${raw(tagged)} WHERE ${isAmong(among)}`
    : fromMembers({ ...source, from: tagged, id: 'd.id' }, 0, NO_END)
  const rows = statements.all`SELECT t.tag AS value, count(*) AS n ${scope}
    GROUP BY 1 ORDER BY n DESC LIMIT ${MOST_VALUES}`
  return { counts: rows.map(({ value, n }) => ({ value: String(value), count: Number(n) })), exact: !among }
}

function textOf(field: CountedField, value: unknown): string {
  if (field === 'verdict') return (typeof value === 'number' ? VERDICTS[value] : undefined) ?? 'unjudged'
  return value === null ? 'none' : String(value)
}

import type { CoverageSpan } from '#contract/status.ts'
import type { TimelineMark } from '#contract/timeline.ts'
import { COVERAGE_STATES } from '#contract/values.ts'
import { numberOrNull, type Sql, type SqlRow, type Statements, sql } from '../sql/connection.ts'

/** Limit of marks of each type; the newest are taken. */
const MOST = 200
/** Limit of attempts by hand to read; repeated ones become one mark. */
const MOST_ATTEMPTS = 5_000

const activity = (row: SqlRow) => ({
  id: Number(row.id),
  at: Number(row.at),
  to: numberOrNull(row.upto),
  label: String(row.label ?? ''),
})

/** Queries for id, at, upto and label of activities between two instants, newest first. Parameters: end, end, beginning. */
const SOURCES: readonly { readonly sql: string; mark(row: SqlRow): TimelineMark }[] = [
  {
    mark: (row) => ({ type: 'replay', ...activity(row) }),
    sql: `SELECT lane AS id, created_at AS at, ended_at AS upto, options ->> '$.to.target' AS label FROM replays.job
          WHERE created_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY lane DESC LIMIT ${MOST}`,
  },
  {
    mark: (row) => ({
      type: 'attempt',
      ...activity(row),
      delivery: Number(row.delivery),
      times: Number(row.times),
    }),
    // INDEXED BY fails rather than scan a million attempts; a file that lacks the index shows no such marks.
    sql: `SELECT max(id) AS id, min(started_at) / 1000 AS at, max(started_at) / 1000 AS upto, target AS label,
          delivery_id AS delivery, count(*) AS times
          FROM (SELECT id, started_at, target, delivery_id FROM replays.attempt INDEXED BY attempt_by_hand
                WHERE job IS NULL AND forward IS NULL AND started_at < ? * 1000 AND started_at <= ? * 1000
                AND started_at >= ? * 1000 ORDER BY started_at DESC LIMIT ${MOST_ATTEMPTS})
          GROUP BY delivery_id, target, started_at / 60000000 ORDER BY at DESC LIMIT ${MOST}`,
  },
  {
    mark: (row) => ({ type: 'sweep', ...activity(row) }),
    sql: `SELECT id, started_at AS at, ended_at AS upto, connection AS label FROM sweeps.sweep
          WHERE started_at < ? AND coalesce(ended_at, ?) >= ? ORDER BY id DESC LIMIT ${MOST}`,
  },
]

/** When replays and sweeps ran (milliseconds). Reads the attached databases, since a request to their threads would start those. */
export function activitiesBetween(statements: Statements, from: number, to: number): TimelineMark[] {
  const marks = SOURCES.flatMap(({ sql, mark }) => {
    try {
      return statements.get(sql).all(to, to, from).map(mark)
    } catch {
      // A file that is absent, damaged or being replaced only costs its marks.
      return []
    }
  })
  return marks.sort((a, b) => a.at - b.at)
}

/** Recorded spans of coverage that touch a time range, in order. @param from @param to milliseconds */
export const recordedBetween = (
  statements: Statements,
  from: number,
  to: number,
  also = sql`TRUE`,
): CoverageSpan[] =>
  statements.all`SELECT state, from_ms, to_ms, receivers FROM coverage WHERE to_ms >= ${from} AND from_ms <= ${to} AND ${also} ORDER BY id`.map(
    (row) => ({
      state: COVERAGE_STATES.find((known) => known === row.state) ?? 'off',
      from: Number(row.from_ms),
      to: Number(row.to_ms),
      ...(typeof row.receivers === 'string' ? { receivers: JSON.parse(row.receivers) } : {}),
    }),
  )

/** Like `recordedBetween`, with a span `off` before the record begins, as the receiver did not listen then. */
export function coverageBetween(
  statements: Statements,
  from: number,
  to: number,
  also?: Sql,
): CoverageSpan[] {
  const first = firstKnown(statements)
  const spans = recordedBetween(statements, from, to, also)
  return first !== null && from < first ? [{ state: 'off', from, to: first }, ...spans] : spans
}

/** When the receiver first listened (milliseconds); null when nothing is recorded. */
function firstKnown(statements: Statements): number | null {
  const began = statements.one`SELECT from_ms FROM coverage ORDER BY id LIMIT 1`
  if (!began) return null
  // Deliveries older than the record were salvaged from a damaged database, whose record of coverage is lost.
  const came = statements.one`SELECT received_at FROM delivery WHERE synthetic = 0
    AND id NOT IN (SELECT delivery_id FROM imported) ORDER BY id LIMIT 1`
  return Math.floor(Math.min(Number(began.from_ms), Number(came?.received_at ?? Infinity) / 1_000))
}

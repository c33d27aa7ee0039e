import { EXCLUSIONS, type Exclusion, type JobOptions, type ReplaySource } from '#contract/replay.ts'
import { asciiLower } from '#core/filter/glob.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Selected } from '#core/replay/ports.ts'
import { select } from '../reader/selection.ts'
import { COLUMNS, MARK_BITS } from '../sql/columns.ts'
import type { Statements } from '../sql/connection.ts'
import { WAITING } from './lanes.ts'

/** Deliveries as SQL over captured.db and derived.db. */
interface Rows {
  readonly from: string
  readonly where: string
  readonly params: readonly (string | number)[]
}

const EVERY = 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'
const IS_REPLAY = `coalesce(${COLUMNS.marks} & ${MARK_BITS.replay}, 0) <> 0`
const REASONS: Readonly<Record<Exclusion, string>> = {
  malformed: `${COLUMNS.malformed} IS NOT NULL`,
  rejected: `${COLUMNS.rejected} = 1`,
  replay: IS_REPLAY,
}

/** Holds for deliveries that a forward may send: analysed, whole, let in, received, and none of ours come back. */
export const FORWARDABLE = `${COLUMNS.marks} IS NOT NULL AND ${COLUMNS.synthetic} = 0 AND NOT (${Object.values(REASONS).join(' OR ')})`

/** @throws AcuseError `bad-filter` */
function rowsOf(source: ReplaySource): Rows {
  switch (source.type) {
    case 'filter':
      return select(readFilter(source.filter))
    case 'document': {
      const where = `${COLUMNS.documentKey} = ?`
      return {
        from: 'analysis a JOIN delivery d ON d.id = a.delivery_id',
        where,
        params: [asciiLower(source.documentId)],
      }
    }
    case 'ids':
      return {
        from: EVERY,
        where: `${COLUMNS.id} IN (SELECT value FROM json_each(?))`,
        params: [JSON.stringify(source.ids)],
      }
  }
}

/** The first reason for which a delivery is not sent; NULL for one that is. */
const reasonFor = (include: JobOptions['include']): string => {
  const excluding = EXCLUSIONS.filter((reason) => reason === 'malformed' || !include.includes(reason))
  return `CASE ${excluding.map((reason) => `WHEN ${REASONS[reason]} THEN '${reason}'`).join(' ')} END`
}

/** What would be sent, and what would not. Call it in a snapshot. */
export function preview(
  statements: Statements,
  source: ReplaySource,
  include: JobOptions['include'],
): Selected {
  const { from, where, params } = rowsOf(source)
  const reason = reasonFor(include)
  const groups = statements
    .get(
      `SELECT ${reason} AS reason, count(*) AS n, sum(d.size) AS bytes, min(d.received_at) AS oldest,
       max(d.received_at) AS newest FROM ${from} WHERE (${where}) GROUP BY 1`,
    )
    .all(...params)
  const span = statements
    .get(
      `SELECT sum(gap) AS us FROM (SELECT max(0, received_at - lag(received_at) OVER (ORDER BY id)) AS gap
       FROM (SELECT d.id AS id, d.received_at AS received_at FROM ${from} WHERE (${where}) AND ${reason} IS NULL))`,
    )
    .get(...params)
  const sent = groups.find((group) => group.reason === null)
  return {
    count: Number(sent?.n ?? 0),
    excluded: EXCLUSIONS.flatMap((known) => {
      const found = groups.find((group) => group.reason === known)
      return found ? [{ reason: known, count: Number(found.n) }] : []
    }),
    bytes: Number(sent?.bytes ?? 0),
    oldest: sent ? Number(sent.oldest) : null,
    newest: sent ? Number(sent.newest) : null,
    spanUs: Number(span?.us ?? 0),
  }
}

/** Fills a lane. @returns how many deliveries went in */
export function enqueue(
  statements: Statements,
  lane: number,
  source: ReplaySource,
  include: JobOptions['include'],
): number {
  const { from, where, params } = rowsOf(source)
  return insert(statements, lane, { from, where: `(${where}) AND ${reasonFor(include)} IS NULL`, params })
}

/** Fills a lane with what a filter selects among the deliveries after one id and up to another. @returns how many went in */
export function enqueueBetween(
  statements: Statements,
  lane: number,
  selection: Rows & { readonly id: string },
  after: number,
  upto: number,
): number {
  const { from, where, id, params } = selection
  return insert(statements, lane, {
    from,
    where: `(${where}) AND ${id} > ? AND ${id} <= ? AND ${FORWARDABLE}`,
    params: [...params, after, upto],
  })
}

function insert(statements: Statements, lane: number, { from, where, params }: Rows): number {
  const done = statements
    .get(
      `INSERT INTO item (lane, state, delivery_id, received_at, document_key)
       SELECT ?, ${WAITING}, d.id, d.received_at, ${COLUMNS.documentKey} FROM ${from} WHERE ${where}`,
    )
    .run(lane, ...params)
  return Number(done.changes)
}

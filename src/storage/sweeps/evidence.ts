import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentRow, Evidence } from '#contract/reconcile.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { VERDICTS } from '#contract/values.ts'
import { coverageBetween } from '../reader/activities.ts'
import { NO_END } from '../reader/members.ts'
import { rowsOf, rowsOfDocument } from '../reader/rows.ts'
import { MARK_BITS, matchesText } from '../sql/columns.ts'
import { joined, raw, type Statements, sql } from '../sql/connection.ts'
import { searchFor } from '../sql/filter-sql.ts'
import { firstSince } from '../sql/numbers.ts'
import { type DocumentEvent, ofEndpoints, type Scope, type Span } from './captured-side.ts'

const HOUR_US = 3_600_000_000
/** Window for an issue date without a time of day: the event may have come at any time of that day. */
const DAY_US = 24 * HOUR_US
const MOST_DELIVERIES = 20
const MOST_SPANS = 50
/** Limit of unreadable bodies to search byte by byte, around the expected time. */
const BODIES_SEARCHED = 2_000
/** Limit of deliveries to count in the window; with more, deletions are not reported. */
const MOST_COUNTED = 50_000

const FROM = sql`delivery d LEFT JOIN analysis a ON a.delivery_id = d.id`
const UNREAD = sql`(d.rejected = 1 OR d.malformed IS NOT NULL OR a.verdict = ${VERDICTS.indexOf('unreadable')}) AND d.synthetic = 0`

/** Facts about the time at which the missed events of a document were expected; only duplicates when none was missed. */
export function evidenceFor(
  statements: Statements,
  row: DocumentRow,
  events: readonly DocumentEvent[],
  scope: Scope,
  sweptAt: number,
): Evidence[] {
  const found: Evidence[] = duplicatesOf(statements, row.key)
  if (row.missed.length === 0) return found
  const window = windowOf(row, events, sweptAt)
  const evidence: Evidence[] = []
  const spans = window ? notListening(statements, window) : []
  if (spans.length > 0) evidence.push({ type: 'coverage', spans })
  const ids = window && idsWithin(statements, window)
  if (ids) for (const answer of badAnswers(statements, ids, scope)) evidence.push(answer)
  const deleted = window ? deletedAround(statements, window) : 0
  if (deleted > 0) evidence.push({ type: 'deleted', count: deleted })
  const lookalikes = lookalikesOf(statements, row, ids)
  if (lookalikes.length > 0) evidence.push({ type: 'lookalike', deliveries: lookalikes })
  return [...evidence, ...found]
}

/** The expected time: a creation at the issue date, other events between the last event and the sweep. */
function windowOf(row: DocumentRow, events: readonly DocumentEvent[], sweptAt: number): Span | null {
  const created = row.missed.some(({ rule }) => rule === 'no-created')
  const later = row.missed.some(({ rule }) => rule !== 'no-created')
  const heard = events.at(-1)?.instant ?? row.issuedAt
  const spans: Span[] = []
  if (created && row.issuedAt !== null)
    spans.push({ from: row.issuedAt, to: row.issuedAt + (row.issuedAt % (HOUR_US / 4) ? HOUR_US : DAY_US) })
  if (later && heard !== null) spans.push({ from: heard, to: sweptAt * 1_000 })
  if (spans.length === 0) return null
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  }
}

function notListening(statements: Statements, window: Span): CoverageSpan[] {
  const [from, to] = [Math.floor(window.from / 1_000), Math.ceil(window.to / 1_000)]
  return following(coverageBetween(statements, from, to, sql`state <> 'listening'`).slice(0, MOST_SPANS))
}

/** Merges adjacent spans of the same state, which a stop of Acuse leaves, and drops empty ones. */
function following(spans: readonly CoverageSpan[]): CoverageSpan[] {
  const whole: CoverageSpan[] = []
  for (const span of spans) {
    const last = whole.at(-1)
    if (last?.state === span.state && last.to === span.from)
      whole[whole.length - 1] = { ...last, to: span.to }
    else if (span.to > span.from) whole.push(span)
  }
  return whole
}

/** @returns the ids of deliveries in a window, both ends included */
function idsWithin(statements: Statements, { from, to }: Span): Span | null {
  const first = firstSince(statements, from)
  const last = firstSince(statements, to + 1) - 1
  return last >= first ? { from: first, to: last } : null
}

/** Number of deliveries deleted around a window: ids are consecutive and never reused, so a gap is a deletion. */
function deletedAround(statements: Statements, { from, to }: Span): number {
  const first = firstSince(statements, from)
  const next = firstSince(statements, to + 1)
  const behind = statements.value`SELECT min(id) FROM delivery WHERE id >= ${next}` ?? next
  const kept = statements.number`SELECT count(*) FROM
    (SELECT 1 FROM delivery WHERE id >= ${first} AND id < ${behind} LIMIT ${MOST_COUNTED})`
  return kept < MOST_COUNTED ? Number(behind) - first - kept : 0
}

function badAnswers(statements: Statements, { from, to }: Span, { endpoints }: Scope): Evidence[] {
  return statements.all`SELECT answer_status AS status, count(*) AS n FROM (SELECT answer_status, endpoint FROM delivery
      WHERE id BETWEEN ${from} AND ${to} AND synthetic = 0 ORDER BY id LIMIT ${MOST_COUNTED})
    WHERE answer_status IS NOT NULL AND answer_status NOT BETWEEN 200 AND 299 AND ${ofEndpoints('endpoint', endpoints)} GROUP BY 1 ORDER BY 1`.map(
    ({ status, n }) => ({ type: 'answers', status: Number(status), count: Number(n) }),
  )
}

/** Rejected, malformed and unreadable deliveries whose indexed text or bytes contain the document's id or number. */
function lookalikesOf(statements: Statements, row: DocumentRow, ids: Span | null): DeliveryRow[] {
  const names = [row.documentId, row.number].filter(
    (name) => name !== null && /[\p{L}\p{N}]/u.test(name) && name.length >= 4,
  ) as string[]
  if (names.length === 0) return []
  const phrases = names.map((text) => ({ text, exact: true }))
  const text = matchesText('d.id', searchFor('any', phrases))
  const indexed = statements.numbers`SELECT d.id FROM ${FROM}
    WHERE ${{ ...text, named: { low: 0, high: NO_END } }} AND ${UNREAD} ORDER BY d.id LIMIT ${MOST_DELIVERIES}`
  const named = names.map((name) => sql`instr(p.body, CAST(${name} AS BLOB)) > 0`)
  const searched = ids
    ? statements.numbers`SELECT p.delivery_id FROM payload p WHERE p.delivery_id IN (SELECT d.id FROM ${FROM}
        WHERE d.id BETWEEN ${ids.from} AND ${ids.to} AND ${UNREAD} ORDER BY d.id LIMIT ${BODIES_SEARCHED})
        AND (${joined(named, ' OR ')}) LIMIT ${MOST_DELIVERIES}`
    : []
  const found = new Set([...indexed, ...searched])
  return rowsOf(statements, [...found].slice(0, MOST_DELIVERIES))
}

function duplicatesOf(statements: Statements, key: string): Evidence[] {
  const duplicate = sql`(a.marks & ${raw(MARK_BITS.duplicate)}) <> 0`
  const deliveries = rowsOfDocument(statements, key, duplicate, MOST_DELIVERIES)
  return deliveries.length > 0 ? [{ type: 'duplicates', deliveries }] : []
}

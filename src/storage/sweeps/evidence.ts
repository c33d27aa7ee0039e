import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentRow, Evidence } from '#contract/reconcile.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { COVERAGE_STATES, VERDICTS } from '#contract/values.ts'
import { ROW_COLUMNS, toRow, withAttempts } from '../reader/rows.ts'
import { MARK_BITS, matchesText } from '../sql/columns.ts'
import type { Statements } from '../sql/connection.ts'
import { searchFor } from '../sql/filter-sql.ts'
import { firstSince } from '../sql/numbers.ts'
import type { DocumentEvent, Scope } from './captured-side.ts'

const HOUR_US = 3_600_000_000
/** An issue date without a time of day: the event may have come at any time of it. */
const DAY_US = 24 * HOUR_US
const MOST_DELIVERIES = 20
const MOST_SPANS = 50
/** Bodies that no check could read are searched byte by byte: only so many of them, around the time in question. */
const BODIES_SEARCHED = 2_000
/** Deliveries of a time that are counted; of longer times nothing is said. */
const IDS_COUNTED = 50_000
/** Deliveries looked at for their answers. */
const ANSWERS_COUNTED = 50_000

const FROM = 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'
const UNREADABLE = VERDICTS.indexOf('unreadable')

interface Window {
  /** Microseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** What Acuse knows about the time at which the missed events of a document should have come; nothing where none was missed. */
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

/** The service announces a creation at the issue date, and anything else between the last event and the sweep. */
function windowOf(row: DocumentRow, events: readonly DocumentEvent[], sweptAt: number): Window | null {
  const created = row.missed.some(({ rule }) => rule === 'no-created')
  const later = row.missed.some(({ rule }) => rule !== 'no-created')
  const heard = events.at(-1)?.instant ?? row.issuedAt
  const spans: Window[] = []
  if (created && row.issuedAt !== null)
    spans.push({
      from: row.issuedAt,
      to: row.issuedAt + (row.issuedAt % (HOUR_US / 4) === 0 ? DAY_US : HOUR_US),
    })
  if (later && heard !== null) spans.push({ from: heard, to: sweptAt * 1_000 })
  if (spans.length === 0) return null
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  }
}

function notListening(statements: Statements, window: Window): CoverageSpan[] {
  const before = beforeTheFirst(statements, window)
  return joined([...(before ? [before] : []), ...stretches(statements, window)])
}

/** One stretch out of several of the same state that follow each other, as a stop writes them; what took no time says nothing. */
function joined(spans: readonly CoverageSpan[]): CoverageSpan[] {
  const whole: CoverageSpan[] = []
  for (const span of spans) {
    const last = whole.at(-1)
    if (last?.state === span.state && last.to === span.from)
      whole[whole.length - 1] = { ...last, to: span.to }
    else if (span.to > span.from) whole.push(span)
  }
  return whole
}

/** Coverage has no holes, but it has a beginning: before that no receiver listened, which no row says. */
function beforeTheFirst(statements: Statements, { from, to }: Window): CoverageSpan | null {
  const began = statements.get('SELECT from_ms FROM coverage ORDER BY id LIMIT 1').get()
  if (!began) return null
  // What is older than the record of it was kept from a damaged database: of that time nothing is known.
  const came = statements
    .get('SELECT received_at FROM delivery WHERE synthetic = 0 ORDER BY id LIMIT 1')
    .get()
  const first = Math.min(Number(began.from_ms), Number(came?.received_at ?? Infinity) / 1_000)
  const start = Math.floor(from / 1_000)
  return start < first
    ? { state: 'off', from: start, to: Math.min(Math.floor(first), Math.ceil(to / 1_000)) }
    : null
}

function stretches(statements: Statements, { from, to }: Window): CoverageSpan[] {
  return statements
    .get(
      `SELECT state, from_ms, to_ms FROM coverage WHERE to_ms >= ? AND from_ms <= ? AND state <> 'listening' ORDER BY id LIMIT ${MOST_SPANS}`,
    )
    .all(Math.floor(from / 1_000), Math.ceil(to / 1_000))
    .map((row) => ({
      state: COVERAGE_STATES.find((known) => known === row.state) ?? ('off' as const),
      from: Number(row.from_ms),
      to: Number(row.to_ms),
    }))
}

interface Ids {
  readonly first: number
  readonly last: number
}

function idsWithin(statements: Statements, { from, to }: Window): Ids | null {
  const first = firstSince(statements, from)
  const last = firstSince(statements, to + 1) - 1
  return last >= first ? { first, last } : null
}

/** Ids are given out one after the other and never twice: what is missing among them was deleted. */
function deletedAround(statements: Statements, { from, to }: Window): number {
  const first = firstSince(statements, from)
  const next = firstSince(statements, to + 1)
  const behind = statements.get('SELECT min(id) AS id FROM delivery WHERE id >= ?').get(next)?.id ?? next
  const left = statements.get(
    `SELECT count(*) AS n FROM (SELECT 1 FROM delivery WHERE id >= ? AND id < ? LIMIT ${IDS_COUNTED})`,
  )
  const kept = Number(left.get(first, behind)?.n)
  return kept < IDS_COUNTED ? Number(behind) - first - kept : 0
}

function badAnswers(statements: Statements, { first, last }: Ids, { endpoints }: Scope): Evidence[] {
  const of = endpoints.length === 0 ? 'TRUE' : `endpoint IN (${endpoints.map(() => '?').join(', ')})`
  return statements
    .get(
      `SELECT answer_status AS status, count(*) AS n FROM (SELECT answer_status, endpoint FROM delivery
       WHERE id BETWEEN ? AND ? AND synthetic = 0 ORDER BY id LIMIT ${ANSWERS_COUNTED})
       WHERE answer_status IS NOT NULL AND answer_status NOT BETWEEN 200 AND 299 AND ${of} GROUP BY 1 ORDER BY 1`,
    )
    .all(first, last, ...endpoints)
    .map(({ status, n }) => ({ type: 'answers', status: Number(status), count: Number(n) }))
}

/** Rejected, malformed and unreadable deliveries that name the document or its number, in what was indexed of them or in their bytes. */
function lookalikesOf(statements: Statements, row: DocumentRow, ids: Ids | null): DeliveryRow[] {
  const names = [row.documentId, row.number].filter(
    (name) => name !== null && /[\p{L}\p{N}]/u.test(name) && name.length >= 4,
  ) as string[]
  if (names.length === 0) return []
  const found = new Set<number>()
  const phrases = names.map((text) => ({ text, exact: true }))
  const indexed = statements
    .get(
      `SELECT d.id AS id FROM ${FROM} WHERE ${matchesText('d.id')} AND (d.rejected = 1 OR d.malformed IS NOT NULL OR a.verdict = ${UNREADABLE})
       AND d.synthetic = 0 ORDER BY d.id LIMIT ${MOST_DELIVERIES}`,
    )
    .all({ low: 0, high: Number.MAX_SAFE_INTEGER }, searchFor('any', phrases))
  for (const { id } of indexed) found.add(Number(id))
  if (ids) {
    const held = names.map(() => 'instr(p.body, CAST(? AS BLOB)) > 0').join(' OR ')
    const searched = statements
      .get(
        `SELECT p.delivery_id AS id FROM payload p WHERE p.delivery_id IN (SELECT d.id FROM ${FROM} WHERE d.id BETWEEN ? AND ?
         AND (d.rejected = 1 OR d.malformed IS NOT NULL OR a.verdict = ${UNREADABLE}) AND d.synthetic = 0 ORDER BY d.id
         LIMIT ${BODIES_SEARCHED}) AND (${held}) LIMIT ${MOST_DELIVERIES}`,
      )
      .all(ids.first, ids.last, ...names)
    for (const { id } of searched) found.add(Number(id))
  }
  return rowsOf(statements, [...found].slice(0, MOST_DELIVERIES))
}

function duplicatesOf(statements: Statements, key: string): Evidence[] {
  const rows = statements
    .get(
      `SELECT ${ROW_COLUMNS} FROM analysis a JOIN delivery d ON d.id = a.delivery_id
       WHERE a.document_key = ? AND (a.marks & ${MARK_BITS.duplicate}) <> 0 ORDER BY d.id LIMIT ${MOST_DELIVERIES}`,
    )
    .all(key)
  return rows.length > 0
    ? [{ type: 'duplicates', deliveries: withAttempts(statements, rows.map(toRow)) }]
    : []
}

/** Rows of those deliveries that exist, rising. */
export function rowsOf(statements: Statements, ids: readonly number[]): DeliveryRow[] {
  const one = statements.get(`SELECT ${ROW_COLUMNS} FROM ${FROM} WHERE d.id = ?`)
  const rows = ids
    .toSorted((a, b) => a - b)
    .map((id) => one.get(id))
    .filter((row) => row !== undefined)
    .map(toRow)
  return withAttempts(statements, rows)
}

import { kindSpec } from '#catalog/kinds.ts'
import type { DeliveryRow, Mark } from '#contract/delivery.ts'
import { ATTEMPT_STATES, MALFORMED, MARKS, VERDICTS } from '#contract/values.ts'
import { type DerivedMark, MARK_BITS } from '../sql/columns.ts'
import { numberOrNull, raw, type Sql, type SqlRow, type Statements, textOrNull } from '../sql/connection.ts'

const DELIVERY =
  'id received_at endpoint method url size answer_status took_us rejected malformed synthetic'.split(' ')
const ANALYSIS = 'event kind document_id number status_id timestamp verdict finding_count marks'.split(' ')
/** Id of the delivery's document. A rejected delivery adds nothing to its document, and has its key alone. */
export const DOCUMENT_ID = 'coalesce(a.document, (SELECT id FROM document WHERE key = a.document_key))'
const DOCUMENT = ['number', 'party', 'total', 'currency']
/** Column names, in the order that `rowOf` destructures. */
const NAMES = [
  ...DELIVERY,
  ...ANALYSIS,
  'pinned',
  'drift',
  'imported',
  'noted',
  'tags',
  'of_document',
  ...DOCUMENT.map((name) => `document_${name}`),
]

/** The columns of one narrow row, for `delivery d` joined with `analysis a` and ROW_JOINS. */
export const ROW_COLUMNS = [
  ...DELIVERY.map((name) => `d.${name}`),
  ...ANALYSIS.map((name) => `a."${name}"`),
  'EXISTS (SELECT 1 FROM pin WHERE delivery_id = d.id) AS pinned',
  'EXISTS (SELECT 1 FROM drift WHERE delivery_id = d.id) AS drift',
  'EXISTS (SELECT 1 FROM imported WHERE delivery_id = d.id) AS imported',
  'EXISTS (SELECT 1 FROM note WHERE delivery_id = d.id) AS noted',
  "(SELECT group_concat(tag, ' ') FROM tag WHERE delivery_id = d.id) AS tags",
  'coalesce(a.document, known.id) AS of_document',
  // A void or a dgii event lacks these facts. `json_object` in a subquery takes twice as long as these joins.
  ...DOCUMENT.map((name) => `coalesce(a.${name}, known.${name}) AS document_${name}`),
].join(', ')

/** `known`: the facts of all events of the document, joined only when the event lacks one. */
export const ROW_JOINS = `LEFT JOIN document known
  ON known.id = iif(${DOCUMENT.map((name) => `a.${name} IS NULL`).join(' OR ')}, ${DOCUMENT_ID}, NULL)`

/** @param row with at least ROW_COLUMNS */
export const toRow = (row: SqlRow): DeliveryRow =>
  rowOf(
    NAMES.map((name) => row[name]),
    undefined,
  )

type Attempts = Pick<DeliveryRow, 'attempts' | 'lastAttempt'>

/** Rows from lists of values in the order of ROW_COLUMNS, with their attempts (see `withAttempts`). */
export function listedRows(statements: Statements, lists: readonly (readonly unknown[])[]): DeliveryRow[] {
  const attempts = attemptsOf(
    statements,
    lists.map(([id]) => Number(id)),
  )
  return lists.map((values) => rowOf(values, attempts.get(Number(values[0]))))
}

/** Rows of the ids that exist, in order of arrival. Call it outside of a transaction on replays.db. */
export function rowsOf(statements: Statements, ids: readonly number[]): DeliveryRow[] {
  // One query: single look-ups take three times as long, and rows go to every window twenty times a second.
  const wanted = JSON.stringify(ids.toSorted((a, b) => a - b))
  const rows = statements.lists`SELECT ${raw(ROW_COLUMNS)} FROM json_each(${wanted}) wanted
    CROSS JOIN delivery d ON d.id = wanted.value LEFT JOIN analysis a ON a.delivery_id = d.id ${raw(ROW_JOINS)}`
  return listedRows(statements, rows)
}

/** The first `most` rows of a document, in order of arrival. @param also condition over `delivery d` and `analysis a` */
export function rowsOfDocument(statements: Statements, key: string, also: Sql, most: number): DeliveryRow[] {
  const rows = statements.all`SELECT ${raw(ROW_COLUMNS)} FROM analysis a JOIN delivery d ON d.id = a.delivery_id ${raw(ROW_JOINS)}
    WHERE a.document_key = ${key} AND ${also} ORDER BY d.id LIMIT ${most}`
  return withAttempts(statements, rows.map(toRow))
}

const NEVER_SENT: Attempts = { attempts: 0, lastAttempt: null }
const NO_MARKS: readonly Mark[] = []

function rowOf(values: readonly unknown[], attempts: Attempts = NEVER_SENT): DeliveryRow {
  const [id, receivedAt, endpoint, method, url, size, answer, tookUs, rejected, malformed, synthetic] = values
  const [event, kind, documentId, number, statusId, timestamp, verdict] = values.slice(DELIVERY.length)
  const [findings, marks, pinned, drift, imported, noted, tags, document, ...about] = values.slice(
    DELIVERY.length + 7,
  )
  const spec = typeof kind === 'string' ? kindSpec(kind) : undefined
  const bits = Number(marks ?? 0)
  const has = { pinned, synthetic, imported, drift }
  const plain = bits === 0 && Object.values(has).every((value) => value === 0)
  return {
    id: Number(id),
    receivedAt: Number(receivedAt),
    endpoint: String(endpoint),
    method: String(method),
    url: String(url),
    size: Number(size),
    answer: numberOrNull(answer),
    tookUs: numberOrNull(tookUs),
    rejected: rejected === 1,
    malformed: MALFORMED.find((known) => known === malformed) ?? null,
    event: textOrNull(event),
    kind: spec?.kind ?? null,
    group: spec?.group ?? null,
    documentId: textOrNull(documentId),
    number: textOrNull(number),
    statusId: numberOrNull(statusId),
    timestamp: textOrNull(timestamp),
    verdict: typeof verdict === 'number' ? (VERDICTS[verdict] ?? null) : null,
    findings: Number(findings ?? 0),
    marks: plain
      ? NO_MARKS
      : MARKS.filter((mark) =>
          mark in MARK_BITS
            ? (bits & MARK_BITS[mark as DerivedMark]) !== 0
            : has[mark as keyof typeof has] === 1,
        ),
    attempts: attempts.attempts,
    lastAttempt: attempts.lastAttempt,
    note: noted === 1,
    // No tag has a space.
    tags: typeof tags === 'string' ? tags.split(' ').sort() : [],
    document: typeof document === 'number' ? documentOf(about) : null,
  }
}

const documentOf = ([number, party, total, currency]: readonly unknown[]): DeliveryRow['document'] => ({
  number: textOrNull(number),
  party: textOrNull(party),
  total: textOrNull(total),
  currency: textOrNull(currency),
})

/**
 * Adds the attempts to rows, with one look-up by index for all of them.
 * @param statements of a connection with replays.db attached; without it, or when it cannot be read, rows get no attempts
 */
export function withAttempts<R extends DeliveryRow>(statements: Statements, rows: readonly R[]): R[] {
  const attempts = attemptsOf(
    statements,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, ...(attempts.get(row.id) ?? NEVER_SENT) }))
}

function attemptsOf(statements: Statements, ids: readonly number[]): ReadonlyMap<number, Attempts> {
  try {
    // With a single max(), SQLite takes the bare columns from the row that has the maximum.
    const found = statements.lists`SELECT delivery_id, count(*), state, status, ok, max(id) FROM attempt
      WHERE delivery_id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) GROUP BY delivery_id`
    return new Map(
      found.map(([delivery, attempts, state, status, ok]): [number, Attempts] => {
        const lastAttempt = {
          state: ATTEMPT_STATES[Number(state)] ?? 'uncertain',
          status: numberOrNull(status),
          ok: ok === null ? null : ok === 1,
        }
        return [Number(delivery), { attempts: Number(attempts), lastAttempt }]
      }),
    )
  } catch {
    // Damage of replays.db must not look like damage of captured.db, which would then be set aside.
    return new Map()
  }
}

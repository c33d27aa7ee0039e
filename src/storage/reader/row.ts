import { kindSpec } from '#catalog/kinds.ts'
import { type DeliveryRow, MALFORMED, MARKS, VERDICTS } from '#contract/delivery.ts'
import { MARK_BITS } from '../sql/columns.ts'

/** The columns of one narrow row, for `delivery d` joined with `analysis a`. */
export const ROW_COLUMNS = `d.id, d.received_at, d.endpoint, d.method, d.url, d.size, d.answer_status, d.took_us, d.rejected,
  d.malformed, d.synthetic, a.event, a.kind, a."group", a.document_id, a.number, a.status_id, a.timestamp, a.verdict, a.finding_count, a.marks,
  EXISTS (SELECT 1 FROM pin WHERE delivery_id = d.id) AS pinned,
  EXISTS (SELECT 1 FROM drift WHERE delivery_id = d.id) AS drift, EXISTS (SELECT 1 FROM note WHERE delivery_id = d.id) AS noted,
  (SELECT group_concat(tag, ' ') FROM tag WHERE delivery_id = d.id) AS tags`

export type SqlRow = Readonly<Record<string, unknown>>

export function toRow(row: SqlRow): DeliveryRow {
  const spec = typeof row.kind === 'string' ? kindSpec(row.kind) : undefined
  const bits = Number(row.marks ?? 0)
  return {
    id: Number(row.id),
    receivedAt: Number(row.received_at),
    endpoint: String(row.endpoint),
    method: String(row.method),
    url: String(row.url),
    size: Number(row.size),
    answer: numberOrNull(row.answer_status),
    tookUs: numberOrNull(row.took_us),
    rejected: row.rejected === 1,
    malformed: MALFORMED.find((known) => known === row.malformed) ?? null,
    event: textOrNull(row.event),
    kind: spec?.kind ?? null,
    group: spec?.group ?? null,
    documentId: textOrNull(row.document_id),
    number: textOrNull(row.number),
    statusId: numberOrNull(row.status_id),
    timestamp: textOrNull(row.timestamp),
    verdict: typeof row.verdict === 'number' ? (VERDICTS[row.verdict] ?? null) : null,
    findings: Number(row.finding_count ?? 0),
    marks: MARKS.filter((mark) =>
      mark === 'pinned' || mark === 'synthetic' || mark === 'drift'
        ? row[mark] === 1
        : (bits & MARK_BITS[mark]) !== 0,
    ),
    // Counted for all rows at once, by `withAttempts`.
    attempts: 0,
    note: row.noted === 1,
    // No tag has a space.
    tags: typeof row.tags === 'string' ? row.tags.split(' ').sort() : [],
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

import { kindSpec } from '#catalog/kinds.ts'
import type { Statements } from '../sql/connection.ts'
import type { Event } from './document-list.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Events of a document as they are stored, in order of arrival, rejected ones left out.
 * @param captured of captured.db, which says what was received
 * @param derived of derived.db
 */
export function* storedEvents(captured: Statements, derived: Statements, key: string): Generator<Event> {
  const rows = derived
    .get(
      `SELECT a.delivery_id, a.kind, a.document_id, a.number, a.status_id, a.instant, a.verdict, a.marks, a.party AS names,
         e.delivery_id AS received, e.instant AS at, e.party, e.total, e.currency
       FROM analysis a LEFT JOIN document_event e ON e.delivery_id = a.delivery_id
       WHERE a.document_key = ? ORDER BY a.delivery_id`,
    )
    .all(key)
  const delivery = captured.get('SELECT received_at, rejected, synthetic FROM delivery WHERE id = ?')
  for (const row of rows) {
    const spec = kindSpec(String(row.kind))
    if (!spec) continue
    const synthetic = row.received === null
    const stored = synthetic ? delivery.get(Number(row.delivery_id)) : undefined
    if (synthetic && stored?.synthetic !== 1) continue
    yield {
      key,
      documentId: String(row.document_id),
      kind: spec.kind,
      facts: { party: text(row.party), total: text(row.total), currency: text(row.currency) },
      names: text(row.names),
      number: text(row.number),
      statusId: row.status_id === null ? null : Number(row.status_id),
      verdict: Number(row.verdict),
      marks: Number(row.marks),
      instant: Number(row.at ?? row.instant ?? stored?.received_at ?? 0),
      synthetic,
    }
  }
}

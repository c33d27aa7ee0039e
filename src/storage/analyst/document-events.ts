import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import type { Statements } from '../sql/connection.ts'

/** What an event tells of its document's life, as a small number; answers of the tax authority have their StatusId (5 to 8). */
export const STEP = { created: 0, updated: 1, anulated: 2 } as const

/** The step of a kind that tells of a document. */
function stepOf(kind: Kind): number {
  if (kind.endsWith('.created')) return STEP.created
  if (kind.endsWith('.anulated')) return STEP.anulated
  return kindSpec(kind)?.statusId ?? STEP.updated
}

const INSERT = `INSERT INTO document_event (delivery_id, step, instant, issued_at, document_key, endpoint, kind, document_type,
  status_id, number, party, total, currency, modifies, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/**
 * Keeps what an analysed event says about its document; nothing for an event without one.
 * @param documentKey as `analysis` has it
 */
export function keepDocumentEvent(
  statements: Statements,
  row: { readonly id: number; readonly endpoint: string; readonly receivedAt: number },
  documentKey: string | null,
  { kind, facts, timestamp, statusId, number }: Analysis,
): void {
  if (!facts || kind === null || documentKey === null) return
  statements
    .get(INSERT)
    .run(
      row.id,
      stepOf(kind),
      timestamp?.instant ?? row.receivedAt,
      facts.issuedAt,
      documentKey,
      row.endpoint,
      kind,
      facts.documentType,
      statusId,
      number,
      facts.party,
      facts.total,
      facts.currency,
      facts.modifies,
      facts.fingerprint,
    )
}

export function forgetDocumentEvent(statements: Statements, id: number): void {
  statements.get('DELETE FROM document_event WHERE delivery_id = ?').run(id)
}

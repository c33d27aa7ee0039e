/** What of an event decides whether a later one covers it. */
export interface Trace {
  readonly kind: string
  readonly statusId: number | null
}

/**
 * Whether a later event of the same subject leaves no trace of a lost one: then neither the stream nor the sync routes can prove
 * that it was missed (reading "Reconciling").
 *
 * Creations, voids and deactivations always leave one: the document is there, or is voided, with no such event seen. An edit is covered
 * by the next edit, whose content is the newest; a status by the next status, or by an event that carries another one.
 */
export function supersedes(lost: Trace, later: Trace): boolean {
  if (lost.kind.endsWith('.updated')) return later.kind === lost.kind
  if (!lost.kind.startsWith('dgii.')) return false
  return later.kind.startsWith('dgii.') || (later.statusId !== null && later.statusId !== lost.statusId)
}

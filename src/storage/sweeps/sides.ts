import { valuesOf } from '#core/reconcile/fingerprint.ts'
import { judge } from '#core/reconcile/judge.ts'
import type { CanonicalValue, Judgement, RemoteDocument, Terms } from '#core/reconcile/types.ts'
import type { CapturedSide, DocumentEvent, Scope } from './captured-side.ts'
import { numberOrNull, type SqlRow, textOrNull } from './types.ts'

/** Both sides of one document, as they are stored. */
export interface StoredSides {
  /** Row of `sweep_item`. */
  readonly item: SqlRow | null
  /** Documents of the captured side: one, or those that a Number joined. */
  readonly keys: readonly string[]
  readonly events: readonly DocumentEvent[]
}

const isByNumber = (item: SqlRow, { otherIds }: Scope): boolean =>
  otherIds === true || String(item.key).startsWith('number:')

/** Documents of the captured side that an item is joined with. */
export const keysOf = (captured: CapturedSide, item: SqlRow, scope: Scope): readonly string[] =>
  isByNumber(item, scope) ? captured.linked(Number(item.id)) : [String(item.key)]

export function remoteOf(
  item: SqlRow,
  accounting: ReadonlyMap<string, CanonicalValue> = valuesOf(
    item.fingerprint instanceof Uint8Array ? item.fingerprint : null,
  ),
): RemoteDocument {
  const documentId = textOrNull(item.document_id)
  return {
    documentKey: documentId?.toLowerCase() ?? null,
    documentId,
    number: textOrNull(item.number),
    issuedAt: numberOrNull(item.issued_at),
    documentType: numberOrNull(item.document_type),
    statusId: numberOrNull(item.status_id),
    voided: item.voided === null ? null : item.voided === 1,
    accounting,
  }
}

/**
 * Judges by what is stored: fingerprints say which values are unlike, no body is opened.
 * @param exact the projections with their sources, where differences are to be shown
 */
export function judgeStored(
  captured: CapturedSide,
  { item, keys, events }: StoredSides,
  terms: Terms,
  scope: Scope,
  exact?: { readonly remote: RemoteDocument | null; readonly events: readonly DocumentEvent[] },
): Judgement {
  const comparable = item !== null && events.some(({ hasAccounting }) => hasAccounting)
  const sides = {
    events: exact?.events ?? events,
    noteAt: comparable ? captured.noteAt(keys, scope) : null,
    byNumber: item !== null && isByNumber(item, scope),
  }
  if (!item) return judge(sides, terms)
  const document = exact?.remote ?? remoteOf(item)
  return judge({ ...sides, remote: { document, firstReturnedAt: Number(item.first_returned_at) } }, terms)
}

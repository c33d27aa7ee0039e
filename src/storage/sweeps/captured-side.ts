import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DocumentFamily } from '#catalog/service.ts'
import {
  type CanonicalValue,
  type CapturedEvent,
  familyOfKind,
  type Judgement,
  type RemoteDocument,
  type Terms,
} from '#core/reconcile/documents.ts'
import { valuesOf } from '#core/reconcile/fingerprint.ts'
import { judge } from '#core/reconcile/judge.ts'
import {
  columns,
  numberOrNull,
  oneOf,
  Queries,
  raw,
  type Sql,
  type SqlRow,
  sql,
  textOrNull,
} from '../sql/connection.ts'
import { inSweep } from './items.ts'

export interface DocumentEvent extends CapturedEvent {
  readonly documentKey: string
  readonly statusId: number | null
  readonly party: string | null
  readonly total: string | null
  readonly currency: string | null
  readonly hasAccounting: boolean
}

/** The events that count: those of the connection's endpoints, analysed before the comparison. */
export interface Scope {
  /** No event has the id of any item, so every item is joined by its Number. */
  readonly otherIds?: boolean
  /** No event has the id of any item, and some captured documents have no known Number, so any item may be one of them. */
  readonly orphans?: boolean
  readonly endpoints: readonly string[]
  readonly upto: number
}

const NOTHING: ReadonlyMap<string, CanonicalValue> = new Map()

/** Condition on `document_event e`. An index for it would not help, as most connections have every endpoint. */
export const scopeSql = ({ endpoints, upto }: Scope): Sql =>
  sql`e.delivery_id <= ${upto} AND ${ofEndpoints('e.endpoint', endpoints)}`

/** @param endpoints an empty list means all */
export const ofEndpoints = (column: string, endpoints: readonly string[]): Sql =>
  endpoints.length === 0 ? sql`TRUE` : sql`${raw(column)} IN ${oneOf(endpoints)}`

/** In microseconds, both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

export class CapturedSide extends Queries {
  /** Events of a document, in order of their instants. Unpacks only the latest projection, as no rule uses an earlier one. */
  events(keys: readonly string[], scope: Scope): DocumentEvent[] {
    const rows = keys.flatMap(
      (key) => this.db
        .all`SELECT e.*, a.party, a.total, a.currency FROM analysis a CROSS JOIN document_event e ON e.delivery_id = a.delivery_id
        WHERE a.document_key = ${key} AND ${scopeSql(scope)} ORDER BY e.instant, e.delivery_id`,
    )
    if (keys.length > 1)
      rows.sort(
        (a, b) => Number(a.instant) - Number(b.instant) || Number(a.delivery_id) - Number(b.delivery_id),
      )
    const carrier = rows.findLastIndex(({ fingerprint }) => fingerprint !== null)
    return rows.flatMap((row, at) => toEvent(row, at === carrier))
  }

  /** Instant of the latest credit or debit note that modifies one of the documents. */
  noteAt(keys: readonly string[], scope: Scope): number | null {
    const told = keys.flatMap((key) => {
      const at = this.db
        .value`SELECT max(e.instant) FROM document_event e WHERE e.modifies = ${key} AND ${scopeSql(scope)}`
      return numberOrNull(at) ?? []
    })
    return told.length > 0 ? Math.max(...told) : null
  }

  /** Joins items without an id to documents by Number, or all items when no event has any of their ids. */
  link(sweep: number, scope: Scope) {
    this.db.run`DELETE FROM temp.link WHERE ${inSweep('item', sweep)}`
    const some = this.db
      .has`SELECT 1 FROM sweep_item WHERE key >= 'number:' AND key < 'number;' AND ${inSweep('id', sweep)} LIMIT 1`
    if (some) {
      const linked = this.#link(sql`i.key = 'number:' || e.number`, sweep, scope)
      return { itemsByNumber: true, linked, otherIds: false, strangeIds: false }
    }
    const known = this.db.has`SELECT 1 FROM sweep_item i CROSS JOIN analysis a ON a.document_key = i.key
      CROSS JOIN document_event e ON e.delivery_id = a.delivery_id
      WHERE ${inSweep('i.id', sweep)} AND ${scopeSql(scope)} LIMIT 1`
    const otherIds = !known && this.#link(sql`i.number = e.number`, sweep, scope)
    return { itemsByNumber: otherIds, linked: otherIds, otherIds, strangeIds: !known }
  }

  hasIssued({ from, to }: Span, scope: Scope): boolean {
    return this.db
      .has`SELECT 1 FROM document_event e WHERE coalesce(e.issued_at, e.instant) BETWEEN ${from} AND ${to}
      AND e.issued_at IS NOT NULL AND ${scopeSql(scope)} LIMIT 1`
  }

  /** Whether there are documents, from an instant on, of which only voids or answers of the tax authority were captured. */
  hasOrphans(from: number, scope: Scope): boolean {
    return this.db.has`SELECT 1 FROM document_event e WHERE coalesce(e.issued_at, e.instant) >= ${from}
      AND e.issued_at IS NULL AND e.number IS NULL AND ${scopeSql(scope)}
      AND NOT EXISTS (SELECT 1 FROM document_event o WHERE o.document_key = e.document_key AND o.number IS NOT NULL) LIMIT 1`
  }

  #link(on: Sql, sweep: number, scope: Scope): boolean {
    const { changes } = this.db.run`INSERT OR IGNORE INTO temp.link (item, document_key)
      SELECT i.id, e.document_key FROM document_event e CROSS JOIN sweep_item i ON ${on}
      WHERE e.number IS NOT NULL AND ${scopeSql(scope)} AND ${inSweep('i.id', sweep)}`
    return Number(changes) > 0
  }

  linked(item: number): string[] {
    return this.db.texts`SELECT document_key FROM temp.link WHERE item = ${item} ORDER BY document_key`
  }

  /** Families of document types. Leaves out a type that captures show with several families. */
  families(endpoints: readonly string[]): ReadonlyMap<number, DocumentFamily> {
    const families = new Map<number, DocumentFamily>()
    const doubtful = new Set<number>()
    for (const { type, kind } of this.#observed(endpoints)) {
      const family = familyOfKind(kind)
      if (!family) continue
      const known = families.get(type)
      if (known !== undefined && known !== family) doubtful.add(type)
      families.set(type, family)
    }
    for (const type of doubtful) families.delete(type)
    return families
  }

  types(endpoints: readonly string[]): number[] {
    return [...new Set(this.#observed(endpoints).map(({ type }) => type))].sort((a, b) => a - b)
  }

  keyOf(deliveryId: number): string {
    const key = this.db.value`SELECT document_key FROM document_event WHERE delivery_id = ${deliveryId}`
    return textOrNull(key) ?? ''
  }

  /** The id as sent, not lower-cased. */
  documentId(deliveryId: number): string | null {
    return textOrNull(this.db.value`SELECT document_id FROM analysis WHERE delivery_id = ${deliveryId}`)
  }

  #observed(endpoints: readonly string[]): { type: number; kind: Kind }[] {
    return this.db
      .all`SELECT DISTINCT document_type AS type, kind FROM observed_type WHERE ${ofEndpoints('endpoint', endpoints)}`.flatMap(
      ({ type, kind }) => {
        const spec = kindSpec(String(kind))
        return spec ? [{ type: Number(type), kind: spec.kind }] : []
      },
    )
  }
}

function toEvent(row: SqlRow, unpacked: boolean): DocumentEvent[] {
  const kind = kindSpec(String(row.kind))?.kind
  if (!kind) return []
  const fingerprint = row.fingerprint instanceof Uint8Array ? row.fingerprint : null
  return [
    {
      ...columns(row, Number, 'deliveryId', 'instant'),
      ...columns(row, numberOrNull, 'issuedAt', 'documentType', 'statusId'),
      ...columns(row, textOrNull, 'number', 'party', 'total', 'currency'),
      documentKey: String(row.document_key),
      kind,
      accounting: unpacked ? valuesOf(fingerprint) : NOTHING,
      hasAccounting: fingerprint !== null,
    },
  ]
}

export interface StoredSides {
  /** The row of `sweep_item`. */
  readonly item: SqlRow | null
  /** Keys of the captured documents: one, or all that have the item's Number. */
  readonly keys: readonly string[]
  readonly events: readonly DocumentEvent[]
}

const isByNumber = (item: SqlRow, { otherIds }: Scope): boolean =>
  otherIds === true || String(item.key).startsWith('number:')

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
    ...columns(item, numberOrNull, 'issuedAt', 'documentType', 'statusId'),
    voided: item.voided === null ? null : item.voided === 1,
    accounting,
  }
}

/** Judges a document by its fingerprints, which tell unlike values. @param exact projections with their sources, to show differences */
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
    byNumber: item !== null && (scope.orphans === true || isByNumber(item, scope)),
  }
  if (!item) return judge(sides, terms)
  const document = exact?.remote ?? remoteOf(item)
  const remote = { document, firstReturnedAt: Number(item.first_returned_at) }
  return judge({ ...sides, remote, taken: terms.taken?.get(String(item.key)) }, terms)
}

import type { DocumentComparison, DocumentRow, Sweep } from '#contract/reconcile.ts'
import { accountingOfEvent } from '#core/checks/facts.ts'
import { decodeText } from '#core/json/decode.ts'
import { scanJson } from '#core/json/scan.ts'
import type { Judgement } from '#core/reconcile/documents.ts'
import { type ItemReading, readItem } from '#core/reconcile/item.ts'
import { isIssuedSince } from '#core/reconcile/judge.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import { asBuffer, readBody, unlessDamaged } from '../body/stored-body.ts'
import { rowsOfDocument } from '../reader/rows.ts'
import { numberOrNull, type Statements, sql, textOrNull } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'
import {
  type CapturedSide,
  type DocumentEvent,
  judgeStored,
  keysOf,
  ofEndpoints,
  remoteOf,
  type StoredSides,
} from './captured-side.ts'
import { type Comparison, issuedAtOf } from './compare.ts'
import { evidenceFor } from './evidence.ts'
import type { Items } from './items.ts'
import type { Kept } from './kept.ts'
import type { Noted, Notes } from './notes.ts'
import type { Sweeps } from './sweeps.ts'

const MOST_DELIVERIES = 1_000

/** One document in full. It decodes the bodies, to compare values with their sources. */
export function documentOf(
  statements: Statements,
  parts: RowParts & { readonly sweeps: Sweeps },
  kept: Kept,
  sweep: Sweep,
  ref: number,
): DocumentComparison {
  const { comparison } = kept
  const sides = sidesOf(parts, comparison, ref)
  const exact = {
    remote: sides.item && remoteOf(sides.item, itemValues(parts, sweep.id, ref)),
    events: opened(statements, sides.events),
  }
  const judgement = judgeStored(parts.captured, sides, comparison.terms, comparison.scope, exact)
  const row = toRow(parts, sides, judgement, sweep)
  const { endpoints } = comparison.scope
  const received = sql`d.rejected = 0 AND ${ofEndpoints('d.endpoint', endpoints)}`
  const other = parts.sweeps.otherWith(sweep, row.key)
  return {
    row,
    differences: judgement.differences,
    deliveries: sides.keys.flatMap((key) => rowsOfDocument(statements, key, received, MOST_DELIVERIES)),
    item: (sides.item && parts.items.raw(ref)?.toString('utf8')) ?? null,
    otherItem: (other === undefined ? undefined : parts.items.raw(other))?.toString('utf8') ?? null,
    mapping: sweep.mapping,
    evidence: evidenceFor(statements, row, sides.events, comparison.scope, sweep.startedAt),
  }
}

/** The accounting projection of an item, with its sources; undefined when the item cannot be read. */
export function itemValues(
  { items, sweeps }: { readonly items: Items; readonly sweeps: Sweeps },
  sweep: number,
  item: number,
) {
  const raw = items.raw(item)
  const tree = raw && treeOf(raw)
  return tree && readItem(tree, 0, JSON.parse(sweeps.reading(sweep)) as ItemReading).accounting
}

/** Adds the sources to the latest projection, which is the compared one. */
function opened(statements: Statements, events: readonly DocumentEvent[]): DocumentEvent[] {
  const carrier = events.findLastIndex(({ hasAccounting }) => hasAccounting)
  return events.map((event, at) =>
    at === carrier
      ? { ...event, accounting: accountingOfDelivery(statements, event.deliveryId) ?? event.accounting }
      : event,
  )
}

export function treeOf(bytes: Uint8Array) {
  const decoded = decodeText(bytes)
  if (!('text' in decoded)) return undefined
  const tree = scanJson(decoded.text, decoded.bytes)
  return 'problem' in tree ? undefined : tree
}

/** The accounting projection of a captured event, with its sources; undefined when the delivery is deleted or unreadable. */
export function accountingOfDelivery(statements: Statements, id: number) {
  const row = statements.one`SELECT d.upload, p.headers FROM delivery d
    JOIN payload p ON p.delivery_id = d.id WHERE d.id = ${id}`
  if (!row) return undefined
  const raw = unlessDamaged(() => readBody(statements, { id, upload: textOrNull(row.upload) }))
  const body = raw && decodeBody(raw, codingsOf(unpackHeaders(asBuffer(row.headers))))
  const tree = body && 'bytes' in body ? treeOf(body.bytes) : undefined
  return tree && accountingOfEvent(tree)
}

export interface RowParts {
  readonly items: Items
  readonly captured: CapturedSide
  readonly notes: Notes
}

export function sidesOf({ items, captured }: RowParts, { scope }: Comparison, ref: number): StoredSides {
  const item = ref > 0 ? (items.row(ref) ?? null) : null
  const keys = item ? keysOf(captured, item, scope) : ref < 0 ? [captured.keyOf(-ref)] : []
  return { item, keys, events: captured.events(keys, scope) }
}

/** A row of a comparison, judged again: the same terms and events give the same judgement. */
export function rowOf(parts: RowParts, comparison: Comparison, sweep: Sweep, ref: number): DocumentRow {
  const sides = sidesOf(parts, comparison, ref)
  const judgement = judgeStored(parts.captured, sides, comparison.terms, comparison.scope)
  return toRow(parts, sides, judgement, sweep)
}

export function toRow(
  { captured, notes }: Pick<RowParts, 'captured' | 'notes'>,
  { item, keys, events }: StoredSides,
  judgement: Judgement,
  sweep: Sweep,
): DocumentRow {
  const latest = <K extends keyof (typeof events)[number]>(field: K) =>
    events.findLast((event) => event[field] !== null)?.[field] ?? null
  const key = item ? String(item.key) : (keys[0] ?? '')
  const noted: Noted = notes.of(sweep.connection, key)
  const last = events.at(-1)
  const issuedAt = item ? numberOrNull(item.issued_at) : issuedAtOf(events)
  return {
    key,
    documentId: item ? textOrNull(item.document_id) : last ? captured.documentId(last.deliveryId) : null,
    number: textOrNull(item?.number) ?? latest('number'),
    class: judgement.class,
    issuedAt,
    party: textOrNull(item?.party) ?? latest('party'),
    total: textOrNull(item?.total) ?? latest('total'),
    currency: textOrNull(item?.currency) ?? latest('currency'),
    missed: judgement.missed,
    rules: judgement.rules,
    cannotTell: judgement.cannotTell,
    differences: judgement.differences.flatMap(({ field, ignored, shared }) =>
      ignored || shared ? [] : [field],
    ),
    likelyReason: judgement.likelyReason,
    issuedSince: isIssuedSince({ class: judgement.class, issuedAt }, sweep),
    events: events.map(({ kind }) => kind),
    capturedTotal: latest('total'),
    capturedStatus: latest('statusId'),
    serviceStatus: numberOrNull(item?.status_id),
    ...noted,
  }
}

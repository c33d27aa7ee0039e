import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentComparison, Sweep } from '#contract/reconcile.ts'
import { accountingOfEvent } from '#core/checks/facts.ts'
import { decodeText } from '#core/json/decode.ts'
import { scanJson } from '#core/json/scan.ts'
import { type ItemReading, readItem } from '#core/reconcile/item.ts'
import type { CanonicalValue } from '#core/reconcile/types.ts'
import { codingsOf, decodeBody } from '../body/codings.ts'
import { asBuffer, readBody } from '../body/stored-body.ts'
import { ROW_COLUMNS, toRow as toDelivery, withAttempts } from '../reader/rows.ts'
import type { Statements } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'
import type { DocumentEvent } from './captured-side.ts'
import { judgeStored, remoteOf } from './captured-side.ts'
import { evidenceFor } from './evidence.ts'
import type { Items } from './items.ts'
import type { Kept } from './kept.ts'
import { type RowParts, sidesOf, toRow } from './rows.ts'
import type { Sweeps } from './sweeps.ts'

const MOST_DELIVERIES = 1_000

/** One document in full: values are compared with their sources, so the bodies are opened. */
export function documentOf(
  statements: Statements,
  parts: RowParts & { readonly sweeps: Sweeps },
  kept: Kept,
  sweep: Sweep,
  ref: number,
): DocumentComparison {
  const { comparison } = kept
  const sides = sidesOf(parts, comparison, ref)
  const raw = sides.item ? parts.items.raw(ref) : undefined
  const reading = JSON.parse(parts.sweeps.reading(sweep.id)) as ItemReading
  const tree = raw && treeOf(raw)
  const exact = {
    remote: sides.item && remoteOf(sides.item, tree ? readItem(tree, 0, reading).accounting : undefined),
    events: opened(statements, sides.events),
  }
  const judgement = judgeStored(parts.captured, sides, comparison.terms, comparison.scope, exact)
  const row = toRow(parts, sides, judgement, sweep)
  const other = parts.sweeps.otherWith(sweep, row.key)
  return {
    row,
    differences: judgement.differences,
    deliveries: sides.keys.flatMap((key) => deliveriesOf(statements, key, comparison.scope.endpoints)),
    item: raw ? raw.toString('utf8') : null,
    otherItem: (other === undefined ? undefined : parts.items.raw(other))?.toString('utf8') ?? null,
    mapping: sweep.mapping,
    evidence: evidenceFor(statements, row, sides.events, comparison.scope, sweep.startedAt),
  }
}

/** The accounting projections of an item and of a delivery with their sources; undefined for one that cannot be read. */
export function exactValues(
  statements: Statements,
  { items, sweeps }: { readonly items: Items; readonly sweeps: Sweeps },
  sweep: number,
  item: number,
  delivery: number,
) {
  const raw = items.raw(item)
  const tree = raw && treeOf(raw)
  const reading = JSON.parse(sweeps.reading(sweep)) as ItemReading
  return {
    captured: accountingOfDelivery(statements, delivery),
    service: tree && readItem(tree, 0, reading).accounting,
  }
}

/** The latest projection with its sources: the one that is compared. */
function opened(statements: Statements, events: readonly DocumentEvent[]): DocumentEvent[] {
  const carrier = events.findLastIndex(({ hasAccounting }) => hasAccounting)
  return events.map((event, at) =>
    at === carrier
      ? { ...event, accounting: accountingOfDelivery(statements, event.deliveryId) ?? event.accounting }
      : event,
  )
}

function deliveriesOf(statements: Statements, key: string, endpoints: readonly string[]): DeliveryRow[] {
  const of = endpoints.length === 0 ? 'TRUE' : `d.endpoint IN (${endpoints.map(() => '?').join(', ')})`
  const rows = statements
    .get(
      `SELECT ${ROW_COLUMNS} FROM analysis a JOIN delivery d ON d.id = a.delivery_id
       WHERE a.document_key = ? AND d.rejected = 0 AND ${of} ORDER BY d.id LIMIT ${MOST_DELIVERIES}`,
    )
    .all(key, ...endpoints)
    .map(toDelivery)
  return withAttempts(statements, rows)
}

/** Bytes as a text of JSON; undefined when they are none. */
export function treeOf(bytes: Uint8Array) {
  const decoded = decodeText(bytes)
  if (!('text' in decoded)) return undefined
  const tree = scanJson(decoded.text, decoded.bytes)
  return 'problem' in tree ? undefined : tree
}

/** The accounting projection of a captured event with its sources; undefined when the delivery is gone or cannot be read. */
export function accountingOfDelivery(
  statements: Statements,
  id: number,
): ReadonlyMap<string, CanonicalValue> | undefined {
  const row = statements
    .get('SELECT d.upload, p.headers FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id = ?')
    .get(id)
  if (!row) return undefined
  const raw = readBody(statements, { id, upload: typeof row.upload === 'string' ? row.upload : null })
  const body = decodeBody(raw, codingsOf(unpackHeaders(asBuffer(row.headers))))
  const tree = 'bytes' in body ? treeOf(body.bytes) : undefined
  return tree && accountingOfEvent(tree)
}

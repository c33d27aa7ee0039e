import type { DeliveryRow } from '#contract/delivery.ts'
import type { DocumentComparison, Sweep } from '#contract/reconcile.ts'
import { type ItemReading, readItem } from '#core/reconcile/item.ts'
import { ROW_COLUMNS, toRow as toDelivery, withAttempts } from '../reader/rows.ts'
import type { Statements } from '../sql/connection.ts'
import { accountingOfDelivery, treeOf } from './bodies.ts'
import type { DocumentEvent } from './captured-side.ts'
import { evidenceFor } from './evidence.ts'
import type { Items } from './items.ts'
import type { Kept } from './kept.ts'
import { type RowParts, sidesOf, toRow } from './rows.ts'
import { judgeStored, remoteOf } from './sides.ts'
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

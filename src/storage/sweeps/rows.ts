import type { DocumentRow, Sweep } from '#contract/reconcile.ts'
import { isIssuedSince } from '#core/reconcile/judge.ts'
import type { Judgement } from '#core/reconcile/types.ts'
import { numberOrNull, textOrNull } from '../sql/connection.ts'
import { type CapturedSide, judgeStored, keysOf, type StoredSides } from './captured-side.ts'
import { type Comparison, issuedAtOf } from './compare.ts'
import type { Items } from './items.ts'
import type { Noted, Notes } from './notes.ts'

export interface RowParts {
  readonly items: Items
  readonly captured: CapturedSide
  readonly notes: Notes
}

/** @param ref as `Ref` says */
export function sidesOf({ items, captured }: RowParts, { scope }: Comparison, ref: number): StoredSides {
  const item = ref > 0 ? (items.row(ref) ?? null) : null
  const keys = item ? keysOf(captured, item, scope) : ref < 0 ? [captured.keyOf(-ref)] : []
  return { item, keys, events: captured.events(keys, scope) }
}

/** A row, judged anew: with the terms and events of the comparison it comes out the same. */
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
    capturedStatus: latest('statusId'),
    serviceStatus: numberOrNull(item?.status_id),
    ...noted,
  }
}

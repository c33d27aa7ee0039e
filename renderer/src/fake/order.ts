import type { DeliveryRow } from '#contract/delivery.ts'
import type { Sort, SortKey } from '#contract/order.ts'
import { VERDICTS } from '#contract/values.ts'

function keyOf(by: SortKey, row: DeliveryRow): number | string {
  switch (by) {
    case 'arrival':
      return row.id
    case 'kind':
      return row.kind ?? ''
    case 'document':
      return row.number ?? row.documentId ?? ''
    case 'verdict':
      return row.verdict === null ? -1 : VERDICTS.indexOf(row.verdict)
    case 'answer':
      return row.answer ?? -1
    case 'took':
      return row.tookUs ?? -1
    case 'timestamp':
      return row.timestamp === null ? -1 : Date.parse(row.timestamp)
    case 'tags':
      return row.tags[0] ?? ''
    case 'path':
      return row.url
    default:
      return row[by]
  }
}

/** Indices of deliveries from the lowest position up. */
export function ordered(
  indices: readonly number[],
  row: (index: number) => DeliveryRow,
  sort: Sort,
): number[] {
  const keys = new Map(indices.map((index) => [index, keyOf(sort.by, row(index))]))
  const ascending = indices.toSorted((a, b) => {
    const [x, y] = [keys.get(a) ?? 0, keys.get(b) ?? 0]
    return x < y ? -1 : x > y ? 1 : a - b
  })
  return sort.descending ? ascending : ascending.toReversed()
}

import type { SortKey } from '#contract/order.ts'

/** What a key is compared as. No value comes before every other. */
export type KeyType = 'number' | 'text'

export interface OrderKey {
  /** Over `delivery d` joined with `analysis a`. */
  readonly sql: string
  readonly type: KeyType
  /** Known only once a delivery is analysed. */
  readonly analysed?: boolean
  /** Known only once a delivery is answered, which is told a while later. */
  readonly answered?: boolean
  /** May change at any later time: an order by it is that of the moment when it was asked for. */
  readonly changes?: boolean
  /** Column of `analysis` with an index that has this order, where every delivery is to be ordered. */
  readonly led?: string
}

export const ORDER_KEYS: Readonly<Record<SortKey, OrderKey>> = {
  arrival: { sql: 'd.id', type: 'number', led: 'delivery_id' },
  kind: { sql: 'a.kind', type: 'text', analysed: true, led: 'kind' },
  // What the list shows.
  document: { sql: 'coalesce(a.number, a.document_id)', type: 'text', analysed: true },
  verdict: { sql: 'a.verdict', type: 'number', analysed: true, led: 'verdict' },
  tags: { sql: '(SELECT min(tag) FROM tag WHERE delivery_id = d.id)', type: 'text', changes: true },
  endpoint: { sql: 'd.endpoint', type: 'text' },
  answer: { sql: 'd.answer_status', type: 'number', answered: true },
  size: { sql: 'd.size', type: 'number' },
  took: { sql: 'd.took_us', type: 'number', answered: true },
  timestamp: { sql: 'a.instant', type: 'number', analysed: true },
  attempts: {
    sql: '(SELECT count(*) FROM attempt WHERE delivery_id = d.id)',
    type: 'number',
    changes: true,
  },
  method: { sql: 'd.method', type: 'text' },
  path: { sql: 'd.url', type: 'text' },
}

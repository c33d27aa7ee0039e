import { KINDS } from '#catalog/kinds.ts'
import { type Handlers, type HandlersOf, QUERIES, type QueryName } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { refused } from '#contract/errors.ts'
import { copyDeliveries } from '../copy/copy.ts'
import { readFilter } from '../filter/read.ts'
import type { Deliveries, Store } from '../ports.ts'
import { forwarded } from '../threads.ts'

/** @param deliveries with credentials masked */
export function deliveryHandlers(
  store: Store,
  deliveries: Deliveries,
  mask: (detail: DeliveryDetail) => DeliveryDetail,
): HandlersOf<
  | `deliveries.${string}`
  | `documents.${string}`
  | `drift.${string}`
  | `retention.${string}`
  | `trash.${string}`
  | 'filter.counts'
  | 'tags.list'
  | 'timeline.get'
> {
  const { coverage, trash } = store
  const queries: { readonly [C in QueryName]: Handlers[C] } = deliveries
  const missing = (id: number) => refused('not-found', 'no-delivery', { id })
  return {
    ...forwarded(QUERIES, (command, params) => queries[command](params)),
    'deliveries.page': async ({ filter, ...rest }) => deliveries.page(readFilter(filter), rest),
    'deliveries.scan': async ({ filter, ...rest }) => ({
      rows: await deliveries.scan(readFilter(filter), rest),
    }),
    'deliveries.get': async ({ id, reveal }) => {
      const detail = await deliveries.get(id)
      if (!detail) throw missing(id)
      return reveal ? detail : mask(detail)
    },
    'deliveries.body': async ({ id, view, from, length, reveal }) => {
      const slice = await (reveal ? store.deliveries : deliveries).body(id, view, from, length)
      if (!slice) throw missing(id)
      return slice
    },
    'deliveries.rows': async ({ ids }) => {
      const rows = new Map((await deliveries.rows(ids)).map((row) => [row.id, row]))
      return { rows: ids.flatMap((id) => rows.get(id) ?? []) }
    },
    'deliveries.copy': (params) => copyDeliveries(deliveries, store.deliveries, mask, params),
    'deliveries.pin': async ({ ids, pinned }) => ({ changed: await deliveries.pin(ids, pinned) }),
    'deliveries.annotate': async (change) => ({ changed: await deliveries.annotate(change) }),
    'deliveries.settled': async ({ timeoutMs }) => ({ unjudged: await deliveries.settled(timeoutMs) }),
    'deliveries.trash': async ({ ids, filter = '', upTo = null }) =>
      trash.add(ids ? { ids } : { filter: readFilter(filter), text: filter, upTo }),
    'deliveries.restore': async ({ batch }) => ({ deliveries: await trash.restore(batch) }),
    'trash.empty': async ({ batch = null }) => trash.empty(batch),
    'retention.preview': (params) => deliveries.retention(params, false),
    'retention.apply': (params) => deliveries.retention(params, true),
    'timeline.get': async ({ filter, ...params }) => {
      const counted = await deliveries.timeline(readFilter(filter), params)
      // `true`: on a new user's timeline the time before the first start is not a gap.
      return { ...counted, coverage: await coverage.list(counted.from, counted.to, true) }
    },
    'drift.reset': async ({ kind }) => {
      const kinds = kind === undefined ? KINDS.map((spec) => spec.kind) : [kind]
      await deliveries.driftReset(kinds)
      return { kinds: kinds.length }
    },
  }
}

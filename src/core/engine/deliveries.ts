import { KINDS } from '#catalog/kinds.ts'
import type { HandlersOf } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import { copyDeliveries } from '../copy/copy.ts'
import { documentFilter } from '../documents/document-filter.ts'
import { readFilter } from '../filter/read.ts'
import type { Deliveries, Store } from '../ports.ts'

/**
 * Handlers of all that reads or changes captured deliveries.
 * @param deliveries with credentials masked
 * @param mask masks the secrets of a delivery
 */
export function deliveryHandlers(
  store: Store,
  deliveries: Deliveries,
  mask: (detail: DeliveryDetail) => DeliveryDetail,
): HandlersOf<
  | `deliveries.${string}`
  | `documents.${string}`
  | `retention.${string}`
  | `trash.${string}`
  | 'filter.counts'
  | 'tags.list'
  | 'timeline.get'
> {
  const { coverage, trash } = store
  const missing = (id: number) =>
    new AcuseError('not-found', `There is no delivery ${id}; it may have been deleted.`, { id })
  return {
    'deliveries.page': async ({ filter, ...rest }) => deliveries.page(readFilter(filter), rest),
    'deliveries.scan': async ({ filter, ...rest }) => ({
      rows: await deliveries.scan(readFilter(filter), rest),
    }),
    'deliveries.locate': async ({ filter, id, sort }) => deliveries.locate(readFilter(filter), id, sort),
    'deliveries.at': async ({ filter, instant, sort }) => deliveries.at(readFilter(filter), instant, sort),
    'deliveries.summary': async ({ filter }) => deliveries.summary(readFilter(filter)),
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
    'trash.list': async () => ({ batches: await trash.list() }),
    'trash.empty': async ({ batch = null }) => trash.empty(batch),
    'retention.preview': (params) => deliveries.retention(params, false),
    'retention.apply': (params) => deliveries.retention(params, true),
    'tags.list': async () => ({ tags: await deliveries.tags() }),
    'filter.counts': async ({ field, filter }) => deliveries.valueCounts(readFilter(filter), field),
    'timeline.get': async ({ filter, ...params }) => {
      const counted = await deliveries.timeline(readFilter(filter), params)
      return { ...counted, coverage: await coverage.list(counted.from, counted.to) }
    },
    'documents.page': async ({ query, ...params }) =>
      deliveries.documents(documentFilter(readFilter(query)), params),
    'documents.get': async ({ key }) => (await deliveries.document(key)) ?? null,
  }
}

/** What was ever observed of each kind. */
export function driftHandlers(deliveries: Deliveries): HandlersOf<`drift.${string}`> {
  return {
    'drift.list': async ({ since = 0 }) => ({ kinds: await deliveries.driftKinds(since) }),
    'drift.profile': async ({ kind }) => deliveries.driftProfile(kind),
    'drift.events': async (params) => deliveries.driftEvents(params),
    'drift.reset': async ({ kind }) => {
      const kinds = kind === undefined ? KINDS.map((spec) => spec.kind) : [kind]
      await deliveries.driftReset(kinds)
      return { kinds: kinds.length }
    },
  }
}

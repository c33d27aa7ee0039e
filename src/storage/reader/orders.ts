import type { Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Ordered } from '#contract/order.ts'
import { RecentlyUsed, raw } from '../sql/connection.ts'
import { Members, storedUpto } from './members.ts'
import { OrderBuild } from './order-build.ts'
import type { OrderPlan, SetPlan } from './plan.ts'
import type { SearchedStore, Searches } from './searches.ts'

/** Orders to cache; each takes four bytes per delivery. The least recently used is evicted. */
const KEPT = 4
/** Longest wait of a query for an order; a slower order is ready for a later query. */
const FIRST_MS = 60

export interface OrderedStore extends Pick<SearchedStore, 'statements' | 'rows'> {
  readonly searches: Searches
}

interface Order {
  readonly key: string
  readonly upto: number
  /** In ascending order of the key. */
  readonly ids: Uint32Array
}

/**
 * Executes `order` plans: a list of ids, made once in slices from the deliveries of that moment; later arrivals are only counted.
 * The indexes for these orders would cost every delivery more than its analysis.
 */
export class Orders {
  readonly #store: OrderedStore
  /** Least recently used first. */
  #kept: Order[] = []
  readonly #builds = new Set<OrderBuild>()
  readonly #newerKnown = new RecentlyUsed<{ upto: number; n: number }>(KEPT)
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: OrderedStore) {
    this.#store = store
  }

  async page(plan: OrderPlan, params: Omit<PageParams, 'filter'>): Promise<Page> {
    const { from, limit } = params
    const found = await this.#find(plan, FIRST_MS)
    const newer = await this.#newer(plan.set, found.upto)
    if ('building' in found) return this.#early(plan, params, found, newer)
    const { ids, upto } = found
    const total = ids.length
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    const end = Math.min(total, start + limit)
    const wanted = plan.descending
      ? ids.subarray(start, end)
      : ids.subarray(total - end, total - start).toReversed()
    return { rows: this.#rows(wanted), from: start, total, ordered: { upto, newer } }
  }

  /** Waits until the order is made, however long that takes. */
  async locate(plan: OrderPlan, id: number): Promise<Result<'deliveries.locate'>> {
    const found = await this.#find(plan, Number.POSITIVE_INFINITY)
    const at = 'ids' in found ? found.ids.indexOf(id) : -1
    if (at < 0 || 'building' in found) return { position: 0, member: false }
    return { position: plan.descending ? at : found.ids.length - 1 - at, member: true }
  }

  reset(): void {
    this.#kept = []
    for (const build of this.#builds) build.drop()
    this.#builds.clear()
    this.#newerKnown.clear()
  }

  async #find(
    plan: OrderPlan,
    waitMs: number,
  ): Promise<Order | { readonly building: NonNullable<Ordered['building']>; readonly upto: number }> {
    const { statements, searches } = this.#store
    const { key, changes } = plan
    const same = this.#kept.filter((order) => order.key === key)
    const settled = searches.settled(plan)
    const known = same.find(({ upto }) =>
      plan.upto === undefined ? !changes && upto === settled : upto === plan.upto,
    )
    if (known) {
      this.#kept = [...this.#kept.filter((order) => order !== known), known]
      return known
    }
    const upto = plan.upto ?? settled
    const going = [...this.#builds].find(
      (one) => !one.dropped && one.key === key && (plan.upto ?? one.upto) === one.upto,
    )
    const build = going ?? new OrderBuild({ statements, searches, plan, upto })
    if (!going) this.#begin(build, changes ? undefined : same.findLast((order) => order.upto < upto))
    const ids = await build.wait(waitMs)
    return ids ? { key, upto: build.upto, ids } : { building: build.progress(), upto: build.upto }
  }

  /** Builds one order at a time: several would delay each other and all other reads. */
  #begin(build: OrderBuild, before: Order | undefined): void {
    this.#builds.add(build)
    this.#last = this.#last.then(async () => {
      const ids = await build.run(before)
      this.#builds.delete(build)
      const { key, upto } = build
      if (!ids) return
      // An older order of the same deliveries may differ, as keys change; it must not serve the next pages.
      const others = this.#kept.filter((order) => order.key !== key || order.upto !== upto)
      this.#kept = [...others, { key, upto, ids }].slice(-KEPT)
    })
  }

  /** Number of members that arrived after the order was made. Settled counts are cached. */
  async #newer(set: SetPlan, upto: number): Promise<number> {
    const { statements, searches } = this.#store
    if (set.strategy === 'search') {
      const { set: found } = await searches.found(set)
      return found.size - found.before(upto + 1)
    }
    const members = new Members(statements, set.rows)
    if (set.changes) return members.count(upto + 1)
    const known = this.#newerKnown.get(`${upto} ${set.key}`, () => ({ upto, n: 0 }))
    const settled = searches.settled(set)
    if (settled > known.upto) {
      known.n += members.count(known.upto + 1, settled)
      known.upto = settled
    }
    return known.n + members.count(known.upto + 1)
  }

  /** The first rows, when an index has the order, at their final positions. */
  #early(
    { ledBy, descending }: OrderPlan,
    { from, limit }: Omit<PageParams, 'filter'>,
    { building, upto }: { readonly building: NonNullable<Ordered['building']>; readonly upto: number },
    newer: number,
  ): Page {
    const ordered = { upto, newer, building }
    if (from !== 'newest' || ledBy === undefined) return { rows: [], from: 0, total: 0, ordered }
    const total = storedUpto(this.#store.statements, upto)
    const way = descending ? 'DESC' : 'ASC'
    const ids = this.#store.statements
      .numbers`SELECT delivery_id AS id FROM analysis WHERE delivery_id <= ${upto} ORDER BY "${raw(ledBy)}"
        ${raw(way)}, delivery_id ${raw(way)} LIMIT ${limit}`.toReversed()
    return { rows: this.#rows(ids), from: Math.max(0, total - ids.length), total, ordered }
  }

  #rows(ids: ArrayLike<number>): DeliveryRow[] {
    const wanted = Array.from(ids)
    const rows = new Map(this.#store.rows(wanted).map((row) => [row.id, row]))
    return wanted.flatMap((id) => rows.get(id) ?? [])
  }
}

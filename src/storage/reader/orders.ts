import type { Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import type { Statements } from '../sql/connection.ts'
import { Making } from './making.ts'
import { MarksCache } from './marks.ts'
import { ORDER_KEYS } from './order-keys.ts'
import type { Searches } from './searches.ts'
import type { Selection } from './selection.ts'
import { storedUpto } from './stored.ts'

/** Orders kept, the least lately used going first: four bytes for each delivery in each of them. */
const KEPT = 4
/** An answer waits this long for its rows; an order that takes longer is there when it is asked for again. */
const FIRST_MS = 60

/** What orders need of the reader around them. */
export interface OrderedStore {
  readonly statements: Statements
  readonly searches: Searches
  /** In order of arrival. */
  rows(ids: readonly number[]): DeliveryRow[]
}

interface Order {
  readonly key: string
  readonly upto: number
  /** Ascending. */
  readonly ids: Uint32Array
}

/**
 * Sets in other orders than that of arrival. An order is a list of ids that is made once, in slices, for the deliveries there are when it
 * is asked for, and then stands: a page is a look into it, and what arrives later is only counted, until it is asked for with that too.
 * No index leads there: those that would be needed cost every delivery more than its analysis.
 */
export class Orders {
  readonly #store: OrderedStore
  /** Least lately used first. */
  #kept: Order[] = []
  readonly #makings = new Set<Making>()
  readonly #newerKnown = new MarksCache<{ upto: number; n: number }>(KEPT)
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: OrderedStore) {
    this.#store = store
  }

  async page(selection: Selection, params: Omit<PageParams, 'filter'>, sort: Sort): Promise<Page> {
    const { from, limit } = params
    const found = await this.#find(selection, sort, FIRST_MS)
    const newer = await this.#newer(selection, found.upto)
    if ('making' in found) return this.#early(selection, params, sort, found, newer)
    const { ids, upto } = found
    const total = ids.length
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    const end = Math.min(total, start + limit)
    const wanted = sort.descending
      ? ids.subarray(start, end)
      : ids.subarray(total - end, total - start).toReversed()
    return { rows: this.#rows(wanted), from: start, total, ordered: { upto, newer } }
  }

  /** Waits for an order that is being made. */
  async locate(selection: Selection, id: number, sort: Sort): Promise<Result<'deliveries.locate'>> {
    const found = await this.#find(selection, sort, Number.POSITIVE_INFINITY)
    const at = 'ids' in found ? found.ids.indexOf(id) : -1
    if (at < 0 || 'making' in found) return { position: 0, member: false }
    return { position: sort.descending ? at : found.ids.length - 1 - at, member: true }
  }

  /** Deliveries were deleted or replaced. */
  reset(): void {
    this.#kept = []
    for (const making of this.#makings) making.drop()
    this.#makings.clear()
    this.#newerKnown.clear()
  }

  async #find(
    selection: Selection,
    sort: Sort,
    patience: number,
  ): Promise<Order | { readonly making: NonNullable<Ordered['making']>; readonly upto: number }> {
    const { statements, searches } = this.#store
    const key = `${sort.by} ${selection.key}`
    const asked = ORDER_KEYS[sort.by]
    const same = this.#kept.filter((order) => order.key === key)
    const settled = searches.settled({
      waitsForAnalysis: selection.waitsForAnalysis || asked.analysed === true,
      waitsForAnswer: selection.waitsForAnswer || asked.answered === true,
    })
    const changes = selection.changesAnywhere || asked.changes === true
    const known = same.find(({ upto }) =>
      sort.upto === undefined ? !changes && upto === settled : upto === sort.upto,
    )
    if (known) {
      this.#kept = [...this.#kept.filter((order) => order !== known), known]
      return known
    }
    const upto = sort.upto ?? settled
    const going = [...this.#makings].find(
      (one) => !one.dropped && one.key === key && (sort.upto ?? one.upto) === one.upto,
    )
    const making = going ?? new Making({ statements, searches, selection, by: sort.by, key, upto })
    if (!going) this.#begin(making, changes ? undefined : same.findLast((order) => order.upto < upto))
    const ids = await making.wait(patience)
    return ids ? { key, upto: making.upto, ids } : { making: making.progress(), upto: making.upto }
  }

  /** One at a time: several would only make each other late, and every other read too. */
  #begin(making: Making, before: Order | undefined): void {
    this.#makings.add(making)
    this.#last = this.#last.then(async () => {
      const ids = await making.run(before)
      this.#makings.delete(making)
      const { key, upto } = making
      if (!ids) return
      // What changes may have been ordered for these deliveries before: further pages are to be those of the first one.
      const others = this.#kept.filter((order) => order.key !== key || order.upto !== upto)
      this.#kept = [...others, { key, upto, ids }].slice(-KEPT)
    })
  }

  /** How many members came after the last that takes part; what is known for good is not counted again. */
  async #newer(selection: Selection, upto: number): Promise<number> {
    const { searches } = this.#store
    if (selection.scanned) {
      const { set } = await searches.found(selection)
      return set.size - set.before(upto + 1)
    }
    if (selection.changesAnywhere) return this.#count(selection, upto, Number.MAX_SAFE_INTEGER)
    const known = this.#newerKnown.get(`${upto} ${selection.key}`, () => ({ upto, n: 0 }))
    const settled = searches.settled(selection)
    if (settled > known.upto) {
      known.n += this.#count(selection, known.upto, settled)
      known.upto = settled
    }
    return known.n + this.#count(selection, known.upto, Number.MAX_SAFE_INTEGER)
  }

  #count({ from, where, params, id }: Selection, after: number, upto: number): number {
    const row = this.#store.statements
      .get(`SELECT count(*) AS n FROM ${from} WHERE (${where}) AND ${id} > ? AND ${id} <= ?`)
      .get(...params, after, upto)
    return Number(row?.n)
  }

  /** The rows shown first where an index has them in order, at the places that they keep. */
  #early(
    selection: Selection,
    { from, limit }: Omit<PageParams, 'filter'>,
    sort: Sort,
    { making, upto }: { readonly making: NonNullable<Ordered['making']>; readonly upto: number },
    newer: number,
  ): Page {
    const { led } = ORDER_KEYS[sort.by]
    const ordered = { upto, newer, making }
    if (from !== 'newest' || led === undefined || !selection.everything)
      return { rows: [], from: 0, total: 0, ordered }
    const total = storedUpto(this.#store.statements, upto)
    const way = sort.descending ? 'DESC' : 'ASC'
    const ids = this.#store.statements
      .get(
        `SELECT delivery_id AS id FROM analysis WHERE delivery_id <= ? ORDER BY "${led}" ${way}, delivery_id ${way} LIMIT ?`,
      )
      .all(upto, limit)
      .map(({ id }) => Number(id))
      .toReversed()
    return { rows: this.#rows(ids), from: Math.max(0, total - ids.length), total, ordered }
  }

  #rows(ids: ArrayLike<number>): DeliveryRow[] {
    const wanted = Array.from(ids)
    const rows = new Map(this.#store.rows(wanted).map((row) => [row.id, row]))
    return wanted.flatMap((id) => rows.get(id) ?? [])
  }
}

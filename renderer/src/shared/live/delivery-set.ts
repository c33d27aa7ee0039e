import type { DeliveryRow, Page, Searching } from '#contract/delivery.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import type { Pushes } from '#contract/pushes.ts'
import { RecentPages } from './recent-pages.ts'

/** Rows per page: about four screens and one short query. The 40 cached pages take a few megabytes. */
export const PAGE_ROWS = 200

interface HeldPage {
  readonly slots: (DeliveryRow | undefined)[]
  /** Still shown, but due for another read. */
  stale: boolean
}

/** Cached rows by position, counted from the oldest. New rows never move positions, so cached pages stay valid. */
export class PageCache {
  readonly #pages = new RecentPages<HeldPage>()
  readonly #rising: boolean

  /** @param rising ids increase with positions, as they do in the order of arrival */
  constructor(rising = true) {
    this.#rising = rising
  }

  row(position: number): DeliveryRow | undefined {
    return this.#pages.get(Math.floor(position / PAGE_ROWS))?.slots[position % PAGE_ROWS]
  }

  /** Stores consecutive rows; they need not begin at a page boundary. */
  put(from: number, rows: readonly DeliveryRow[]): void {
    rows.forEach((row, i) => {
      const position = from + i
      const { slots } = this.#page(Math.floor(position / PAGE_ROWS))
      const known = slots[position % PAGE_ROWS]
      // A read may be older than the push that brought the verdict.
      if (known?.id === row.id && known.verdict !== null && row.verdict === null) return
      slots[position % PAGE_ROWS] = row
    })
  }

  putPage(index: number, rows: readonly DeliveryRow[]): void {
    this.#page(index).stale = false
    this.put(index * PAGE_ROWS, rows)
  }

  /** Whether a page lacks one of the positions, of which only those below `total` exist. */
  needs(index: number, first: number, last: number, total: number): boolean {
    const page = this.#pages.use(index)
    if (!page || page.stale) return true
    const end = Math.min(last, total - 1, (index + 1) * PAGE_ROWS - 1)
    for (let position = Math.max(first, index * PAGE_ROWS); position <= end; position++)
      if (page.slots[position % PAGE_ROWS] === undefined) return true
    return false
  }

  /** @returns the position of a cached row; where ids rise, two comparisons rule out most pages */
  find(id: number): number | undefined {
    for (const [index, { slots }] of this.#pages) {
      const first = slots.find((row) => row !== undefined)
      const last = slots.findLast((row) => row !== undefined)
      if (!first || !last || (this.#rising && (id < first.id || id > last.id))) continue
      const slot = slots.findIndex((row) => row?.id === id)
      if (slot >= 0) return index * PAGE_ROWS + slot
    }
    return undefined
  }

  markStale(): void {
    for (const page of this.#pages.values()) page.stale = true
  }

  shift(by: number): void {
    const pages = [...this.#pages]
    this.#pages.clear()
    for (const [index, { slots }] of pages)
      slots.forEach((row, i) => {
        if (row) this.put(index * PAGE_ROWS + i + by, [row])
      })
  }

  markPageStale(index: number): void {
    const page = this.#pages.get(index)
    if (page) page.stale = true
  }

  indices(): number[] {
    return [...this.#pages.keys()]
  }

  #page(index: number): HeldPage {
    const known = this.#pages.use(index)
    if (known) return known
    const made: HeldPage = { slots: [], stale: false }
    this.#pages.set(index, made)
    return made
  }
}

export type Changed = Pick<Pushes['deliveries.changed'], 'rows' | 'skipped'>
/** Whether a row is in the set; undefined when only the host can tell, as for text search. */
export type Membership = (row: DeliveryRow) => boolean | undefined

/** The follow-up to a push: nothing, or another read of the newest rows. */
export type Aftermath = 'none' | 'refresh'

/** The window's cached part of one filtered set. It sends no requests; the source does. */
export class DeliverySet {
  readonly filter: string
  /** Null: order of arrival. Once rows are loaded `upto` is set: positions are then fixed, and new deliveries are only counted. */
  sort: Sort | null
  readonly pages: PageCache
  total = 0
  /** In other orders: number of members newer than those shown. */
  newer = 0
  /** Progress while the host still sorts; null when it is done. */
  building: Ordered['building'] | null = null
  /** Progress while the host still searches older members; null when all are known. */
  searching: Searching | null = null
  readonly #membership: Membership
  /** Highest id counted in `total`: a pushed row beyond it is new. */
  #newest = 0

  constructor(filter: string, membership: Membership, sort: Sort | null = null) {
    this.filter = filter
    this.sort = sort
    this.pages = new PageCache(sort === null)
    this.#membership = membership
  }

  /** Stores the newest rows and marks contradicting pages stale. @returns how far positions shifted because a search found older members */
  takeNewest(page: Page): number {
    const shift = this.#risen(page)
    if (shift > 0) this.pages.shift(shift)
    if (this.searching && !page.searching) this.pages.markStale()
    this.searching = page.searching ?? null
    this.total += shift
    const moved = page.rows.some((row, i) => {
      const known = this.pages.row(page.from + i)
      return known !== undefined && known.id !== row.id
    })
    if (moved || page.total < this.total) this.pages.markStale()
    this.total = page.total
    this.pages.put(page.from, page.rows)
    this.#newest = page.rows.at(-1)?.id ?? 0
    return shift
  }

  /** Stores the first rows in another order, or the progress of the sorting. */
  takeOrdered({ rows, from, total, ordered }: Page): void {
    if (!this.sort || !ordered) return
    this.sort = { ...this.sort, upto: ordered.upto }
    this.newer = ordered.newer
    this.building = ordered.building ?? null
    if (rows.length === 0 && this.building) return
    this.total = total
    this.pages.put(from, rows)
  }

  #risen(page: Page): number {
    if (!this.searching) return 0
    const before = this.pages.find(this.#newest)
    const now = page.rows.findIndex(({ id }) => id === this.#newest)
    return before === undefined || now < 0 ? Math.max(0, page.total - this.total) : page.from + now - before
  }

  takePage(index: number, page: Page): void {
    if (this.sort) {
      this.building = page.ordered?.building ?? null
      this.newer = page.ordered?.newer ?? this.newer
      if (!this.building) this.pages.putPage(index, page.rows)
      return
    }
    if (this.searching || page.searching) {
      // The search found more members since: positions count from the newest row.
      const from = page.from + this.total - page.total
      if (from >= 0) this.pages.put(from, page.rows)
      return
    }
    this.pages.putPage(index, page.rows)
    // Only the last page may change the total: pushes for rows beyond any other page are still to come and would count twice.
    if (page.from + page.rows.length !== page.total || page.total < this.total) return
    this.total = page.total
    this.#newest = Math.max(this.#newest, page.rows.at(-1)?.id ?? 0)
  }

  apply(changed: Changed): Aftermath {
    if (this.sort) return this.#applyOrdered(changed, this.sort.upto ?? 0)
    if (changed.skipped > 0) {
      // Rows on screen may have changed without a push, and new rows may lie between the pushed ones.
      this.pages.markStale()
      this.#update(changed.rows)
      return 'refresh'
    }
    let aftermath = this.#update(changed.rows)
    const fresh = changed.rows.filter((row) => row.id > this.#newest).sort((a, b) => a.id - b.id)
    for (const row of fresh) {
      const member = this.#membership(row)
      if (member === undefined) aftermath = 'refresh'
      // A row whose neighbours are still undecided must not take their position.
      if (member !== true || aftermath === 'refresh') continue
      this.pages.put(this.total, [row])
      this.total += 1
      this.#newest = row.id
    }
    return aftermath
  }

  /** Shown rows keep their positions, even when a change would move them; only the host can count the new members. */
  #applyOrdered(changed: Changed, upto: number): Aftermath {
    if (changed.skipped > 0) this.pages.markStale()
    for (const row of changed.rows) {
      const position = row.id > upto ? undefined : this.pages.find(row.id)
      if (position !== undefined) this.pages.put(position, [row])
    }
    return changed.skipped > 0 || changed.rows.some(({ id }) => id > upto) ? 'refresh' : 'none'
  }

  #update(rows: readonly DeliveryRow[]): Aftermath {
    let aftermath: Aftermath = 'none'
    for (const row of rows) {
      if (row.id > this.#newest) continue
      const position = this.pages.find(row.id)
      const member = this.#membership(row)
      if (position !== undefined) {
        this.pages.put(position, [row])
        if (member === false) aftermath = 'refresh'
      } else if (this.filter !== '' && member !== false) aftermath = 'refresh'
    }
    return aftermath
  }

  /** Indices of the pages that the source must request before the positions can be drawn. */
  missing(first: number, last: number): number[] {
    const wanted: number[] = []
    for (let index = Math.floor(first / PAGE_ROWS); index * PAGE_ROWS <= last; index++)
      if (this.pages.needs(index, first, last, this.total)) wanted.push(index)
    return wanted
  }
}

import type { DeliveryRow, Page, Searching } from '#contract/delivery.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import type { Pushes } from '#contract/pushes.ts'
import { RecentPages } from './recent-pages.ts'

/** Rows per page: four screens or so, one short query. The 40 pages kept are a few megabytes. */
export const PAGE_ROWS = 200

interface HeldPage {
  readonly slots: (DeliveryRow | undefined)[]
  /** Shown as it is, but to be asked for again. */
  stale: boolean
}

/** The rows that are at hand, by their position from the oldest. Positions never move when rows arrive, so pages stay true. */
export class PageCache {
  readonly #pages = new RecentPages<HeldPage>()
  readonly #rising: boolean

  /** @param rising ids rise with positions, as they do by arrival */
  constructor(rising = true) {
    this.#rising = rising
  }

  row(position: number): DeliveryRow | undefined {
    return this.#pages.get(Math.floor(position / PAGE_ROWS))?.slots[position % PAGE_ROWS]
  }

  /** Puts consecutive rows in; they need not begin on a page. */
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

  /** @returns the position of a row at hand; where ids rise, most pages are passed over by two comparisons */
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

/** What has to be asked of the host after a push: nothing, or the newest rows again. */
export type Aftermath = 'none' | 'refresh'

/** One filtered set as far as the window knows it. No requests are made here; the source does that. */
export class DeliverySet {
  readonly filter: string
  /** Null: by arrival. With `upto` as soon as rows are there: then positions stand still, and what arrives is only counted. */
  sort: Sort | null
  readonly pages: PageCache
  total = 0
  /** In another order: members that came after those shown. */
  newer = 0
  /** The order is still being made, and how far that is. */
  making: Ordered['making'] | null = null
  /** Older members are still being looked for; null when all are known. */
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

  /** Takes the newest rows; what disagrees with them is void. @returns by how much positions have risen: a search has found older members */
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

  /** Takes a read of the first rows in another order, or of what is said about it. */
  takeOrdered({ rows, from, total, ordered }: Page): void {
    if (!this.sort || !ordered) return
    this.sort = { ...this.sort, upto: ordered.upto }
    this.newer = ordered.newer
    this.making = ordered.making ?? null
    if (rows.length === 0 && this.making) return
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
      this.making = page.ordered?.making ?? null
      this.newer = page.ordered?.newer ?? this.newer
      if (!this.making) this.pages.putPage(index, page.rows)
      return
    }
    if (this.searching || page.searching) {
      // Read after more was found: the rows stand where they stand from the newest.
      const from = page.from + this.total - page.total
      if (from >= 0) this.pages.put(from, page.rows)
      return
    }
    this.pages.putPage(index, page.rows)
    // Only a page that holds the end may move it: rows beyond any other page are still to come as pushes, and would count twice.
    if (page.from + page.rows.length !== page.total || page.total < this.total) return
    this.total = page.total
    this.#newest = Math.max(this.#newest, page.rows.at(-1)?.id ?? 0)
  }

  apply(changed: Changed): Aftermath {
    if (this.sort) return this.#applyOrdered(changed, this.sort.upto ?? 0)
    if (changed.skipped > 0) {
      // Some of what is on screen may have changed unseen, and new rows may lie between those that came.
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

  /** What is shown stays where it is, whatever becomes of it; how many are new only the host can tell. */
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

  /** Indices of the pages that the host must be asked for, so that the positions can be drawn. */
  missing(first: number, last: number): number[] {
    const wanted: number[] = []
    for (let index = Math.floor(first / PAGE_ROWS); index * PAGE_ROWS <= last; index++)
      if (this.pages.needs(index, first, last, this.total)) wanted.push(index)
    return wanted
  }
}

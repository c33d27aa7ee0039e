import type { DeliveryRow, Page, PageParams, Searching } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type Changed, DeliverySet, type Membership, PAGE_ROWS } from './delivery-set.ts'

/** More rows than a screen shows, yet an answer below 64 KiB: browsers deliver the rest of a longer answer only when idle. */
const FIRST_ROWS = 100
/** Pause between two reads of the newest rows while a burst or a search calls for them. */
const REFRESH_MS = 150
/** Interval between two reads of the number of new rows, where these are only counted. */
const COUNT_MS = 500
/** Minimum interval between reads of the visible rows: a running job changes attempts five times a second. */
const OUTDATED_MS = 400
const PREFETCH = 100

export interface SourceState {
  readonly filter: string
  readonly total: number
  /** Increases with every change of what is drawn. */
  readonly version: number
  /** Increases when positions become invalid: another filter, or a reset of the store. */
  readonly epoch: number
  /** `first`: no rows were shown yet; `switching`: the previous rows stay until the new ones arrive. */
  readonly loading: 'first' | 'switching' | null
  /** Progress of the search for further members; a stopped search keeps its progress until it is resumed. */
  readonly searching: (Searching & { readonly stopped: boolean }) | null
  /** The order for requests by position; null: by arrival. */
  readonly sort: Sort | null
  readonly newer: number
  /** Progress while the host sorts; null when it is done. */
  readonly building: Ordered['building'] | null
  readonly refusal: Refusal | null
}

type ReadPage = (params: PageParams) => Promise<Page>

/** The deliveries of one filter, addressed by position from the oldest; read page by page and updated by pushes. */
export class DeliverySource {
  readonly #read: ReadPage
  readonly #listeners = new Set<() => void>()
  readonly #pending = new Set<number>()
  readonly #outdated = new Set<number>()
  #outdatedTimer: ReturnType<typeof setTimeout> | undefined
  readonly #shifted: (by: number) => void
  #stopped = false
  #set = new DeliverySet('', () => true)
  /** Pushes that arrived during a read of the newest rows; the answer may be older. */
  #meanwhile: Changed[] | null = null
  #refreshing = false
  #generation = 0
  #wanted = ''
  #coming: Ordered['building'] | null = null
  #refreshTimer: ReturnType<typeof setTimeout> | undefined
  #state: SourceState = {
    filter: '',
    total: 0,
    version: 0,
    epoch: 0,
    loading: 'first',
    searching: null,
    sort: null,
    newer: 0,
    building: null,
    refusal: null,
  }

  /** @param shifted called when all positions have increased, before the new ones are visible */
  constructor(read: ReadPage, shifted: (by: number) => void = () => undefined) {
    this.#read = read
    this.#shifted = shifted
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly state = (): SourceState => this.#state

  row(position: number): DeliveryRow | undefined {
    return this.#set.pages.row(position)
  }

  find(id: number): number | undefined {
    return this.#set.pages.find(id)
  }

  /** Switches to another set once its first rows are loaded. @param membership judges pushed rows @param sort null: by arrival */
  async open(filter: string, membership: Membership, sort: Sort | null = null): Promise<void> {
    this.#wanted = filter
    const generation = this.#begin()
    const next = new DeliverySet(filter, membership, sort)
    this.#change({ loading: this.#state.loading === 'first' ? 'first' : 'switching' })
    try {
      if (!(await this.#first(next, () => generation === this.#generation))) return
      this.#set = next
      this.#pending.clear()
      this.#stopped = false
      this.#coming = null
      this.#change({ filter, loading: null, refusal: null, epoch: this.#state.epoch + 1 })
      this.#replay()
      this.#searchOn()
    } catch (error) {
      if (generation !== this.#generation) return
      this.#meanwhile = null
      this.#coming = null
      this.#change({ loading: null, refusal: refusalOf(error) })
    }
  }

  /** Reads the first rows, and polls while the host still sorts. @returns whether they are still wanted */
  async #first(next: DeliverySet, wanted: () => boolean): Promise<boolean> {
    for (;;) {
      const page = await this.#read({ ...this.asked(next), from: 'newest', limit: FIRST_ROWS })
      if (!wanted()) return false
      if (!next.sort) next.takeNewest(page)
      else next.takeOrdered(page)
      if (!next.building || next.total > 0) return true
      this.#coming = next.building
      this.#change({})
      await new Promise((resolve) => setTimeout(resolve, REFRESH_MS))
      if (!wanted()) return false
    }
  }

  asked(
    { filter, sort }: Pick<DeliverySet, 'filter' | 'sort'> = this.#set,
  ): Pick<PageParams, 'filter' | 'sort'> {
    return sort ? { filter, sort } : { filter }
  }

  /** The latest requested filter; it differs from that of the rows during a load and after a refusal. */
  wanted(): string {
    return this.#wanted
  }

  /** Requests the missing rows of the positions `first` to `last`, and some around them. */
  ensure(first: number, last: number): void {
    if (this.#set.total === 0) return
    const from = Math.max(0, first - PREFETCH)
    const to = Math.min(this.#set.total - 1, last + PREFETCH)
    for (const index of this.#set.missing(from, to)) void this.#load(index)
  }

  stopSearching(stopped: boolean): void {
    this.#stopped = stopped
    this.#searchOn()
    this.#change({})
  }

  apply(pushes: readonly Changed[]): void {
    if (this.#meanwhile) this.#meanwhile.push(...pushes)
    // During a switch the visible set is still updated; a set that is being refreshed waits for the answer.
    if (this.#state.loading === 'first' || this.#refreshing) return
    for (const push of pushes) if (this.#set.apply(push) === 'refresh') this.#refreshSoon()
    this.#change({})
  }

  /** Schedules a read of the visible rows after changes that no push of rows carries. @param ids null: any row may have changed */
  outdate(ids: readonly number[] | null): void {
    const { pages } = this.#set
    const positions = ids?.map((id) => pages.find(id)).filter((position) => position !== undefined)
    const indices = positions?.map((position) => Math.floor(position / PAGE_ROWS)) ?? pages.indices()
    for (const index of indices) this.#outdated.add(index)
    if (this.#outdated.size > 0) this.#readOutdatedSoon()
  }

  #readOutdatedSoon(): void {
    this.#outdatedTimer ??= setTimeout(() => {
      this.#outdatedTimer = undefined
      for (const index of this.#outdated) {
        // A pending answer may be older than the change.
        if (this.#pending.has(index)) continue
        this.#outdated.delete(index)
        this.#set.pages.markPageStale(index)
      }
      if (this.#outdated.size > 0) this.#readOutdatedSoon()
      this.#change({})
    }, OUTDATED_MS)
  }

  #begin(): number {
    clearTimeout(this.#refreshTimer)
    this.#refreshTimer = undefined
    this.#refreshing = false
    this.#coming = null
    this.#pending.clear()
    this.#outdated.clear()
    this.#meanwhile = []
    this.#generation += 1
    return this.#generation
  }

  #replay(): void {
    const pushes = this.#meanwhile ?? []
    this.#meanwhile = null
    if (pushes.length > 0) this.apply(pushes)
  }

  #refreshSoon(): void {
    const { sort, building } = this.#set
    this.#refreshTimer ??= setTimeout(() => void this.#refresh(), sort && !building ? COUNT_MS : REFRESH_MS)
  }

  async #refresh(): Promise<void> {
    // During a switch pushes are kept for the new set; the old one is about to go.
    if (this.#state.loading !== null) {
      this.#refreshTimer = undefined
      return this.#refreshSoon()
    }
    const generation = this.#generation
    this.#refreshing = true
    this.#meanwhile = []
    try {
      const page = await this.#read({
        ...this.asked(this.#set),
        from: 'newest',
        limit: this.#set.sort ? 1 : PAGE_ROWS,
      })
      if (generation !== this.#generation) return
      this.#set.takeOrdered(page)
      const risen = this.#set.sort ? 0 : this.#set.takeNewest(page)
      if (risen > 0) this.#shifted(risen)
      this.#change({ refusal: null })
    } catch (error) {
      if (generation === this.#generation) this.#change({ refusal: refusalOf(error) })
    }
    if (generation !== this.#generation) return
    this.#refreshTimer = undefined
    this.#refreshing = false
    this.#replay()
    this.#searchOn()
  }

  /** The host continues its search only while the window keeps polling. */
  #searchOn(): void {
    if ((this.#set.searching && !this.#stopped) || this.#set.building) this.#refreshSoon()
  }

  async #load(index: number): Promise<void> {
    if (this.#pending.has(index)) return
    const generation = this.#generation
    const set = this.#set
    // During a switch the visible set is still read, and its rows must not enter the new set.
    const gone = () => generation !== this.#generation || set !== this.#set
    this.#pending.add(index)
    try {
      const page = await this.#read({ ...this.asked(set), from: index * PAGE_ROWS, limit: PAGE_ROWS })
      if (gone()) return
      set.takePage(index, page)
      // While the host sorts, its first rows are polled.
      setTimeout(() => this.#pending.delete(index), page.ordered?.building ? REFRESH_MS : 0)
      this.#change({ refusal: null })
      this.#searchOn()
    } catch (error) {
      if (gone()) return
      this.#change({ refusal: refusalOf(error) })
      // The next draw may retry, but not in a tight loop against a host that refuses.
      setTimeout(() => this.#pending.delete(index), 1_000)
    }
  }

  #change(change: Partial<SourceState>): void {
    const { total, searching, sort, newer } = this.#set
    const known = searching && { ...searching, stopped: this.#stopped }
    const building = this.#coming ?? this.#set.building
    const version = this.#state.version + 1
    this.#state = { ...this.#state, ...change, total, searching: known, sort, newer, building, version }
    for (const listener of this.#listeners) listener()
  }
}

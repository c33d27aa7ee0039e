import type { DeliveryRow, Page, PageParams, Searching } from '#contract/delivery.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Ordered, Sort } from '#contract/order.ts'
import { refusalOf } from '@/shared/platform/refusal-error.ts'
import { type Changed, DeliverySet, type Membership, PAGE_ROWS } from './delivery-set.ts'

/** More than a screen holds, in less than the 64 KiB that a page takes at once: the rest of a longer answer waits until it is idle. */
const FIRST_ROWS = 100
/** Pause between two reads of the newest rows while a burst or a search calls for them. */
const REFRESH_MS = 150
/** Between two reads of how many are new, where they are only counted. */
const COUNT_MS = 500
/** Attempts change five times a second while many are made; what is on screen is read again this often at most. */
const OUTDATED_MS = 400
const PREFETCH = 100

export interface SourceState {
  readonly filter: string
  readonly total: number
  /** Rises with everything that changes what is drawn. */
  readonly version: number
  /** Rises when positions lose their meaning: another filter, or a reset of the store. */
  readonly epoch: number
  /** `first`: nothing was ever shown; `switching`: the previous rows stand until the new ones are there. */
  readonly loading: 'first' | 'switching' | null
  /** Not all members are known yet, and how far the search for them is; stopped ones stand until they are gone on with. */
  readonly searching: (Searching & { readonly stopped: boolean }) | null
  /** The order of the rows, as positions are to be asked for; null: by arrival. */
  readonly sort: Sort | null
  readonly newer: number
  /** The order asked for is still being made, and how far that is. */
  readonly making: Ordered['making'] | null
  readonly refusal: Refusal | null
}

type ReadPage = (params: PageParams) => Promise<Page>

/** The deliveries of one filter, addressed by position from the oldest; kept true by pushes, read page by page. */
export class DeliverySource {
  readonly #read: ReadPage
  readonly #listeners = new Set<() => void>()
  readonly #pending = new Set<number>()
  readonly #outdated = new Set<number>()
  #outdatedTimer: ReturnType<typeof setTimeout> | undefined
  readonly #shifted: (by: number) => void
  #stopped = false
  #set = new DeliverySet('', () => true)
  /** Pushes that came while the newest rows were being read; the answer may be older than they are. */
  #meanwhile: Changed[] | null = null
  #refreshing = false
  #generation = 0
  #wanted = ''
  #coming: Ordered['making'] | null = null
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
    making: null,
    refusal: null,
  }

  /** @param shifted told when all positions have risen, before the new ones are to be seen */
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

  /** Shows another set as soon as its first rows are there. @param membership decides over pushed rows @param sort null: by arrival */
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

  /** Reads the first rows; an order that has to be made first is asked for until it is. @returns whether they are still wanted */
  async #first(next: DeliverySet, wanted: () => boolean): Promise<boolean> {
    for (;;) {
      const page = await this.#read({ ...this.asked(next), from: 'newest', limit: FIRST_ROWS })
      if (!wanted()) return false
      if (!next.sort) next.takeNewest(page)
      else next.takeOrdered(page)
      if (!next.making || next.total > 0) return true
      this.#coming = next.making
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

  /** The filter asked for last, which is not yet that of the rows while it loads, or after it was refused. */
  wanted(): string {
    return this.#wanted
  }

  /** Asks for what is missing of the positions `first` to `last`, and a little around them. */
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
    // While another set is on its way the one on screen goes on living; one that is being read again waits for the answer.
    if (this.#state.loading === 'first' || this.#refreshing) return
    for (const push of pushes) if (this.#set.apply(push) === 'refresh') this.#refreshSoon()
    this.#change({})
  }

  /** Rows changed in something that no push of rows tells: those on screen are read again soon. @param ids null: any of them may have */
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
        // An answer that is on its way may be older than the change.
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
    const { sort, making } = this.#set
    this.#refreshTimer ??= setTimeout(() => void this.#refresh(), sort && !making ? COUNT_MS : REFRESH_MS)
  }

  async #refresh(): Promise<void> {
    // Another set is on its way: pushes are kept for it, and this one goes.
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

  /** The host searches for as long as it is asked. */
  #searchOn(): void {
    if ((this.#set.searching && !this.#stopped) || this.#set.making) this.#refreshSoon()
  }

  async #load(index: number): Promise<void> {
    if (this.#pending.has(index)) return
    const generation = this.#generation
    const set = this.#set
    // While another set is on its way the one on screen is still read: its rows are not those of the other.
    const gone = () => generation !== this.#generation || set !== this.#set
    this.#pending.add(index)
    try {
      const page = await this.#read({ ...this.asked(set), from: index * PAGE_ROWS, limit: PAGE_ROWS })
      if (gone()) return
      set.takePage(index, page)
      // An order that is being made is asked for again with its first rows.
      setTimeout(() => this.#pending.delete(index), page.ordered?.making ? REFRESH_MS : 0)
      this.#change({ refusal: null })
      this.#searchOn()
    } catch (error) {
      if (gone()) return
      this.#change({ refusal: refusalOf(error) })
      // Asked for again by the next draw that needs it, but not in a tight loop against a host that refuses.
      setTimeout(() => this.#pending.delete(index), 1_000)
    }
  }

  #change(change: Partial<SourceState>): void {
    const { total, searching, sort, newer } = this.#set
    const known = searching && { ...searching, stopped: this.#stopped }
    const making = this.#coming ?? this.#set.making
    const version = this.#state.version + 1
    this.#state = { ...this.#state, ...change, total, searching: known, sort, newer, making, version }
    for (const listener of this.#listeners) listener()
  }
}

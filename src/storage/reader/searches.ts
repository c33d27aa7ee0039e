import { setImmediate as turn } from 'node:timers/promises'
import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryRow, Page, PageParams, Searching } from '#contract/delivery.ts'
import type { TimeLimit } from '../body/opened.ts'
import { minuteOf } from '../sql/columns.ts'
import { RecentlyUsed, type Statements } from '../sql/connection.ts'
import { type Extent, FoundSet, type Place, Search } from './found-set.ts'
import { deletionsFollowed } from './members.ts'
import type { Plan, SetPlan } from './plan.ts'

/** Filters whose found members are cached. */
const REMEMBERED = 8
/** Longest wait of a query for its rows; the search continues, and the next query gets the rows found meanwhile. */
const FIRST_MS = 80
/** How long a search continues after the last query; a window that still shows it asks again. */
const WANTED_MS = 2_000
/** Members whose values are counted for the filter's completions. */
const MOST_COUNTED = 5_000
/** Age in microseconds from which an unanswered delivery counts as one without an answer. */
const ANSWERED_US = 660_000_000
/** Newest deliveries among which to look for one that is still being answered. */
const MOST_OPEN = 2_000

export interface SearchedStore {
  readonly statements: Statements
  readonly timeLimit: TimeLimit
  /** In order of arrival. */
  rows(ids: readonly number[]): DeliveryRow[]
  /** @returns the id up to which every delivery is analysed */
  analysed(): number
  highest(): number
}

/** Executes `search` plans in slices of milliseconds, newest first, while a window asks. A result covers the members found so far. */
export class Searches {
  readonly #store: SearchedStore
  readonly #sets = new RecentlyUsed<{ set: FoundSet; firm: number }>(REMEMBERED)
  #working: { plan: SetPlan; asked: number; set: FoundSet } | undefined
  #closed = false

  constructor(store: SearchedStore) {
    this.#store = store
  }

  async page(plan: SetPlan, { from, limit }: Omit<PageParams, 'filter'>): Promise<Page> {
    const set = this.#set(plan)
    await this.#until(plan, set, () => from === 'newest' && set.size >= limit)
    const total = set.size
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    const rows = this.#store.rows(set.ids(start, limit))
    return { rows, from: start, total, ...this.#searching(plan, set) }
  }

  async summary(plan: SetPlan): Promise<Result<'deliveries.summary'>> {
    const set = this.#set(plan)
    await this.#until(plan, set, () => false)
    const verdicts = set.counts(this.#store.statements, this.#store.analysed())
    return { total: set.size, verdicts, ...this.#searching(plan, set) }
  }

  /** A member that is not found yet has no position, so it counts as no member. */
  async locate(plan: SetPlan, id: number): Promise<Result<'deliveries.locate'>> {
    const set = this.#set(plan)
    await this.#until(plan, set, () => set.has(id))
    return { position: set.before(id), member: set.has(id) }
  }

  /** Searches the deliveries instead of the found set, so that the result is complete. */
  async scan(
    plan: SetPlan,
    { after, limit, newest = false }: Omit<Params<'deliveries.scan'>, 'filter'>,
  ): Promise<DeliveryRow[]> {
    const { lowest, settled } = this.#extent(plan)
    const from = newest ? Math.min(settled, (after ?? settled + 1) - 1) : Math.max(lowest, (after ?? 0) + 1)
    const end = newest ? lowest : settled
    if (newest ? from < end : from > end) return []
    const search = new Search(this.#store.statements, this.#store.timeLimit, plan)
    const ids = await search.stream({ from, end, limit, down: newest })
    const rows = this.#store.rows(ids)
    return newest ? rows.toReversed() : rows
  }

  /** The newest members found within FIRST_MS; null when an index answers the filter. */
  async newestOf(plan: SetPlan): Promise<readonly number[] | null> {
    if (plan.strategy !== 'search') return null
    const set = this.#set(plan)
    await this.#until(plan, set, () => set.size >= MOST_COUNTED)
    return set.ids(Math.max(0, set.size - MOST_COUNTED), MOST_COUNTED)
  }

  /** Continues for FIRST_MS. @returns the members found so far, and the progress unless complete */
  async found(plan: SetPlan): Promise<{ readonly set: FoundSet; readonly searching?: Searching }> {
    const set = this.#set(plan)
    await this.#until(plan, set, () => false)
    return { set, ...this.#searching(plan, set) }
  }

  reset(): void {
    this.#sets.clear()
    this.#working = undefined
  }

  close(): void {
    this.#closed = true
    this.reset()
  }

  #set(plan: SetPlan): FoundSet {
    const { statements, timeLimit } = this.#store
    const changes = plan.changes ? changesOf(statements) : ''
    const firm = this.settled(plan)
    const make = () => {
      const place = placeOf(statements, plan, this.#store.analysed())
      // The index of minutes knows only analysed deliveries.
      const start = place ? Math.min(firm, this.#store.analysed()) : firm
      return { set: new FoundSet(new Search(statements, timeLimit, plan), start, changes, place), firm }
    }
    const kept = this.#sets.get(plan.key, make)
    if (kept.set.changes !== changes) kept.set = make().set
    if (plan.waitsForAnswer) kept.set.rewind(statements, kept.firm)
    kept.firm = firm
    return kept.set
  }

  /** Searches until enough is found or FIRST_MS have passed, then continues in the background while windows ask. */
  async #until(plan: SetPlan, set: FoundSet, enough: () => boolean): Promise<void> {
    const began = performance.now()
    for (;;) {
      const extent = this.#extent(plan)
      if (set.done(extent)) return
      if (performance.now() - began > FIRST_MS || enough()) break
      set.step(extent)
      await turn()
    }
    const idle = this.#working === undefined
    this.#working = { plan, set, asked: performance.now() }
    if (idle) void this.#work()
  }

  /** Continues in the background, with the set of the latest query only. */
  async #work(): Promise<void> {
    try {
      for (;;) {
        await turn()
        const working = this.#working
        if (!working || this.#closed) return
        const extent = this.#extent(working.plan)
        if (working.set.done(extent) || performance.now() - working.asked > WANTED_MS) {
          this.#working = undefined
          return
        }
        working.set.step(extent)
      }
    } catch {
      // The next query meets the same failure and reports it.
      this.#working = undefined
    }
  }

  #searching(plan: SetPlan, set: FoundSet): Pick<Page, 'searching'> {
    const extent = this.#extent(plan)
    return set.done(extent) ? {} : { searching: set.progress(extent) }
  }

  #extent(plan: SetPlan): Extent {
    const { statements } = this.#store
    const lowest = Number(statements.value`SELECT min(id) FROM delivery` ?? 1)
    return { lowest, settled: Math.max(this.#known(plan), lowest - 1) }
  }

  #known({ waitsForAnalysis }: Pick<Plan, 'waitsForAnalysis'>): number {
    return waitsForAnalysis ? this.#store.analysed() : this.#store.highest()
  }

  /** @returns the id up to which membership no longer changes; among the newest, some deliveries may still wait for their answer */
  settled(plan: Pick<Plan, 'waitsForAnalysis' | 'waitsForAnswer'>): number {
    const known = this.#known(plan)
    if (!plan.waitsForAnswer) return known
    const row = this.#store.statements
      .one`SELECT min(id) AS id FROM delivery WHERE id > ${known - MOST_OPEN} AND took_us IS NULL
        AND answer_status IS NOT NULL AND answered_by IS NULL AND synthetic = 0
        AND received_at > ${Date.now() * 1000 - ANSWERED_US}`
    return typeof row?.id === 'number' ? Math.min(known, row.id - 1) : known
  }
}

/** @returns a text that differs after a change of pins, notes, tags or attempts */
function changesOf(statements: Statements): string {
  const pins = statements.one`SELECT count(*) AS n, total(delivery_id * 1.000001) AS sum FROM pin`
  const attempts = statements.one`SELECT max(rowid) AS last, count(*) AS n FROM attempt`
  const written = statements.one`SELECT value FROM meta WHERE key = 'annotated'`
  return [pins?.n, pins?.sum, attempts?.last, attempts?.n, written?.value].join(' ')
}

/**
 * Range of ids of the analysed deliveries in a time range, by the index of minutes; undefined when unknown. Ids rise with
 * time, but not strictly: a long body is stored long after it began to arrive, and clocks get adjusted.
 */
function placeOf(statements: Statements, plan: SetPlan, analysed: number): Place | undefined {
  const received = plan.strategy === 'search' ? plan.received : null
  if (!received || !deletionsFollowed(statements)) return undefined
  const first = received.from === null ? Number.MIN_SAFE_INTEGER : minuteOf(received.from)
  const last = received.to === null ? Number.MAX_SAFE_INTEGER : minuteOf(received.to)
  const row = statements.one`SELECT min(delivery_id) AS lowest, max(delivery_id) AS highest FROM analysis
    WHERE minute >= ${first} AND minute <= ${last}`
  if (typeof row?.lowest !== 'number') return { lowest: analysed + 1, highest: analysed }
  return { lowest: row.lowest, highest: Number(row.highest) }
}

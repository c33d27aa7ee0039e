import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import type { Params } from '#contract/commands.ts'
import type {
  BodySlice,
  DeliveryDetail,
  DeliveryRow,
  Page,
  PageParams,
  RetentionParams,
} from '#contract/delivery.ts'
import type { CoverageSpan } from '#contract/status.ts'
import type { Timeline } from '#contract/timeline.ts'
import { documentFilter } from '#core/documents.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { TimelineCounts, TimelineQuery } from '#core/ports.ts'
import { allowOpening } from '../body/opened.ts'
import type { StoreFiles } from '../disk/files.ts'
import { ATTEMPTS, createOptionalDatabase, MISSED, type OptionalDatabase } from '../sql/attached.ts'
import { inSnapshot, openForReading, Statements } from '../sql/connection.ts'
import { firstSince, highestId, readProgress } from '../sql/numbers.ts'
import { activitiesBetween, coverageBetween, recordedBetween } from './activities.ts'
import { Details, DriftReader } from './detail.ts'
import { Documents } from './documents.ts'
import { Indexed } from './indexed.ts'
import { Orders } from './orders.ts'
import { plan } from './plan.ts'
import { planRetention, type RetentionPlan, trashBatches } from './retention.ts'
import { rowsOf, withAttempts } from './rows.ts'
import { Searches } from './searches.ts'
import { TimelineReader } from './timeline.ts'
import { Totals } from './totals.ts'
import { valueCounts } from './value-counts.ts'

/** By default an attached file has 2 MiB: too little, as a page looks up each row's document by a random key. */
const CACHES = { captured: 8, derived: 10 }

/** All queries of the store. Other threads can call each public method with plain values. It never writes. */
export class Reader {
  readonly #db: DatabaseSync
  readonly statements: Statements
  readonly #optional: readonly OptionalDatabase[]
  readonly #timeline: TimelineReader
  readonly #documents: Documents
  readonly #drift: DriftReader
  readonly #indexed: Indexed
  readonly #searches: Searches
  readonly #orders: Orders
  readonly #totals: Totals
  readonly #details: Details

  /** @param caches MiB for both databases: one that reads in order of ids needs less @throws SQLite's error */
  constructor(
    paths: Pick<StoreFiles, 'captured' | 'derived' | 'replays' | 'sweeps'>,
    caches: { readonly captured: number; readonly derived: number } = CACHES,
  ) {
    this.#db = openForReading(paths.captured, caches.captured)
    this.statements = new Statements(this.#db)
    this.#timeline = new TimelineReader(this.statements)
    this.#totals = new Totals(this.statements)
    this.#indexed = new Indexed(this.statements, this.#totals)
    this.#documents = new Documents(this.statements)
    this.#drift = new DriftReader(this.statements)
    this.#details = new Details(this.statements)
    try {
      this.#optional = [
        createOptionalDatabase(this.#db, paths.replays, ATTEMPTS),
        createOptionalDatabase(this.#db, paths.sweeps, MISSED),
      ]
      this.#db.prepare('ATTACH ? AS derived').run(paths.derived)
      this.#db.exec(`PRAGMA derived.cache_size=-${caches.derived * 1024}`)
      this.#searches = new Searches({
        statements: this.statements,
        timeLimit: allowOpening(this.#db, this.statements),
        rows: (ids) => this.rows(ids),
        analysed: () => this.#analysed(),
        highest: () => highestId(this.statements),
      })
      this.#orders = new Orders({
        statements: this.statements,
        searches: this.#searches,
        rows: (ids) => this.rows(ids),
      })
      // A derived.db of another version must fail here, not in the first query.
      this.#analysed()
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  async page(filter: Filter, params: Omit<PageParams, 'filter'>): Promise<Page> {
    const read = plan(filter, params.sort)
    this.attach()
    if (read.strategy === 'order') return this.#orders.page(read, params)
    if (read.strategy === 'search') return this.#searches.page(read, params)
    return this.#inSnapshot(() => this.#indexed.page(read, params))
  }

  async scan(filter: Filter, params: Omit<Params<'deliveries.scan'>, 'filter'>): Promise<DeliveryRow[]> {
    const read = plan(filter)
    this.attach()
    if (read.strategy === 'search') return this.#searches.scan(read, params)
    return this.#inSnapshot(() => this.#indexed.scan(read, params))
  }

  async members(filter: Filter, after: number, limit: number): Promise<number[]> {
    const read = plan(filter)
    this.attach()
    if (read.strategy === 'search')
      return (await this.#searches.scan(read, { after, limit })).map(({ id }) => id)
    return this.#indexed.members(read, after, limit)
  }

  async 'deliveries.locate'({ filter, id, sort }: Params<'deliveries.locate'>) {
    const read = plan(readFilter(filter), sort)
    this.attach()
    if (read.strategy === 'order') return this.#orders.locate(read, id)
    if (read.strategy === 'search') return this.#searches.locate(read, id)
    return this.#inSnapshot(() => this.#indexed.locate(read, id))
  }

  async 'deliveries.at'({ filter, instant, sort }: Params<'deliveries.at'>) {
    const tree = readFilter(filter)
    const read = plan(tree)
    this.attach()
    const found = read.strategy === 'search' ? await this.#searches.found(read) : undefined
    const { position, id } = this.#inSnapshot(() =>
      this.#indexed.memberFrom(read, firstSince(this.statements, instant * 1_000), found?.set),
    )
    const receivedAt = id === null ? null : (this.rows([id])[0]?.receivedAt ?? null)
    const place = sort && id !== null ? await this.#orders.locate(plan(tree, sort), id) : { position }
    const searching = found?.searching ? { searching: found.searching } : {}
    return { position: place.position, id, receivedAt, ...searching }
  }

  async 'deliveries.summary'({ filter }: Params<'deliveries.summary'>) {
    const read = plan(readFilter(filter))
    this.attach()
    if (read.strategy === 'search') return this.#searches.summary(read)
    for (;;) {
      const verdicts = this.#inSnapshot(() => this.#totals.byVerdict(read, this.#analysed()))
      if (verdicts) return { total: Object.values(verdicts).reduce((sum, n) => sum + n, 0), verdicts }
      await turn()
    }
  }

  'drift.list'({ since = 0 }: Params<'drift.list'>) {
    return inSnapshot(this.#db, () => ({ kinds: this.#drift.kinds(since) }))
  }

  'drift.profile'({ kind }: Params<'drift.profile'>) {
    return inSnapshot(this.#db, () => this.#drift.profile(kind))
  }

  'drift.events'(query: Params<'drift.events'>) {
    return inSnapshot(this.#db, () => this.#drift.events(query))
  }

  'documents.page'({ query, ...params }: Params<'documents.page'>) {
    const filter = documentFilter(readFilter(query))
    return inSnapshot(this.#db, () => this.#documents.page(filter, params))
  }

  'documents.get'({ key }: Params<'documents.get'>) {
    this.attach()
    return inSnapshot(this.#db, () => this.#documents.life(key) ?? null)
  }

  timeline(filter: Filter, query: TimelineQuery): TimelineCounts & Pick<Timeline, 'marks'> {
    const counts = this.#inSnapshot(() => this.#timeline.count(plan(filter), query, this.#analysed()))
    return { ...counts, marks: activitiesBetween(this.statements, counts.from, counts.to) }
  }

  async 'filter.counts'({ filter, field }: Params<'filter.counts'>) {
    const read = plan(readFilter(filter))
    this.attach()
    const among = await this.#searches.newestOf(read)
    return this.#inSnapshot(() => valueCounts(this.statements, read, field, among))
  }

  'tags.list'() {
    // The join leaves out deliveries in the trash, whose tags stay in the table.
    const rows = this.statements
      .all`SELECT t.tag, count(*) AS n FROM tag t JOIN delivery d ON d.id = t.delivery_id
      GROUP BY t.tag ORDER BY n DESC, t.tag`
    return { tags: rows.map(({ tag, n }) => ({ tag: String(tag), count: Number(n) })) }
  }

  rows(ids: readonly number[]): DeliveryRow[] {
    this.attach()
    return rowsOf(this.statements, ids)
  }

  /** Adds the attempts to rows read on this connection. Call it outside of a transaction. */
  counted<R extends DeliveryRow>(rows: readonly R[]): R[] {
    this.attach()
    return withAttempts(this.statements, rows)
  }

  get(id: number): DeliveryDetail | undefined {
    const found = this.#details.get(id)
    return found && this.counted([found])[0]
  }

  body(id: number, view: 'raw' | 'decoded', from: number, length: number): Promise<BodySlice | undefined> {
    return this.#details.body(id, view, from, length)
  }

  'trash.list'() {
    return { batches: trashBatches(this.statements) }
  }

  coverage(from: number, to: number, recorded: boolean): CoverageSpan[] {
    return (recorded ? recordedBetween : coverageBetween)(this.statements, from, to)
  }

  /** Number of deliveries received since an instant (microseconds), without synthetic and imported ones. */
  countSince(instant: number): number {
    const low = firstSince(this.statements, instant)
    return this.statements.number`SELECT count(*) AS n FROM delivery WHERE id >= ${low} AND synthetic = 0
      AND id NOT IN (SELECT delivery_id FROM imported)`
  }

  plan(params: RetentionParams): RetentionPlan {
    return this.#inSnapshot(() => planRetention(this.statements, params))
  }

  /** Clears all caches. Call it after deliveries were deleted or the database was replaced. */
  reset(): void {
    this.#indexed.reset()
    this.#timeline.reset()
    this.#documents.reset()
    this.#totals.clear()
    this.#searches.reset()
    this.#orders.reset()
  }

  close(): void {
    this.#details.close()
    this.#orders.reset()
    this.#searches.close()
    this.#db.close()
  }

  attach(): void {
    for (const other of this.#optional) other.ensure()
  }

  /** Attaches first, because a read transaction covers only the files attached at its start. */
  #inSnapshot<T>(work: () => T): T {
    this.attach()
    return inSnapshot(this.#db, work)
  }

  #analysed(): number {
    return readProgress(this.statements, 'analysed_upto')
  }
}

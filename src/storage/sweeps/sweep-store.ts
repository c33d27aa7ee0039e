import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Connection } from '#contract/connection.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import type { DocumentComparison, SharedDifference, Sweep, SweepComparison } from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import type { Taken } from '#core/reconcile/documents.ts'
import type { ItemReading } from '#core/reconcile/item.ts'
import type {
  ComparisonTerms,
  NewSweep,
  RebuiltRecord,
  Recoverable,
  RowsPage,
  RowsQuery,
  SweepAt,
  SweepChange,
  SweepPage,
  SweepStore,
} from '#core/reconcile/ports.ts'
import { closedOnFailure, words } from '../disk/files.ts'
import { shortageAt } from '../disk/space.ts'
import { rowsOf } from '../reader/rows.ts'
import { openSweeps } from '../schema/sweeps.ts'
import { ATTEMPTS, Attachment, createOptionalDatabase, type OptionalDatabase } from '../sql/attached.ts'
import { rollBack, Statements } from '../sql/connection.ts'
import { firstSince, readProgress } from '../sql/numbers.ts'
import type { RecordOptions } from '../sql/open-own.ts'
import { CapturedSide } from './captured-side.ts'
import { compareAll } from './compare.ts'
import { type Agreement, provideAgrees, type SharedField } from './comparing-sql.ts'
import { accountingOfDelivery, documentOf, itemValues, rowOf } from './document.ts'
import { Items } from './items.ts'
import { doneAbout, Kept } from './kept.ts'
import { type MergedSweep, SweepMerge } from './merge.ts'
import { Missed, Notes } from './notes.ts'
import { Sweeps } from './sweeps.ts'
import { twoSweeps } from './two-sweeps.ts'

/** Comparisons to cache; an evicted one is made again on request. */
const KEPT = 4
const RECOVERABLE_AT_ONCE = 500

/** Opens sweeps.db for the thread that compares. @throws AcuseError `newer-schema`, `store-failed` */
export function openSweepStore(options: RecordOptions): SqliteSweepStore {
  const { paths, warn } = options
  return closedOnFailure(openSweeps(paths.sweeps, warn), (db) => new SqliteSweepStore(db, options))
}

export class SqliteSweepStore implements SweepStore {
  readonly #db: DatabaseSync
  readonly #folder: string
  readonly #statements: Statements
  readonly #attachment: Attachment
  readonly #sweeps: Sweeps
  readonly #items: Items
  readonly #captured: CapturedSide
  readonly #notes: Notes
  readonly #replays: OptionalDatabase
  readonly #missed: Missed
  readonly #kept = new Map<number, Kept>()
  readonly #agreeBy: (agreement: Agreement) => void
  #closed = false

  constructor(db: DatabaseSync, { paths }: RecordOptions) {
    this.#db = db
    this.#folder = dirname(paths.sweeps)
    this.#statements = new Statements(db)
    this.#attachment = new Attachment(db, paths)
    this.#sweeps = new Sweeps(this.#statements)
    this.#items = new Items(this.#statements)
    this.#captured = new CapturedSide(this.#statements)
    this.#replays = createOptionalDatabase(db, paths.replays, ATTEMPTS)
    this.#notes = new Notes(this.#statements)
    this.#missed = new Missed(this.#statements)
    this.#agreeBy = provideAgrees(db)
  }

  shortage(): string | null {
    return shortageAt(this.#folder)
  }

  readonly add = this.#each((sweep: NewSweep) => this.#sweeps.add(sweep))
  readonly save = this.#each((id: number, page: SweepPage) => {
    const { connection } = this.#sweeps.need(id)
    this.#sweeps.saved(id, page, this.#items.put(id, connection, page.items, page.at))
    return this.#sweeps.need(id)
  })
  readonly change = this.#each((id: number, change: SweepChange) => this.#sweeps.change(id, change))
  readonly list = this.#each((connection?: string) => this.#sweeps.list(connection))
  readonly get = this.#each((id: number) => this.#sweeps.find(id))
  readonly walk = this.#each((id: number) => this.#sweeps.walk(id))
  readonly nameless = this.#each((id: number) => this.#items.nameless(id))
  readonly recover = this.#each(() => this.#sweeps.recover())
  readonly remove = this.#each((id: number) => {
    this.#kept.delete(id)
    this.#items.remove(id)
    this.#missed.forget(id)
    return this.#sweeps.remove(id)
  })
  readonly renameConnection = this.#each((previous: string, name: string) => {
    this.#kept.clear()
    this.#notes.rename(previous, name)
    this.#missed.rename(previous, name)
  })
  readonly item = this.#each((sweep: number, key: string): Uint8Array | undefined => {
    const id = this.#items.find(sweep, key)
    return id === undefined ? undefined : this.#items.raw(id)
  })
  readonly annotate = this.#each((...of: Parameters<Notes['annotate']>) => this.#notes.annotate(...of))
  readonly addRebuilt = this.#each((sweep: number, records: readonly RebuiltRecord[]) =>
    this.#notes.addRebuilt(sweep, this.#sweeps.need(sweep).connection, records),
  )

  /** @param from a session file's @returns the connection here that has sweeps of this one of the file */
  knownConnection(from: Statements, name: string): string | null {
    return this.#atomic(() => new SweepMerge(from, this.#statements).knownConnection(name))
  }

  /** Takes over the sweeps of a session file, in steps. Parameters as of `SweepMerge.sweep`. */
  *merge(
    from: Statements,
    connections: ReadonlyMap<string, Connection>,
    links: ReadonlyMap<number, number>,
  ): Generator<void, readonly MergedSweep[]> {
    const merge = new SweepMerge(from, this.#statements)
    const merged: MergedSweep[] = []
    for (const id of merge.ids())
      merged.push(yield* merge.sweep(id, connections, links, (work) => this.#atomic(work)))
    this.#kept.clear()
    return merged
  }

  documentTypes(endpoints: readonly string[]): readonly number[] {
    this.#attach()
    return this.#guarded(() => this.#captured.types(endpoints))
  }

  rebuiltDeliveries(sweep: number, after: number, limit: number) {
    this.#attach()
    return this.#atomic(() => rowsOf(this.#statements, this.#notes.rebuiltIds(sweep, after, limit)))
  }

  compare(id: number, terms: ComparisonTerms) {
    const kept = this.#current(id, terms)
    return this.#atomic(() => ({
      ...kept.comparison.tally.summary(),
      comparedAt: kept.comparedAt,
      ...doneAbout(this.#parts(), kept),
      sharedDifferences: kept.comparison.shared.map((one) => this.#shared(id, one)),
      ...(kept.comparison.scope.otherIds ? { joinedByNumber: true } : {}),
    }))
  }

  renew(id: number, terms: ComparisonTerms): void {
    this.#current(id, terms)
  }

  compareSweeps(earlier: SweepAt, later: SweepAt): SweepComparison {
    this.#attach()
    for (const { sweep, terms } of [earlier, later]) this.#reread(sweep, terms)
    return this.#atomic(() => {
      const compared = ({ sweep: id, terms }: SweepAt) => {
        // The table of links by Number serves only one comparison of a sweep at a time.
        this.#kept.delete(id)
        const sweep = this.#sweeps.need(id)
        const upto = firstSince(this.#statements, terms.now * 1_000 + 1) - 1
        return { sweep, comparison: this.#compared(sweep, terms, upto) }
      }
      return twoSweeps(this.#statements, this.#parts(), compared(earlier), compared(later))
    })
  }

  rows(id: number, query: RowsQuery): RowsPage {
    const kept = this.#need(id)
    this.#attach()
    return this.#atomic(() => {
      const refs = this.#select(kept, query)
      const from = Math.min(query.from, refs.length)
      const rows = Array.from(refs.subarray(from, from + query.limit), (ref) => this.#row(kept, ref))
      return { rows, from, total: refs.length }
    })
  }

  *recoverable(id: number, select: DocumentSelection): Iterable<Recoverable> {
    const kept = this.#need(id)
    this.#attach()
    const refs = this.#atomic(() => {
      if ('documents' in select) return select.documents.flatMap((key) => this.#refOf(kept, key) ?? [])
      const classes = select.classes.filter((name) => name !== 'matched')
      return [...this.#select(kept, { ...select, classes })]
    })
    for (let at = 0; at < refs.length; at += RECOVERABLE_AT_ONCE) {
      // In batches, so that the caller can write in between and no transaction stays open.
      this.#attach()
      yield* this.#atomic(() =>
        refs.slice(at, at + RECOVERABLE_AT_ONCE).map((ref) => {
          const row = this.#row(kept, ref)
          const raw = ref > 0 ? (this.#items.raw(ref) ?? null) : null
          return { row, raw, rebuilt: this.#notes.rebuiltKinds(kept.sweep.connection, row.key) }
        }),
      )
    }
  }

  document(id: number, key: string): DocumentComparison {
    const kept = this.#need(id)
    this.#attach()
    return this.#atomic(() => {
      const ref = this.#refOf(kept, key)
      if (ref === undefined) throw refused('not-found', 'no-document', { id, key })
      return documentOf(this.#statements, this.#parts(), kept, this.#sweeps.need(id), ref)
    })
  }

  /** Closes captured.db, derived.db and replays.db. Until `reopenCaptured`, calls that need them throw AcuseError `store-failed`. */
  releaseCaptured(): void {
    this.#kept.clear()
    this.#attachment.hold()
    this.#replays.release()
  }

  reopenCaptured(): void {
    this.#kept.clear()
    this.#attachment.reopen()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#db.close()
  }

  #parts() {
    return { items: this.#items, captured: this.#captured, notes: this.#notes, sweeps: this.#sweeps }
  }

  #select(kept: Kept, query: Parameters<Kept['select']>[2]): Float64Array {
    const notes = () => this.#notes.notes(kept.sweep.connection)
    return kept.select(this.#statements, this.#captured, query, notes)
  }

  #row(kept: Kept, ref: number) {
    return rowOf(this.#parts(), kept.comparison, kept.sweep, ref)
  }

  #shared(sweep: number, { field, documents, item, delivery }: SharedField): SharedDifference {
    const ours = accountingOfDelivery(this.#statements, delivery)?.get(field)
    const theirs = itemValues(this.#parts(), sweep, item)?.get(field)
    return { field, documents, captured: ours?.source ?? null, service: theirs?.source ?? null }
  }

  #need(id: number): Kept {
    const kept = this.#kept.get(id)
    if (kept) return kept
    this.#guarded(() => this.#sweeps.need(id))
    throw refused('conflict', 'not-compared', { id })
  }

  /** The ref of an item, or of a document that the sweep does not list, by its key. */
  #refOf(kept: Kept, key: string): number | undefined {
    const item = this.#items.find(kept.sweep.id, key)
    if (item !== undefined) return item
    const events = this.#captured.events([key], kept.comparison.scope)
    return kept.unlisted(events.map(({ deliveryId }) => deliveryId))
  }

  #reread(id: number, terms: ComparisonTerms): void {
    const reading: ItemReading = { corrections: terms.mapping, zone: terms.zone }
    const wanted = JSON.stringify(reading)
    this.#atomic(() => {
      if (this.#sweeps.reading(id) === wanted) return
      const { mapping, documents } = this.#items.reread(id, reading)
      this.#sweeps.reread(id, wanted, mapping, documents)
      this.#kept.delete(id)
    })
  }

  #current(id: number, terms: ComparisonTerms): Kept {
    this.#guarded(() => this.#sweeps.need(id))
    this.#attach()
    this.#reread(id, terms)
    return this.#fresh(id, terms)
  }

  /** @param most highest id of a delivery to include */
  #compared(sweep: Sweep, terms: Parameters<typeof compareAll>[3], most: number) {
    const upto = Math.min(most, readProgress(this.#statements, 'analysed_upto'))
    return compareAll(this.#statements, this.#captured, sweep, terms, upto, this.#agreeBy)
  }

  #fresh(id: number, terms: ComparisonTerms): Kept {
    return this.#atomic(() => {
      const sweep = this.#sweeps.need(id)
      const taken = this.#notes.taken(sweep.connection)
      const signature = this.#signature(sweep, terms, taken)
      const known = this.#kept.get(id)
      if (known?.signature === signature && terms.now < known.comparison.dueAt) return known
      const comparison = this.#compared(sweep, { ...terms, taken }, Number.MAX_SAFE_INTEGER)
      const kept = new Kept(comparison, sweep, terms, signature)
      this.#sweeps.compared(id, comparison.tally.counts)
      this.#missed.take(sweep, this.#sweeps.list(sweep.connection), comparison.found.owing)
      this.#kept.delete(id)
      this.#kept.set(id, kept)
      const [oldest] = this.#kept.keys()
      if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest)
      return kept
    })
  }

  /** Changes with every commit to derived.db, every term except the time, and the number of accepted events. */
  #signature({ pages, items }: Sweep, { now: _, ...terms }: ComparisonTerms, taken: Taken): string {
    const version = this.#statements.value`PRAGMA derived.data_version`
    const recovered = [...taken.values()].reduce((sum, kinds) => sum + kinds.size, 0)
    return JSON.stringify([this.#attachment.opened, version, pages, items, terms, recovered])
  }

  #attach(): void {
    this.#attachment.ensure()
    this.#guarded(() => this.#replays.ensure())
  }

  /** Runs `work` in one transaction: reads see one snapshot, writes are all or nothing. */
  #atomic<T>(work: () => T): T {
    return this.#guarded(() => {
      this.#db.exec('BEGIN')
      try {
        const result = work()
        this.#db.exec('COMMIT')
        return result
      } catch (error) {
        rollBack(this.#db)
        throw error
      }
    })
  }

  #each<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return (...args) => this.#atomic(() => work(...args))
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof AcuseError) throw error
      throw refused('store-failed', 'sweeps-unusable', { system: words(error) })
    }
  }
}

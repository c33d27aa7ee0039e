import type { Kind } from '#catalog/kinds.ts'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection, ItemMapping } from '#contract/connection.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type {
  DocumentComparison,
  DocumentRow,
  MissRule,
  ReconciliationSummary,
  Sweep,
  SweepComparison,
} from '#contract/reconcile.ts'
import type { DocumentSelection } from '#contract/reconcile-commands.ts'
import type { ItemReading } from './item.ts'
import type { RemoteDocument } from './types.ts'
import type { Span } from './walk.ts'

export interface SweepItem extends Pick<DocumentRow, 'party' | 'total' | 'currency'> {
  readonly raw: Uint8Array
  /** Equal for the same document: its id in lower case, else `number:` and the Number, else `item:` and a digest. */
  readonly key: string
  readonly document: RemoteDocument
}

export interface NewSweep extends Pick<Sweep, 'connection' | 'range' | 'startedAt'> {
  readonly reading: ItemReading
  /** State of the walk, plain data; comes back from `walk` as it was given. */
  readonly walk: unknown
}

export interface SweepPage {
  readonly items: readonly SweepItem[]
  readonly walk: unknown
  readonly requests: number
  readonly retries: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As sent; null leaves it as it was. */
  readonly reached: string | null
  /** Of all items so far. */
  readonly mapping: ItemMapping | null
}

export interface SweepChange extends Partial<Pick<Sweep, 'state' | 'problems' | 'endedAt'>> {
  readonly walk?: unknown
  /** Added to what is counted: tries that brought no page. */
  readonly requests?: number
  readonly retries?: number
}

export interface ComparisonTerms
  extends Pick<Connection, 'endpoints' | 'kinds' | 'zone' | 'ignoredFields' | 'notYetDue' | 'documentTypes'> {
  readonly now: number
  /** In microseconds: captured documents of these issue dates are in no class. */
  readonly unreached: readonly Span[]
  /** Where they are not those of the sweep, its items are read anew. */
  readonly mapping: Connection['mapping']
}

export interface SweepAt {
  readonly sweep: number
  readonly terms: ComparisonTerms
}

/** Absent leaves it as it is, null takes it back. */
type Annotation = Omit<Params<'reconciliation.annotate'>, 'connection' | 'keys'>
export type RowsQuery = Omit<Params<'reconciliation.rows'>, 'sweep'>
export type RowsPage = Result<'reconciliation.rows'>

export interface Recoverable {
  readonly row: DocumentRow
  readonly raw: Uint8Array | null
  /** Rebuilt before, with synthetic deliveries that are still there. */
  readonly rebuilt: ReadonlySet<Kind>
}

export interface MissedEvent {
  readonly key: string
  readonly kind: Kind
  readonly rule: MissRule
}
export interface RebuiltRecord extends MissedEvent {
  readonly deliveryId: number
}

/**
 * Sweeps, their items, annotations and comparisons on disk (sweeps.db), with captured.db, derived.db and replays.db beside it, which it
 * only reads. Synchronous: it lives on the reconcile thread, and is its only writer. A committed write survives the end of the process at
 * any moment. Whatever cannot be read or written now is thrown as AcuseError `store-failed`, and nothing of that call is done; an unknown
 * sweep or document is `not-found`.
 */
export interface SweepStore {
  shortage(): string | null
  add(sweep: NewSweep): Sweep
  /** In one commit. An item that came before in this sweep takes the place of the earlier one. */
  save(id: number, page: SweepPage): Sweep
  change(id: number, change: SweepChange): Sweep
  list(connection?: string): readonly Sweep[]
  get(id: number): Sweep | undefined
  walk(id: number): unknown
  nameless(id: number): number
  /** With its items; annotations and rebuilt deliveries stay. @returns how many */
  remove(id: number): number
  recover(): readonly number[]
  renameConnection(previous: string, name: string): void
  /** Seen in captures of these endpoints (empty: all), rising. */
  documentTypes(endpoints: readonly string[]): readonly number[]

  item(sweep: number, key: string): Uint8Array | undefined
  /** @returns documents whose annotation is now another */
  annotate(connection: string, keys: readonly string[], change: Annotation): number

  addRebuilt(sweep: number, records: readonly RebuiltRecord[]): void
  rebuiltDeliveries(sweep: number, after: number, limit: number): readonly DeliveryRow[]

  /** The result is kept, and made anew only when deliveries, items or terms changed, or something may be due by now. */
  compare(sweep: number, terms: ComparisonTerms): Omit<ReconciliationSummary, 'sweep'>
  renew(sweep: number, terms: ComparisonTerms): void
  /** By what was captured at the terms' `now`; nothing of it is kept. */
  compareSweeps(earlier: SweepAt, later: SweepAt): SweepComparison
  /** Of the kept result: `conflict` where there is none. In order of issue date, unknown ones last; recovered ones after them. */
  rows(sweep: number, query: RowsQuery): RowsPage
  recoverable(sweep: number, select: DocumentSelection): Iterable<Recoverable>
  document(sweep: number, key: string): DocumentComparison

  close(): void
}

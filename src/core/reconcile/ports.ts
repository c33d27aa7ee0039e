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
import type { RemoteDocument } from './documents.ts'
import type { ItemReading } from './item.ts'
import type { Span } from './walk.ts'

export interface SweepItem extends Pick<DocumentRow, 'party' | 'total' | 'currency'> {
  readonly raw: Uint8Array
  /** Same for the same document: its id in lower case, else `number:` and the Number, else `item:` and a digest. */
  readonly key: string
  readonly document: RemoteDocument
}

export interface NewSweep extends Pick<Sweep, 'connection' | 'range' | 'startedAt'> {
  readonly reading: ItemReading
  /** State of the walk as plain data; `walk` returns it unchanged. */
  readonly walk: unknown
}

export interface SweepPage {
  readonly items: readonly SweepItem[]
  readonly walk: unknown
  readonly requests: number
  readonly retries: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** As sent; null keeps the stored value. */
  readonly reached: string | null
  /** Mapping of all items so far. */
  readonly mapping: ItemMapping | null
}

export interface SweepChange extends Partial<Pick<Sweep, 'state' | 'problems' | 'endedAt'>> {
  readonly walk?: unknown
  /** Number of requests without a page, added to the count. */
  readonly requests?: number
  readonly retries?: number
}

export interface ComparisonTerms
  extends Pick<Connection, 'endpoints' | 'kinds' | 'zone' | 'ignoredFields' | 'notYetDue' | 'documentTypes'> {
  readonly now: number
  /** In microseconds: documents with these issue dates get no class. */
  readonly unreached: readonly Span[]
  /** If it differs from the sweep's own mapping, the items are read again. */
  readonly mapping: Connection['mapping']
}

export interface SweepAt {
  readonly sweep: number
  readonly terms: ComparisonTerms
}

/** An absent member stays unchanged; null deletes it. */
type Annotation = Omit<Params<'reconciliation.annotate'>, 'connection' | 'keys'>
export type RowsQuery = Omit<Params<'reconciliation.rows'>, 'sweep'>
export type RowsPage = Result<'reconciliation.rows'>

export interface Recoverable {
  readonly row: DocumentRow
  readonly raw: Uint8Array | null
  /** Kinds already rebuilt, whose synthetic deliveries still exist. */
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
 * Sweeps with their items, annotations and comparisons on disk (sweeps.db); also reads captured.db, derived.db and replays.db. Synchronous:
 * the reconcile thread owns it and is its only writer. A committed write survives the end of the process at any moment. Throws AcuseError
 * `store-failed` when data cannot be read or written, and then does nothing; `not-found` for an unknown sweep or document.
 */
export interface SweepStore {
  shortage(): string | null
  add(sweep: NewSweep): Sweep
  /** In one transaction. An item replaces an earlier one of the same document. */
  save(id: number, page: SweepPage): Sweep
  change(id: number, change: SweepChange): Sweep
  list(connection?: string): readonly Sweep[]
  get(id: number): Sweep | undefined
  walk(id: number): unknown
  nameless(id: number): number
  /** Also removes its items; keeps annotations and rebuilt deliveries. @returns number of sweeps removed */
  remove(id: number): number
  recover(): readonly number[]
  renameConnection(previous: string, name: string): void
  /** Document types in deliveries of these endpoints (empty: all), ascending. */
  documentTypes(endpoints: readonly string[]): readonly number[]

  item(sweep: number, key: string): Uint8Array | undefined
  /** @returns number of documents whose annotation changed */
  annotate(connection: string, keys: readonly string[], change: Annotation): number

  addRebuilt(sweep: number, records: readonly RebuiltRecord[]): void
  rebuiltDeliveries(sweep: number, after: number, limit: number): readonly DeliveryRow[]

  /** Caches the result; recomputes it when deliveries, items or terms changed, or when a document may have become due. */
  compare(sweep: number, terms: ComparisonTerms): Omit<ReconciliationSummary, 'sweep'>
  renew(sweep: number, terms: ComparisonTerms): void
  /** Compares with the deliveries captured by the terms' `now`; caches nothing. */
  compareSweeps(earlier: SweepAt, later: SweepAt): SweepComparison
  /** From the cached result (`conflict` without one). By issue date, unknown dates last, recovered documents after those. */
  rows(sweep: number, query: RowsQuery): RowsPage
  recoverable(sweep: number, select: DocumentSelection): Iterable<Recoverable>
  document(sweep: number, key: string): DocumentComparison

  close(): void
}

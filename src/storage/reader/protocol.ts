import type { Kind } from '#catalog/kinds.ts'
import type { TagCount } from '#contract/annotations.ts'
import type { Params, Result } from '#contract/commands.ts'
import type {
  BodySlice,
  CountedField,
  DeliveryDetail,
  DeliveryRow,
  FilterCounts,
  Page,
  PageParams,
  RetentionParams,
  TrashBatch,
} from '#contract/delivery.ts'
import type { DocumentLife, DocumentsPage } from '#contract/documents.ts'
import type { DriftEvents, DriftKind, DriftProfile } from '#contract/drift.ts'
import type { Sort } from '#contract/order.ts'
import type { CoverageSpan } from '#contract/status.ts'
import type { Timeline } from '#contract/timeline.ts'
import type { DocumentFilter } from '#core/documents/document-filter.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { DocumentsQuery, DriftQuery, TimelineCounts, TimelineQuery } from '#core/ports.ts'
import type { StoreFiles } from '../files.ts'
import type { RetentionPlan } from './retention-plan.ts'
import type { SalvageStep } from './salvage.ts'

/** What a reader thread can be asked for. */
export interface ReaderCalls {
  open(paths: Pick<StoreFiles, 'captured' | 'derived' | 'replays' | 'sweeps'>): void
  page(filter: Filter, params: Omit<PageParams, 'filter'>): Promise<Page>
  scan(filter: Filter, params: Omit<Params<'deliveries.scan'>, 'filter'>): Promise<DeliveryRow[]>
  locate(filter: Filter, id: number, sort?: Sort): Promise<Result<'deliveries.locate'>>
  at(filter: Filter, instant: number, sort?: Sort): Promise<Result<'deliveries.at'>>
  summary(filter: Filter): Promise<Result<'deliveries.summary'>>
  timeline(filter: Filter, query: TimelineQuery): TimelineCounts & Pick<Timeline, 'marks'>
  documents(filter: DocumentFilter, query: DocumentsQuery): DocumentsPage
  document(key: string): DocumentLife | undefined
  driftKinds(since: number): readonly DriftKind[]
  driftProfile(kind: Kind): DriftProfile
  driftEvents(query: DriftQuery): DriftEvents
  valueCounts(filter: Filter, field: CountedField): Promise<FilterCounts>
  tags(): TagCount[]
  /** Ids of members beyond `after`, in order of arrival, at most `limit`. */
  members(filter: Filter, after: number, limit: number): Promise<number[]>
  trash(): TrashBatch[]
  rows(ids: readonly number[]): DeliveryRow[]
  get(id: number): DeliveryDetail | undefined
  body(id: number, view: 'raw' | 'decoded', from: number, length: number): Promise<BodySlice | undefined>
  coverage(from: number, to: number): CoverageSpan[]
  countSince(instant: number): number
  plan(params: RetentionParams): RetentionPlan
  reset(): void
  /** Lets go of the databases, so that they can be set aside. */
  release(): void
  /** Begins to read a database set aside. */
  salvageOpen(damaged: string): void
  /** Reads on; empty at the end. */
  salvageNext(): SalvageStep
}

/** A read failed because a file is damaged; which one is found out by a full check. */
export interface ReaderMessage {
  readonly event: 'damaged'
  readonly reason: string
}

import type { Kind } from '#catalog/kinds.ts'
import type { TagCount } from '#contract/annotation-commands.ts'
import type { Page, PageParams, Params, Result, RetentionParams } from '#contract/commands.ts'
import type { CountedField } from '#contract/counted-fields.ts'
import type { BodySlice, DeliveryDetail, DeliveryRow } from '#contract/delivery.ts'
import type { DocumentsPage } from '#contract/document-commands.ts'
import type { DocumentLife } from '#contract/documents.ts'
import type { DriftKind, DriftProfile } from '#contract/drift.ts'
import type { DriftEvents } from '#contract/drift-commands.ts'
import type { FilterCounts } from '#contract/filter-commands.ts'
import type { Sort } from '#contract/order.ts'
import type { CoverageSpan } from '#contract/status.ts'
import type { Timeline } from '#contract/timeline.ts'
import type { TrashBatch } from '#contract/trash-commands.ts'
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

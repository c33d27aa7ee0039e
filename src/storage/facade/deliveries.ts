import type { Kind } from '#catalog/kinds.ts'
import type { AnnotateParams } from '#contract/annotations.ts'
import type { DeliveryRow, RetentionOutcome, RetentionParams } from '#contract/delivery.ts'
import type { Deliveries } from '#core/ports.ts'
import type { ReaderCalls } from '../reader/protocol.ts'
import type { Pruned, PruneParams } from '../writer/protocol.ts'
import type { RecentAnswers } from './recent-answers.ts'
import type { RecentDurations } from './recent-durations.ts'

/** What reading needs of the store around it. */
export interface DeliveriesTarget {
  read<N extends keyof ReaderCalls & string>(
    name: N,
    ...args: Parameters<ReaderCalls[N]>
  ): Promise<Awaited<ReturnType<ReaderCalls[N]>>>
  pin(ids: readonly number[], pinned: boolean): Promise<number>
  /** Gives those that changed. */
  annotate(change: AnnotateParams): Promise<readonly number[]>
  /** Tells that rows are others now. */
  marked(ids: readonly number[]): void
  /** Forgets what was observed of some kinds; resolves when every list knows it. */
  relearn(kinds: readonly Kind[]): Promise<void>
  prune(params: PruneParams): Promise<Pruned>
  emptyTrash(): Promise<RetentionOutcome['trash']>
  /** Resolves when deliveries have gone and every count knows it. */
  pruned(): Promise<void>
  settled(timeoutMs: number): Promise<number>
  readonly durations: RecentDurations
  readonly answers: RecentAnswers
}

/** The reading side of the store: questions for the reader thread, deletions for the writer. */
export function createDeliveries(target: DeliveriesTarget): Deliveries {
  const complete = (row: DeliveryRow) => target.answers.complete(target.durations.complete(row))
  return {
    async page(filter, params) {
      const page = await target.read('page', filter, params)
      return { ...page, rows: page.rows.map(complete) }
    },
    scan: async (filter, params) => (await target.read('scan', filter, params)).map(complete),
    locate: (filter, id, sort) => target.read('locate', filter, id, sort),
    at: (filter, instant, sort) => target.read('at', filter, instant, sort),
    summary: (filter) => target.read('summary', filter),
    valueCounts: (filter, field) => target.read('valueCounts', filter, field),
    timeline: (filter, query) => target.read('timeline', filter, query),
    driftKinds: (since) => target.read('driftKinds', since),
    driftProfile: (kind) => target.read('driftProfile', kind),
    driftEvents: (query) => target.read('driftEvents', query),
    driftReset: (kinds) => target.relearn(kinds),
    documents: (filter, query) => target.read('documents', filter, query),
    async document(key) {
      const life = await target.read('document', key)
      return life && { ...life, steps: life.steps.map((step) => ({ ...step, row: complete(step.row) })) }
    },
    rows: async (ids) => (await target.read('rows', ids)).map(complete),
    async get(id) {
      const detail = await target.read('get', id)
      return detail && target.answers.completeDetail(target.durations.complete(detail))
    },
    body: (id, view, from, length) => target.read('body', id, view, from, length),
    async pin(ids, pinned) {
      const changed = await target.pin(ids, pinned)
      if (changed > 0) target.marked(ids)
      return changed
    },
    async annotate(change) {
      const changed = await target.annotate(change)
      if (changed.length > 0) target.marked(changed)
      return changed.length
    },
    tags: () => target.read('tags'),
    retention: (params, apply) => retain(target, params, apply),
    settled: (timeoutMs) => target.settled(timeoutMs),
  }
}

async function retain(
  target: DeliveriesTarget,
  params: RetentionParams,
  apply: boolean,
): Promise<RetentionOutcome> {
  const { maxId, before, outcome } = await target.read('plan', params)
  if (!apply) return outcome
  const pruned = await target.prune({ maxId, before })
  if (pruned.deliveries > 0) await target.pruned()
  // What somebody deleted already is the first to make room.
  const trash = await target.emptyTrash()
  return { ...pruned, pinnedExempt: outcome.pinnedExempt, trash }
}

import { uptime } from 'node:os'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Deliveries } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { RecentAnswers } from './intake-queue.ts'
import type { FilingWaits, Notices, Tally } from './notices.ts'

export interface DeliveriesParts {
  readonly reader: Remote<ReaderHandlers>
  readonly writer: Pick<Remote<WriterHandlers>, 'pin' | 'annotate' | 'prune' | 'emptyTrash'>
  readonly analysis: Analysis
  readonly notices: Notices
  readonly tally: Tally
  readonly answers: RecentAnswers
  readonly filing: FilingWaits
  readonly now: () => number
  /** As in `By`. */
  readonly author: string | null
}

/** Passes the reader's queries through, completes rows with recent answers, and adds the commands that change deliveries. */
export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { reader, writer, analysis, notices, tally, answers, filing, now, author } = parts
  const complete = (row: DeliveryRow) => answers.complete(row)
  const untilStart = now() - uptime() * 1_000
  /** By how many milliseconds the clock was set ahead since the start: a delivery gets no older by that. */
  const setAhead = () => Math.max(0, Math.round(now() - uptime() * 1_000 - untilStart))
  const own: Omit<Deliveries, keyof Remote<ReaderHandlers>> & Partial<Deliveries> = {
    async page(filter, params) {
      const page = await reader.page(filter, params)
      return { ...page, rows: page.rows.map(complete) }
    },
    scan: async (filter, params) => (await reader.scan(filter, params)).map(complete),
    async 'documents.get'(params) {
      const life = await reader['documents.get'](params)
      return life && { ...life, steps: life.steps.map((step) => ({ ...step, row: complete(step.row) })) }
    },
    async rows(ids) {
      await filing.named(ids)
      return (await reader.rows(ids)).map(complete)
    },
    async get(id) {
      await filing.named([id])
      const detail = await reader.get(id)
      return detail && answers.completeDetail(detail)
    },
    async body(id, ...rest) {
      await filing.named([id])
      return reader.body(id, ...rest)
    },
    async pin(ids, pinned) {
      await filing.named(ids)
      const changed = await writer.pin(ids, pinned, { at: now(), author })
      if (changed > 0) notices.send({ type: 'marked', ids })
      return changed
    },
    async annotate(change) {
      await filing.named(change.ids)
      const ids = await writer.annotate(change, { at: now(), author })
      if (ids.length > 0) notices.send({ type: 'marked', ids })
      return ids.length
    },
    async driftReset(kinds) {
      const ids = await analysis.relearn(kinds)
      await reader.reset().catch(() => undefined)
      notices.send({ type: 'marked', ids })
      notices.send({ type: 'drifted', kinds })
    },
    async retention(params, apply) {
      const rule = params.before === undefined ? params : { before: params.before - setAhead() }
      const { maxId, before, outcome } = await reader.plan(rule)
      if (!apply) return outcome
      const pruned = await writer.prune({ maxId, before })
      if (pruned.deliveries > 0) await tally.changed('retention')
      // The trash, which the user has already deleted, is emptied too.
      const trash = await writer.emptyTrash({ due: null })
      return { ...pruned, pinnedExempt: outcome.pinnedExempt, trash }
    },
    filed: (ids) => filing.named(ids),
    async settled(timeoutMs) {
      const began = performance.now()
      await filing.until(Number.POSITIVE_INFINITY, timeoutMs)
      return filing.unfiled + (await analysis.settled(Math.max(0, timeoutMs - (performance.now() - began))))
    },
  }
  return Object.setPrototypeOf(
    own,
    reader satisfies Pick<Deliveries, keyof Deliveries & keyof ReaderHandlers>,
  )
}

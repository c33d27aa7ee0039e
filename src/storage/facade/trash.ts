import { setTimeout as pause } from 'node:timers/promises'
import type { TrashOutcome } from '#contract/delivery.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { TrashBin } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { FilingWaits, Tally } from './notices.ts'

/** Interval of the search for batches that are old enough. */
const CHECK_MS = 600_000
const PAGE = 1_000
/** Longest wait for the analyst before lists are refreshed: users expect deleted rows to disappear at once. */
const SOON_MS = 150

interface TrashParts {
  readonly writer: Remote<WriterHandlers>
  readonly reader: Remote<ReaderHandlers>
  readonly analysis: Analysis
  readonly tally: Tally
  readonly filing: FilingWaits
  now(): number
}

/** Deletions that the user can undo until the trash is emptied: on request, or after a day. */
export class TrashKeeper implements TrashBin {
  readonly #parts: TrashParts
  #timer: NodeJS.Timeout | undefined

  constructor(parts: TrashParts) {
    this.#parts = parts
  }

  /** Deletes, now and periodically, batches that have been in the trash for a day of Acuse's running time. */
  open(): void {
    const check = () => {
      // The store reports its own failures; the next check tries again.
      this.#parts.writer.emptyTrash({ due: this.#parts.now() }).catch(() => undefined)
    }
    check()
    this.#timer = setInterval(check, CHECK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async add(what: Parameters<TrashBin['add']>[0]): Promise<TrashOutcome> {
    const byFilter = 'filter' in what
    if (!byFilter) await this.#parts.filing.named(what.ids)
    const outcome = await this.#parts.writer.trash({
      ids: byFilter
        ? await this.#members(what.filter, what.upTo ?? Number.MAX_SAFE_INTEGER)
        : [...new Set(what.ids)],
      filter: byFilter ? what.text : null,
      sparePinned: byFilter,
      at: this.#parts.now(),
    })
    if (outcome.deliveries > 0) await this.#gone()
    return outcome
  }

  /** Refreshes lists, and again later when analysis needs longer, because documents change then. */
  async #gone(): Promise<void> {
    const forgotten = this.#parts.analysis.forgotten.then(() => true)
    const soon = await Promise.race([forgotten, pause(SOON_MS, false)])
    await this.#parts.tally.changed('trashed')
    if (!soon) void forgotten.then(() => this.#parts.tally.changed('trashed'))
  }

  async restore(batch: number): Promise<number> {
    const { deliveries } = await this.#parts.writer.restore(batch)
    if (deliveries > 0) await this.#parts.tally.changed('restored')
    return deliveries
  }

  empty(batch: number | null): Promise<{ deliveries: number; bytes: number }> {
    return this.#parts.writer.emptyTrash(batch === null ? { due: null } : { batch })
  }

  /** Collects all ids before any deletion, because deletions would change the next pages. */
  async #members(filter: Filter, upTo: number): Promise<number[]> {
    const ids: number[] = []
    for (;;) {
      const found = await this.#parts.reader.members(filter, ids.at(-1) ?? 0, PAGE)
      for (const id of found) if (id <= upTo) ids.push(id)
      if (found.length < PAGE || (found.at(-1) ?? 0) >= upTo) return ids
    }
  }
}

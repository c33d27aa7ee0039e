import { setTimeout as pause } from 'node:timers/promises'
import type { TrashOutcome } from '#contract/delivery.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { TrashBin } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { FilingWaits, Tally } from './notices.ts'

/** What is old enough is looked for this often. */
const LOOK_MS = 600_000
const PAGE = 1_000
/** What is deleted should be seen to go at once. */
const SOON_MS = 150

interface TrashParts {
  readonly writer: Remote<WriterHandlers>
  readonly reader: Remote<ReaderHandlers>
  readonly analysis: Analysis
  readonly tally: Tally
  readonly filing: FilingWaits
  now(): number
}

/** Deletions that can be undone, and their end: when the user asks for it, and after a day. */
export class TrashKeeper implements TrashBin {
  readonly #parts: TrashParts
  #timer: NodeJS.Timeout | undefined

  constructor(parts: TrashParts) {
    this.#parts = parts
  }

  /** Looks at once, and from now on, for what has been there for a day in which Acuse ran. */
  open(): void {
    const look = () => {
      // The next look comes; a store that cannot be written now says so itself.
      this.#parts.writer.emptyTrash({ due: this.#parts.now() }).catch(() => undefined)
    }
    look()
    this.#timer = setInterval(look, LOOK_MS).unref()
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

  /** Lists are drawn anew once where analysis follows at once, and again where it takes its time: documents have changed then. */
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

  /** All at once before any of them goes: what is found next must not depend on what has gone. */
  async #members(filter: Filter, upTo: number): Promise<number[]> {
    const ids: number[] = []
    for (;;) {
      const found = await this.#parts.reader.members(filter, ids.at(-1) ?? 0, PAGE)
      for (const id of found) if (id <= upTo) ids.push(id)
      if (found.length < PAGE || (found.at(-1) ?? 0) >= upTo) return ids
    }
  }
}

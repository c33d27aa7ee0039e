import type { TrashBatch, TrashOutcome } from '#contract/delivery.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { TrashBin } from '#core/ports.ts'
import type { ReaderCalls } from '../reader/protocol.ts'
import type { Emptied, Emptying, Restored, Trashed, TrashOrder } from '../writer/protocol.ts'

/** What is old enough is looked for this often. */
const LOOK_MS = 600_000
const PAGE = 1_000
/** What is deleted should be seen to go at once. */
const SOON_MS = 150

export interface TrashTarget {
  read<N extends 'members' | 'trash'>(
    name: N,
    ...args: Parameters<ReaderCalls[N]>
  ): Promise<Awaited<ReturnType<ReaderCalls[N]>>>
  trash(order: TrashOrder): Promise<Trashed>
  restore(batch: number): Promise<Restored>
  empty(which: Emptying): Promise<Emptied>
  /** Resolves when documents and other derived things know of what was deleted so far. */
  forgotten(): Promise<void>
  /** Resolves when every list and count knows it. */
  changed(reason: 'trashed' | 'restored'): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
}

/** Deletions that can be undone, and their end: when somebody asks for it, and after a day. */
export class TrashKeeper implements TrashBin {
  readonly #target: TrashTarget
  #timer: NodeJS.Timeout | undefined

  constructor(target: TrashTarget) {
    this.#target = target
  }

  /** Looks at once, and from now on, for what has been there for a day in which Acuse ran. */
  open(): void {
    const look = () => {
      // The next look comes; a store that cannot be written now says so itself.
      this.#target.empty({ due: this.#target.now() }).catch(() => undefined)
    }
    look()
    this.#timer = setInterval(look, LOOK_MS).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async add(
    what:
      | { readonly ids: readonly number[] }
      | { readonly filter: Filter; readonly text: string; readonly upTo: number | null },
  ): Promise<TrashOutcome> {
    const byFilter = 'filter' in what
    const outcome = await this.#target.trash({
      ids: byFilter
        ? await this.#members(what.filter, what.upTo ?? Number.MAX_SAFE_INTEGER)
        : [...new Set(what.ids)],
      filter: byFilter ? what.text : null,
      sparePinned: byFilter,
      at: this.#target.now(),
    })
    if (outcome.deliveries > 0) await this.#gone()
    return outcome
  }

  /** Lists are told once where analysis follows at once, and again where it takes its time: documents are others then. */
  async #gone(): Promise<void> {
    const forgotten = this.#target.forgotten().then(() => true)
    const soon = await Promise.race([
      forgotten,
      new Promise<false>((done) => setTimeout(done, SOON_MS, false)),
    ])
    await this.#target.changed('trashed')
    if (!soon) void forgotten.then(() => this.#target.changed('trashed'))
  }

  async restore(batch: number): Promise<number> {
    const { deliveries } = await this.#target.restore(batch)
    if (deliveries > 0) await this.#target.changed('restored')
    return deliveries
  }

  list(): Promise<readonly TrashBatch[]> {
    return this.#target.read('trash')
  }

  empty(batch: number | null): Promise<Emptied> {
    return this.#target.empty(batch === null ? { due: null } : { batch })
  }

  /** All at once before any of them goes: what is found next must not depend on what has gone. */
  async #members(filter: Filter, upTo: number): Promise<number[]> {
    const ids: number[] = []
    for (;;) {
      const found = await this.#target.read('members', filter, ids.at(-1) ?? 0, PAGE)
      for (const id of found) if (id <= upTo) ids.push(id)
      if (found.length < PAGE || (found.at(-1) ?? 0) >= upTo) return ids
    }
  }
}

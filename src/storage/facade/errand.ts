import type { StoreWorkers } from '../open.ts'
import type { ReaderCalls } from '../reader/protocol.ts'
import type { SalvageStep } from '../reader/salvage.ts'
import { Link } from '../wire/link.ts'

/** Long readings run on a thread of their own: the list must not wait for them, and they can be cut off at any time. */
export class Errand {
  readonly #link: Link<ReaderCalls>

  constructor(workers: StoreWorkers) {
    this.#link = new Link<ReaderCalls>(
      workers.reader(),
      () => undefined,
      () => undefined,
    )
  }

  /** Reads a damaged database step by step. */
  async *salvage(damaged: string): AsyncGenerator<SalvageStep> {
    await this.#link.call('salvageOpen', damaged)
    for (;;) {
      const step = await this.#link.call('salvageNext')
      if (step.rows.length === 0) return
      yield step
    }
  }

  end(): Promise<void> {
    return this.#link.end()
  }
}

import { randomUUID } from 'node:crypto'
import { refused } from '#contract/errors.ts'
import type { UnsentAnnotation } from '#core/mirror.ts'
import type { Log, LogRecord } from '#core/ports.ts'
import { reasonOf } from './database.ts'
import { Lane } from './lane.ts'
import { DAY_MS, payloadOf } from './rows.ts'

const PATIENCE_MS = 5_000
/** Longest wait until the log brings back what was added to it. */
const BACK_MS = 10_000
const POLL_MS = 20

export interface ContributionsOptions {
  readonly url: string
  /** The connection's name. */
  readonly name: string
  /** The kind of a record of an annotation. */
  readonly annotation: number
  /** The place up to which the store has the log. */
  reached(): number
  /** Whether a record of another kind is one that a follower may add. */
  mayAdd(kind: number, payload: Buffer): boolean
}

/** What a follower adds to a shared log. */
export class Contributions implements Pick<Log, 'append'> {
  readonly #options: ContributionsOptions
  readonly #lane: Lane
  constructor(options: ContributionsOptions) {
    this.#options = options
    this.#lane = new Lane(options.url, options.name)
  }

  /** @throws when the log is not known to have all of them; then send all again, since it takes each once */
  async annotate(changes: readonly UnsentAnnotation[]): Promise<void> {
    const { annotation: kind } = this.#options
    await this.#lane.contribute(
      changes.map(({ key, day, record }) => ({
        origin: key,
        seq: 0,
        day,
        kind,
        numbered: false,
        payload: Buffer.from(record),
      })),
      PATIENCE_MS,
    )
  }

  /** Resolves with the ids once the follower has read the records from the log, so that no failover takes them back. */
  async append(records: readonly LogRecord[]): Promise<readonly number[]> {
    const day = Math.floor(Date.now() / DAY_MS)
    const rows = records.map((record) => ({
      origin: randomUUID(),
      seq: 0,
      day,
      kind: record.kind,
      numbered: record.numbered,
      payload: payloadOf(record),
    }))
    if (!rows.every(({ kind, payload }) => this.#options.mayAdd(kind, payload)))
      throw refused('store-failed', 'follows')
    const ids = await this.#lane.contribute(rows, PATIENCE_MS).catch((error: unknown) => {
      throw refused('store-failed', 'log-away', { reason: reasonOf(error) })
    })
    for (const until = performance.now() + BACK_MS; this.#options.reached() < (ids.at(-1) ?? 0); ) {
      if (performance.now() > until) throw refused('store-failed', 'not-confirmed')
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    return ids
  }

  close(): void {
    this.#lane.close()
  }
}

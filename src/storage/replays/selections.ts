import type { Exclusion, JobOptions, ReplaySource } from '#contract/replay.ts'
import { EXCLUSIONS } from '#contract/values.ts'
import type { Selected, Selecting } from '#core/replay/ports.ts'
import type { Patience } from '../body/opened.ts'
import { Queries, RecentlyUsed, type Statements } from '../sql/connection.ts'
import { type Source, sourceOf, type Window } from './source.ts'

/** What was found lately; each may hold the ids of a million deliveries. */
const REMEMBERED = 2
/** A selection that no window has asked for in this time is forgotten. */
const KEPT_MS = 60_000
/** A window that waits for a search asks again within this time. */
const ASKED_MS = 2_000

interface Kept {
  readonly found: FoundSoFar
  readonly volatile: boolean
  /** Of which files, see `Attachment.opened`. */
  readonly opened: number
}

/** What filters found lately for jobs: a sheet asks several times, and then begins. */
export class Selections extends Queries {
  readonly #patience: Patience
  readonly #kept = new RecentlyUsed<Kept>(REMEMBERED)

  constructor(statements: Statements, patience: Patience) {
    super(statements)
    this.#patience = patience
  }

  /** @throws AcuseError `bad-filter` */
  get(source: ReplaySource, include: JobOptions['include'], opened: number): FoundSoFar {
    const lookup = { statements: this.db, patience: this.#patience, include }
    // What a list or a document names is found at once, each time.
    if (source.type !== 'filter') return new FoundSoFar(sourceOf(source, lookup))
    const make = () => {
      const from = sourceOf(source, lookup)
      return { found: new FoundSoFar(from), volatile: from.volatile, opened }
    }
    const key = JSON.stringify([source.filter, [...include].sort()])
    return this.#kept.get(key, make, (kept) => kept.opened === opened && isFresh(kept)).found
  }

  clear(): void {
    this.#kept.clear()
  }
}

function isFresh({ found, volatile }: Kept): boolean {
  const age = performance.now() - found.askedAt
  return volatile ? !found.whole && age < ASKED_MS : age < KEPT_MS
}

/** Rows looked at in a step, at most: where a filter selects all at once after nothing for long, a wide window would bring too many. */
const MOST_ROWS = 4_096

/** What a job would send, found window by window from the oldest on; what arrives meanwhile is looked at when it is asked for again. */
export class FoundSoFar implements Selecting {
  readonly #source: Source
  readonly #excluded = new Map<Exclusion, number>()
  readonly #ids: number[] = []
  #next: number
  #scanned = 0
  #bytes = 0
  #oldest = Number.POSITIVE_INFINITY
  #newest = Number.NEGATIVE_INFINITY
  #spanUs = 0
  #last: number | undefined
  /** By the clock of `performance`. */
  askedAt = performance.now()

  constructor(source: Source) {
    this.#source = source
    this.#next = source.first()
  }

  step(): boolean {
    this.askedAt = performance.now()
    const end = this.#source.end()
    if (this.#next > end) return true
    const { rows, to } = this.#source.look(this.#next, end, MOST_ROWS)
    for (const row of rows) this.#take(row)
    this.#scanned += to - this.#next + 1
    this.#next = to + 1
    return to >= end
  }

  get selected(): Selected {
    const sent = this.#ids.length > 0
    return {
      count: this.#ids.length,
      excluded: EXCLUSIONS.flatMap((reason) => {
        const count = this.#excluded.get(reason)
        return count === undefined ? [] : [{ reason, count }]
      }),
      bytes: this.#bytes,
      oldest: sent ? this.#oldest : null,
      newest: sent ? this.#newest : null,
      spanUs: this.#spanUs,
    }
  }

  progress(): { readonly scanned: number; readonly of: number } {
    return { scanned: this.#scanned, of: this.#scanned + Math.max(0, this.#source.end() - this.#next + 1) }
  }

  get whole(): boolean {
    return this.#next > this.#source.end()
  }

  ids(from: number, limit: number): readonly number[] {
    return this.#ids.slice(from, from + limit)
  }

  #take({ id, receivedAt, size, reason }: Window['rows'][number]): void {
    if (reason !== null) {
      this.#excluded.set(reason, (this.#excluded.get(reason) ?? 0) + 1)
      return
    }
    this.#ids.push(id)
    this.#bytes += size
    this.#oldest = Math.min(this.#oldest, receivedAt)
    this.#newest = Math.max(this.#newest, receivedAt)
    if (this.#last !== undefined) this.#spanUs += Math.max(0, receivedAt - this.#last)
    this.#last = receivedAt
  }
}

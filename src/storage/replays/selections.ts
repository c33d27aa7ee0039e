import type { Exclusion, JobOptions, ReplaySource } from '#contract/replay.ts'
import { EXCLUSIONS } from '#contract/values.ts'
import type { Selected, Selecting } from '#core/replay/ports.ts'
import type { TimeLimit } from '../body/opened.ts'
import { Queries, RecentlyUsed, type Statements } from '../sql/connection.ts'
import { type Source, sourceOf, type Window } from './source.ts'

/** Selections to cache; each may have a million ids. */
const REMEMBERED = 2
/** Time to live of a selection since its last use. */
const KEPT_MS = 60_000
/** Time to live of an incomplete selection with changing members: a waiting window asks again within this time. */
const ASKED_MS = 2_000

interface Kept {
  readonly found: FoundSoFar
  readonly volatile: boolean
  /** `Attachment.opened` at the time of the search. */
  readonly opened: number
}

/** Cache of selections by filter: the dialog for a new job asks several times before the job begins. */
export class Selections extends Queries {
  readonly #timeLimit: TimeLimit
  readonly #kept = new RecentlyUsed<Kept>(REMEMBERED)

  constructor(statements: Statements, timeLimit: TimeLimit) {
    super(statements)
    this.#timeLimit = timeLimit
  }

  /** @throws AcuseError `bad-filter` */
  get(source: ReplaySource, include: JobOptions['include'], opened: number): FoundSoFar {
    const lookup = { statements: this.db, timeLimit: this.#timeLimit, include }
    // Lists and documents are fast to resolve, so they are not cached.
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

/** Most rows per step: after a long stretch without members, the step's window is wide, and dense members would be too many. */
const MOST_ROWS = 4_096

/** The deliveries that a job would send, found in steps from the oldest on. A later step includes new arrivals. */
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
  /** In `performance.now()`. */
  askedAt = performance.now()

  constructor(source: Source) {
    this.#source = source
    this.#next = source.first()
  }

  step(): boolean {
    this.askedAt = performance.now()
    const end = this.#source.end()
    if (this.#next > end) return true
    const { rows, to } = this.#source.window(this.#next, end, MOST_ROWS)
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

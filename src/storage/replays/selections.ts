import type { JobOptions, ReplaySource } from '#contract/replay.ts'
import type { Statements } from '../sql/connection.ts'
import type { Patience } from '../sql/opened.ts'
import { FoundSoFar } from './selecting.ts'
import { sourceOf } from './source.ts'

/** What was found lately; each may hold the ids of a million deliveries. */
const REMEMBERED = 2
/** After this long nobody is taken to be looking at it any more. */
const KEPT_MS = 60_000
/** Whoever waits for a search asks again within this time. */
const ASKED_MS = 2_000

interface Kept {
  readonly found: FoundSoFar
  readonly volatile: boolean
  /** Of which files, see `Attachment.opened`. */
  readonly opened: number
}

/** What filters found lately for jobs: a sheet asks several times, and then begins. */
export class Selections {
  readonly #statements: Statements
  readonly #patience: Patience
  readonly #kept = new Map<string, Kept>()

  constructor(statements: Statements, patience: Patience) {
    this.#statements = statements
    this.#patience = patience
  }

  /** @throws AcuseError `bad-filter` */
  get(source: ReplaySource, include: JobOptions['include'], opened: number): FoundSoFar {
    const lookup = { statements: this.#statements, patience: this.#patience, include }
    // What a list or a document names is found at once, each time.
    if (source.type !== 'filter') return new FoundSoFar(sourceOf(source, lookup))
    const key = JSON.stringify([source.filter, [...include].sort()])
    const known = this.#kept.get(key)
    this.#kept.delete(key)
    if (known && known.opened === opened && isFresh(known)) {
      this.#kept.set(key, known)
      return known.found
    }
    const from = sourceOf(source, lookup)
    const found = new FoundSoFar(from)
    this.#kept.set(key, { found, volatile: from.volatile, opened })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > REMEMBERED && oldest !== undefined) this.#kept.delete(oldest)
    return found
  }

  /** Deliveries were deleted. */
  clear(): void {
    this.#kept.clear()
  }
}

function isFresh({ found, volatile }: Kept): boolean {
  const age = performance.now() - found.askedAt
  return volatile ? !found.whole && age < ASKED_MS : age < KEPT_MS
}

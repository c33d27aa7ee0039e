import type { Ordered, SortKey } from '#contract/order.ts'
import type { Statements } from '../sql/connection.ts'
import { rowsAsLists } from '../sql/rows-as-lists.ts'
import { membersBetween } from './look.ts'
import { mergedInto } from './merged-into.ts'
import { ORDER_KEYS } from './order-keys.ts'
import type { Searches } from './searches.ts'
import type { Selection } from './selection.ts'
import { SortedRuns } from './sorted-runs.ts'

/** Other reads wait for a slice. */
const SLICE_MS = 8
/** Ids looked through at once, at least and at most; fewer would help nobody where the machine itself is busy. */
const LEAST_WINDOW = 4_096
const MOST_WINDOW = 65_536
/** Members that were found step by step, whose keys are asked for at once. */
const FOUND_WINDOW = 2_048
/** An order that nobody has asked for since is given up. */
const WANTED_MS = 2_000
/** New members are put into a known order one by one while there are fewer of them than this share of it. */
const FEW = 1 / 32

export interface Wanted {
  readonly statements: Statements
  readonly searches: Searches
  readonly selection: Selection
  readonly by: SortKey
  /** Names the set and what it is ordered by. */
  readonly key: string
  readonly upto: number
}

interface Before {
  readonly upto: number
  readonly ids: Uint32Array
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** An order while it is made. */
export class Making {
  readonly key: string
  readonly upto: number
  readonly #wanted: Wanted
  readonly #made = Promise.withResolvers<Uint32Array | null>()
  #progress = { done: 0, of: 1 }
  #asked = performance.now()
  #waiting = 0
  #dropped = false

  constructor(wanted: Wanted) {
    this.key = wanted.key
    this.upto = wanted.upto
    this.#wanted = wanted
    // Whoever waits is told; that nobody does is no failure of the thread.
    this.#made.promise.catch(() => undefined)
  }

  get dropped(): boolean {
    return this.#dropped
  }

  progress(): NonNullable<Ordered['making']> {
    return this.#progress
  }

  /** Keeps it going for a while. @returns the ids, or null when they are not there in time, or never will be */
  async wait(ms: number): Promise<Uint32Array | null> {
    this.#asked = performance.now()
    this.#waiting += 1
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<null>((resolve) => {
      if (Number.isFinite(ms)) timer = setTimeout(() => resolve(null), ms)
    })
    try {
      return await Promise.race([this.#made.promise, late])
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
      this.#asked = performance.now()
    }
  }

  /** Its deliveries are not what they were. */
  drop(): void {
    this.#dropped = true
    this.#made.resolve(null)
  }

  /**
   * Never rejects: whoever waits meets the failure.
   * @param before the same order of fewer deliveries
   * @returns the ids, ascending; null when it was given up
   */
  async run(before: Before | undefined): Promise<Uint32Array | null> {
    try {
      const ids = await this.#make(before)
      this.#made.resolve(ids)
      return this.#dropped ? null : ids
    } catch (error) {
      this.#made.reject(error)
      return null
    }
  }

  async #make(before: Before | undefined): Promise<Uint32Array | null> {
    const { selection, by } = this.#wanted
    const runs = new SortedRuns(ORDER_KEYS[by].type)
    const after = before?.upto ?? 0
    const gather = selection.scanned ? this.#found(after) : this.#members(after)
    for await (const { ids, keys } of gather) {
      runs.add(ids, keys)
      while (!runs.tidy(performance.now() + SLICE_MS)) if (!(await this.#pause())) return null
    }
    while (!runs.finish(performance.now() + SLICE_MS)) if (!(await this.#pause())) return null
    if (this.#dropped) return null
    const added = runs.ids()
    if (!before || added.length === 0) return before?.ids ?? added
    if (added.length > before.ids.length * FEW) return this.#make(undefined)
    const { statements } = this.#wanted
    const key = statements.get(
      `SELECT ${ORDER_KEYS[by].sql} AS value FROM delivery d LEFT JOIN analysis a ON a.delivery_id = d.id WHERE d.id = ?`,
    )
    const steps = mergedInto(before.ids, added, ORDER_KEYS[by].type, (id) => key.get(id)?.value)
    for (;;) {
      const until = performance.now() + SLICE_MS
      let step = steps.next()
      while (!step.done && performance.now() < until) step = steps.next()
      if (step.done) return step.value
      if (!(await this.#pause())) return null
    }
  }

  /** @returns whether to go on */
  async #pause(): Promise<boolean> {
    await turn()
    if (this.#waiting === 0 && performance.now() - this.#asked > WANTED_MS) this.drop()
    return !this.#dropped
  }

  async *#members(after: number): AsyncGenerator<{ ids: number[]; keys: unknown[] }> {
    const { statements, selection, by } = this.#wanted
    const lowest = Number(statements.get('SELECT min(id) AS id FROM delivery').get()?.id ?? 1)
    const first = Math.max(lowest, after + 1)
    let window = LEAST_WINDOW
    for (let low = first; low <= this.upto; ) {
      const began = performance.now()
      const high = Math.min(this.upto, low + window - 1)
      const query = membersBetween(statements, selection, `${ORDER_KEYS[by].sql} AS key`, low, high)
      const rows = rowsAsLists(query, [low, high, ...selection.params])
      yield { ids: rows.map((row) => Number(row[0])), keys: rows.map((row) => row[1]) }
      const took = performance.now() - began
      if (took < SLICE_MS / 2) window = Math.min(MOST_WINDOW, window * 2)
      else if (took > SLICE_MS) window = Math.max(LEAST_WINDOW, window / 2)
      low = high + 1
      this.#progress = { done: low - first, of: this.upto - first + 1 }
      if (!(await this.#pause())) return
    }
  }

  async *#found(after: number): AsyncGenerator<{ ids: number[]; keys: unknown[] }> {
    const { statements, selection, by, searches } = this.#wanted
    let { set, searching } = await searches.found(selection)
    while (searching) {
      this.#progress = { done: searching.scanned, of: searching.of }
      if (!(await this.#pause())) return
      ;({ set, searching } = await searches.found(selection))
    }
    const query = statements.get(
      `SELECT d.id, ${ORDER_KEYS[by].sql} FROM json_each(?) j JOIN delivery d ON d.id = j.value LEFT JOIN analysis a ON a.delivery_id = d.id`,
    )
    const end = set.before(this.upto + 1)
    for (let at = set.before(after + 1); at < end; at += FOUND_WINDOW) {
      const ids = set.ids(at, Math.min(FOUND_WINDOW, end - at))
      const rows = rowsAsLists(query, [JSON.stringify(ids)])
      yield { ids: rows.map((row) => Number(row[0])), keys: rows.map((row) => row[1]) }
      if (!(await this.#pause())) return
    }
  }
}

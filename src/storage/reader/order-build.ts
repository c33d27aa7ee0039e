import { setImmediate as turn } from 'node:timers/promises'
import type { Ordered } from '#contract/order.ts'
import { raw, type Statements } from '../sql/connection.ts'
import { Members } from './members.ts'
import { ORDER_KEYS, type OrderPlan } from './plan.ts'
import type { Searches } from './searches.ts'
import { mergedInto, SortedRuns } from './sorted-runs.ts'

/** Work between two pauses; other reads wait meanwhile. */
const SLICE_MS = 8
/** Bounds of the ids per query. On a busy machine, smaller queries would gain nothing. */
const LEAST_WINDOW = 4_096
const MOST_WINDOW = 65_536
/** Keys per query for members that a search found. */
const FOUND_WINDOW = 2_048
/** An order is given up when no window has asked for it during this time. */
const WANTED_MS = 2_000
/** Up to this share of new members, they are inserted into the known order one by one; beyond it, the order is made anew. */
const FEW = 1 / 32

export interface Wanted {
  readonly statements: Statements
  readonly searches: Searches
  readonly plan: OrderPlan
  readonly upto: number
}

interface Before {
  readonly upto: number
  readonly ids: Uint32Array
}

export class OrderBuild {
  readonly key: string
  readonly upto: number
  readonly #wanted: Wanted
  readonly #made = Promise.withResolvers<Uint32Array | null>()
  #progress = { done: 0, of: 1 }
  #asked = performance.now()
  #waiting = 0
  #dropped = false

  constructor(wanted: Wanted) {
    this.key = wanted.plan.key
    this.upto = wanted.upto
    this.#wanted = wanted
    // Each waiting call gets the failure; without this handler, a failure with no waiting call would end the thread.
    this.#made.promise.catch(() => undefined)
  }

  get dropped(): boolean {
    return this.#dropped
  }

  progress(): NonNullable<Ordered['building']> {
    return this.#progress
  }

  /** Extends the build's life by WANTED_MS. @returns the ids; null when they are not ready in time or the build was dropped */
  async wait(ms: number): Promise<Uint32Array | null> {
    this.#asked = performance.now()
    this.#waiting += 1
    const late = Promise.withResolvers<null>()
    const timer = Number.isFinite(ms) ? setTimeout(late.resolve, ms, null) : undefined
    try {
      return await Promise.race([this.#made.promise, late.promise])
    } finally {
      clearTimeout(timer)
      this.#waiting -= 1
      this.#asked = performance.now()
    }
  }

  drop(): void {
    this.#dropped = true
    this.#made.resolve(null)
  }

  /** Never rejects: waiting calls get the failure. @param before the same order over fewer deliveries @returns null when given up */
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
    const { set, by } = this.#wanted.plan
    const runs = new SortedRuns(ORDER_KEYS[by].type)
    const after = before?.upto ?? 0
    const gather = set.strategy === 'search' ? this.#found(after) : this.#members(after)
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
    const key = (id: number) => statements.value`SELECT ${raw(ORDER_KEYS[by].sql)} FROM delivery d
      LEFT JOIN analysis a ON a.delivery_id = d.id WHERE d.id = ${id}`
    const steps = mergedInto(before.ids, added, ORDER_KEYS[by].type, key)
    for (;;) {
      const until = performance.now() + SLICE_MS
      let step = steps.next()
      while (!step.done && performance.now() < until) step = steps.next()
      if (step.done) return step.value
      if (!(await this.#pause())) return null
    }
  }

  /** @returns false when the build was dropped */
  async #pause(): Promise<boolean> {
    await turn()
    if (this.#waiting === 0 && performance.now() - this.#asked > WANTED_MS) this.drop()
    return !this.#dropped
  }

  async *#members(after: number): AsyncGenerator<{ ids: number[]; keys: unknown[] }> {
    const { statements, plan } = this.#wanted
    const members = new Members(statements, plan.set.rows)
    const what = `${plan.set.rows.id} AS id, ${ORDER_KEYS[plan.by].sql} AS key`
    const lowest = Number(statements.value`SELECT min(id) FROM delivery` ?? 1)
    const first = Math.max(lowest, after + 1)
    let window = LEAST_WINDOW
    for (let low = first; low <= this.upto; ) {
      const began = performance.now()
      const high = Math.min(this.upto, low + window - 1)
      const rows = members.lists(what, low, high)
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
    const { statements, plan, searches } = this.#wanted
    let { set, searching } = await searches.found(plan.set)
    while (searching) {
      this.#progress = { done: searching.scanned, of: searching.of }
      if (!(await this.#pause())) return
      ;({ set, searching } = await searches.found(plan.set))
    }
    const end = set.before(this.upto + 1)
    for (let at = set.before(after + 1); at < end; at += FOUND_WINDOW) {
      const ids = set.ids(at, Math.min(FOUND_WINDOW, end - at))
      const rows = statements.lists`SELECT d.id, ${raw(ORDER_KEYS[plan.by].sql)} FROM json_each(${JSON.stringify(ids)}) j
        JOIN delivery d ON d.id = j.value LEFT JOIN analysis a ON a.delivery_id = d.id`
      yield { ids: rows.map((row) => Number(row[0])), keys: rows.map((row) => row[1]) }
      if (!(await this.#pause())) return
    }
  }
}

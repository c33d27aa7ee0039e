import { bisect } from '../sql/numbers.ts'

type Key = number | string
/** Sorted keys of one type, and the ids that they belong to. */
interface Run {
  readonly keys: Key[] | Float64Array
  /** Ids stay below 2^32 unless a disk exceeds eight petabytes. */
  readonly ids: Uint32Array
}
interface Merge {
  readonly a: Run
  readonly b: Run
  readonly into: Run
  i: number
  j: number
}

/** Elements to merge between two readings of the clock. */
const STEP = 8_192

/** Sorts ids by key, then by id, in interruptible steps: sorting a million at once would delay every other read. */
export class SortedRuns {
  readonly #text: boolean
  readonly #runs: Run[] = []
  #merge: Merge | undefined

  constructor(type: 'number' | 'text') {
    this.#text = type === 'text'
  }

  /** Adds a piece that is small enough to sort at once. Keys have one type, or are null, which sorts first. */
  add(ids: readonly number[], keys: readonly unknown[]): void {
    const known = this.#text ? keys.map(textOf) : Float64Array.from(keys, numberOf)
    const order = Uint32Array.from(ids.keys()).sort((x, y) => compareKeys(known[x], known[y], ids[x], ids[y]))
    const run = this.#empty(order.length)
    for (const [to, from] of order.entries()) {
      run.keys[to] = known[from] ?? 0
      run.ids[to] = ids[from] ?? 0
    }
    this.#runs.push(run)
  }

  /** Merges runs of similar size. @param until time in `performance.now()` @returns false when the time was too short */
  tidy(until: number): boolean {
    return this.#work(until, () => {
      const [older, newer] = this.#runs.slice(-2)
      return older !== undefined && newer !== undefined && older.ids.length <= newer.ids.length * 2
    })
  }

  /** Merges all runs. @returns false when the time was too short */
  finish(until: number): boolean {
    return this.#work(until, () => this.#runs.length > 1)
  }

  /** The sorted ids; call it after `finish` has returned true. */
  ids(): Uint32Array {
    return this.#runs[0]?.ids ?? new Uint32Array()
  }

  #work(until: number, wanted: () => boolean): boolean {
    for (;;) {
      if (!this.#merge && !wanted()) return true
      if (performance.now() >= until) return false
      this.#merge ??= this.#begin()
      this.#step(this.#merge)
    }
  }

  #begin(): Merge {
    const b = this.#runs.pop() ?? this.#empty(0)
    const a = this.#runs.pop() ?? this.#empty(0)
    return { a, b, into: this.#empty(a.ids.length + b.ids.length), i: 0, j: 0 }
  }

  #step(merge: Merge): void {
    const { a, b, into } = merge
    const end = Math.min(into.ids.length, merge.i + merge.j + STEP)
    let { i, j } = merge
    for (let to = i + j; to < end; to++) {
      const first =
        j >= b.ids.length || (i < a.ids.length && compareKeys(a.keys[i], b.keys[j], a.ids[i], b.ids[j]) < 0)
      into.keys[to] = (first ? a.keys[i] : b.keys[j]) ?? 0
      into.ids[to] = (first ? a.ids[i++] : b.ids[j++]) ?? 0
    }
    merge.i = i
    merge.j = j
    if (end < into.ids.length) return
    this.#merge = undefined
    this.#runs.push(into)
  }

  #empty(length: number): Run {
    return { keys: this.#text ? new Array(length) : new Float64Array(length), ids: new Uint32Array(length) }
  }
}

const textOf = (key: unknown): string => (typeof key === 'string' ? key : '')
const numberOf = (key: unknown): number => (typeof key === 'number' ? key : Number.NEGATIVE_INFINITY)

/** A key for comparison; a missing value sorts first. */
const keyOf = (type: 'number' | 'text', key: unknown): Key => (type === 'text' ? textOf(key) : numberOf(key))

/** Compares keys, then ids. */
function compareKeys(x: Key = 0, y: Key = 0, idX = 0, idY = 0): number {
  if (x < y) return -1
  if (x > y) return 1
  return idX - idY
}

/** Insertions between two readings of the clock. */
const MERGED_AT_ONCE = 16

/** Inserts new ids into an order without stored keys: a bisection reads the keys it needs. @param added sorted; higher than known ids */
export function* mergedInto(
  known: Uint32Array,
  added: Uint32Array,
  type: 'number' | 'text',
  ask: (id: number) => unknown,
): Generator<undefined, Uint32Array> {
  // Every bisection begins with the same few keys.
  const met = new Map<number, Key>()
  const keyAt = (at: number): Key => {
    const found = met.get(at) ?? keyOf(type, ask(known[at] ?? 0))
    met.set(at, found)
    return found
  }
  const all = new Uint32Array(known.length + added.length)
  let copied = 0
  for (const [n, id] of added.entries()) {
    const key = keyOf(type, ask(id))
    const place = bisect(copied, known.length, (at) => compareKeys(keyAt(at), key, known[at], id) < 0)
    all.set(known.subarray(copied, place), copied + n)
    all[place + n] = id
    copied = place
    if (n % MERGED_AT_ONCE === 0) yield undefined
  }
  all.set(known.subarray(copied), copied + added.length)
  return all
}

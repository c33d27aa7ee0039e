import { compareKeys, type Key, keyOf } from './sorted-runs.ts'

/** Places looked at between two looks at the clock. */
const STEP = 16

/**
 * Puts new ids into an order whose keys are not kept: the place of each is found by asking for the keys that a bisection meets.
 * @param known in order
 * @param added in order; all higher than those known
 * @param ask the key of an id as it is stored
 * @returns all of them in order, after any number of steps
 */
export function* mergedInto(
  known: Uint32Array,
  added: Uint32Array,
  type: 'number' | 'text',
  ask: (id: number) => unknown,
): Generator<undefined, Uint32Array> {
  // The first steps of every bisection meet the same few.
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
    let low = copied
    let high = known.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareKeys(keyAt(middle), key, known[middle], id) < 0) low = middle + 1
      else high = middle
    }
    all.set(known.subarray(copied, low), copied + n)
    all[low + n] = id
    copied = low
    if (n % STEP === 0) yield undefined
  }
  all.set(known.subarray(copied), copied + added.length)
  return all
}

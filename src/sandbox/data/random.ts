/** A small seeded generator (xoshiro128**): the same seed gives the same data on every machine. Not for secrets. */
export interface Random {
  /** A whole number from `low` to `high`, both inclusive; the range holds at most 2^32 numbers. */
  int(low: number, high: number): number
  chance(percent: number): boolean
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T
  weighted(weights: readonly number[]): number
  state(): string
  restore(state: string): void
}

/** Expands a seed to the whole state with splitmix32: otherwise similar seeds would give similar first numbers. */
function spread(seed: number): [number, number, number, number] {
  let word = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0
  const next = (): number => {
    word = (word + 0x9e3779b9) >>> 0
    let mixed = word ^ (word >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  return [next(), next(), next(), next() | 1]
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

export function createRandom(seed: number): Random {
  let [a, b, c, d] = spread(seed)
  const word = (): number => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return result
  }
  const below = (count: number): number => Math.floor((word() / 2 ** 32) * count)
  return {
    int: (low, high) => low + below(high - low + 1),
    chance: (percent) => below(100) < percent,
    pick: (list) => {
      const index = below(list.length)
      if (index >= list.length) throw new RangeError('nothing to pick from')
      return list[index] as (typeof list)[number]
    },
    weighted: (weights) => {
      let left = below(weights.reduce((sum, weight) => sum + weight, 0))
      for (const [index, weight] of weights.entries()) {
        if (left < weight) return index
        left -= weight
      }
      return weights.length - 1
    },
    state: () => [a, b, c, d].map((part) => (part >>> 0).toString(16)).join('.'),
    restore: (state) => {
      const [first = 0, second = 0, third = 0, fourth = 1] = state
        .split('.')
        .map((part) => Number.parseInt(part, 16))
      ;[a, b, c, d] = [first, second, third, fourth]
    },
  }
}

/**
 * Hashes its arguments to a number in [0, 1): the order of deliveries does not matter.
 * @param salt distinguishes several draws for one delivery
 */
export function chance(seed: number, salt: string, ...numbers: readonly number[]): number {
  let state = seed >>> 0
  for (let i = 0; i < salt.length; i += 1) state = mixed(state ^ salt.charCodeAt(i))
  for (const number of numbers) state = mixed(state ^ (number >>> 0))
  return mixed(state) / 2 ** 32
}

function mixed(value: number): number {
  const state = (value + 0x6d2b79f5) >>> 0
  let result = Math.imul(state ^ (state >>> 15), state | 1)
  result ^= result + Math.imul(result ^ (result >>> 7), result | 61)
  return (result ^ (result >>> 14)) >>> 0
}

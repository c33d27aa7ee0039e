/** A number in [0, 1) that depends on nothing but its arguments: row 700,000 is the same whether 699,999 rows were made or none. */
export function chance(seed: number, index: number, salt: number): number {
  let h = (seed ^ Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return ((h ^ (h >>> 16)) >>> 0) / 4_294_967_296
}

export function pick<T>(from: readonly [T, ...T[]], at: number): T {
  return from[Math.floor(at * from.length)] ?? from[0]
}

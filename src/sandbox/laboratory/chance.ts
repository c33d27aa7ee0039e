/**
 * A number in [0, 1) that depends on its arguments alone, so that it does not matter in which order deliveries are made.
 * @param salt tells the questions about one delivery apart
 */
export function chance(seed: number, salt: string, ...numbers: readonly number[]): number {
  let state = seed >>> 0
  for (let i = 0; i < salt.length; i += 1) state = mixed(state ^ salt.charCodeAt(i))
  for (const number of numbers) state = mixed(state ^ (number >>> 0))
  return mixed(state) / 2 ** 32
}

/** The finisher of mulberry32 after its step. */
function mixed(value: number): number {
  const state = (value + 0x6d2b79f5) >>> 0
  let result = Math.imul(state ^ (state >>> 15), state | 1)
  result ^= result + Math.imul(result ^ (result >>> 7), result | 61)
  return (result ^ (result >>> 14)) >>> 0
}

import fc from 'fast-check'
import { runs } from './depth.ts'

type Arbitraries<T extends unknown[]> = { [K in keyof T]: fc.Arbitrary<T[K]> }

/** Checks what has to hold for any values; a check fails by throwing, or by `false`. @param times how often at full depth; up to a hundred times always */
export function forAll<T extends unknown[]>(
  times: number,
  values: readonly [...Arbitraries<T>],
  check: (...values: T) => unknown,
): void {
  const numRuns = times > 100 ? runs(times) : times
  fc.assert(
    fc.property(fc.tuple<T>(...values), (given) => check(...given) !== false),
    { numRuns },
  )
}

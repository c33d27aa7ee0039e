import fc from 'fast-check'
import { runs } from './depth.ts'

type Arbitraries<T extends unknown[]> = { [K in keyof T]: fc.Arbitrary<T[K]> }

/** Checks a property for generated values; the check fails by throwing or by `false`. @param times runs at full depth; up to 100 are never reduced */
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

import type { Header } from '#contract/delivery.ts'

export interface HeaderDifference {
  readonly name: string
  /** Values in order; empty where it does not stand. */
  readonly left: readonly string[]
  readonly right: readonly string[]
}

type Plain = Pick<Header, 'name' | 'value'>
const byName = (headers: readonly Plain[]) => Map.groupBy(headers, ({ name }) => name.toLowerCase())

/** Headers that differ, as sets: the order of names and their case mean nothing, the order of values of one name does. */
export function diffHeaders(left: readonly Plain[], right: readonly Plain[]): readonly HeaderDifference[] {
  const [a, b] = [byName(left), byName(right)]
  const differences: HeaderDifference[] = []
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const both = [a.get(key) ?? [], b.get(key) ?? []] as const
    const [l, r] = [both[0].map(({ value }) => value), both[1].map(({ value }) => value)]
    if (l.length === r.length && l.every((value, i) => value === r[i])) continue
    differences.push({ name: both.flat()[0]?.name ?? key, left: l, right: r })
  }
  return differences
}

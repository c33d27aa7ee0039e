import type { Header } from '#contract/delivery.ts'

export interface HeaderDifference {
  readonly name: string
  /** Values in order; empty where it does not stand. */
  readonly left: readonly string[]
  readonly right: readonly string[]
}

function byName(
  headers: readonly Pick<Header, 'name' | 'value'>[],
): Map<string, { name: string; values: string[] }> {
  const found = new Map<string, { name: string; values: string[] }>()
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    const entry = found.get(key)
    if (entry) entry.values.push(value)
    else found.set(key, { name, values: [value] })
  }
  return found
}

/** Headers that differ, as sets: the order of names and their case mean nothing, the order of values of one name does. */
export function diffHeaders(
  left: readonly Pick<Header, 'name' | 'value'>[],
  right: readonly Pick<Header, 'name' | 'value'>[],
): readonly HeaderDifference[] {
  const [a, b] = [byName(left), byName(right)]
  const differences: HeaderDifference[] = []
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    const l = a.get(key)?.values ?? []
    const r = b.get(key)?.values ?? []
    if (l.length === r.length && l.every((value, i) => value === r[i])) continue
    differences.push({ name: a.get(key)?.name ?? b.get(key)?.name ?? key, left: l, right: r })
  }
  return differences
}

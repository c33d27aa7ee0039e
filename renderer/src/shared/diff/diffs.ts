import { diffArrays } from 'diff'
import type { Header } from '#contract/delivery.ts'

export type DiffLine =
  | { readonly type: 'same'; readonly left: number; readonly right: number; readonly text: string }
  | { readonly type: 'left'; readonly left: number; readonly text: string }
  | { readonly type: 'right'; readonly right: number; readonly text: string }

/** Lines added and removed at most: beyond it all is shown as replaced. No reader goes through more. */
export const COMPARED_LINES = 2_000

/** The fewest lines that differ, in order, numbered from 1. `whole` is false when the texts were too unlike to compare. */
export function diffLines(
  left: readonly string[],
  right: readonly string[],
): { readonly lines: readonly DiffLine[]; readonly whole: boolean; readonly equal: boolean } {
  const found = diffArrays([...left], [...right], { maxEditLength: COMPARED_LINES })
  const changes = found ?? [
    { value: left, removed: true, added: false },
    { value: right, removed: false, added: true },
  ]
  const lines: DiffLine[] = []
  let l = 0
  let r = 0
  for (const { value, added, removed } of changes)
    for (const text of value)
      if (added) lines.push({ type: 'right', right: ++r, text })
      else if (removed) lines.push({ type: 'left', left: ++l, text })
      else lines.push({ type: 'same', left: ++l, right: ++r, text })
  return { lines, whole: found !== undefined, equal: lines.every(({ type }) => type === 'same') }
}

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

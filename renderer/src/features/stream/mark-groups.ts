import type { TimelineMark } from '#contract/timeline.ts'
import type { Stretch } from './stretch.ts'

/** At least so much time is shown around marks that are looked at closer. */
const AROUND_MS = 30_000

/** Marks that would cover each other stand together; both in order of time. @param apart by x, pixels */
export function markGroups(
  marks: readonly TimelineMark[],
  x: (at: number) => number,
  apart: number,
): readonly (readonly TimelineMark[])[] {
  const groups: TimelineMark[][] = []
  let begin = Number.NEGATIVE_INFINITY
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    const last = groups.at(-1)
    if (last && x(mark.at) - begin < apart) last.push(mark)
    else {
      groups.push([mark])
      begin = x(mark.at)
    }
  }
  return groups
}

/** What to look at so that marks which stand together come apart. */
export function stretchAround(marks: readonly TimelineMark[]): Stretch {
  const times = marks.map(({ at }) => at)
  const from = Math.min(...times)
  const to = Math.max(...times)
  const around = Math.max(AROUND_MS, (to - from) / 10)
  return { from: from - around, to: to + around }
}

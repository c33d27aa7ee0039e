import type { Timeline } from '#contract/timeline.ts'

/** Counts of every bar of a stretch, empty ones too, in the order of `keys`. */
export interface Bars {
  readonly keys: readonly string[]
  readonly from: number
  readonly step: number
  readonly counts: readonly (readonly number[])[]
  readonly totals: readonly number[]
  readonly total: number
}

/** Verdicts from the bottom of a bar up: what asks for attention lies on top. */
const VERDICT_ORDER = ['unjudged', 'valid', 'noted', 'warning', 'invalid', 'unreadable']

/** Every bar from the first to the last, with the parts in the order in which they are stacked. */
export function barsOf({ keys, buckets, from, to, bucketMs }: Timeline): Bars {
  const order = keys.includes('valid') ? VERDICT_ORDER : keys
  const places = order.map((key) => keys.indexOf(key))
  const number = Math.max(1, Math.round((to - from) / bucketMs))
  const nothing = places.map(() => 0)
  const counts: (readonly number[])[] = new Array<readonly number[]>(number).fill(nothing)
  for (const bucket of buckets) {
    const index = Math.floor((bucket.at - from) / bucketMs)
    if (index >= 0 && index < number) counts[index] = places.map((place) => bucket.counts[place] ?? 0)
  }
  const totals = counts.map((parts) => parts.reduce((sum, n) => sum + n, 0))
  return { keys: order, from, step: bucketMs, counts, totals, total: totals.reduce((sum, n) => sum + n, 0) }
}

/** Least height of a part: one invalid delivery among thousands must still be seen. */
const LEAST_PX = 2

/**
 * Heights of the stacked parts as sums from the bottom, one list per key, for bars that are drawn over each other from the highest on.
 * @param height pixels of the highest bar
 */
export function sums({ keys, counts, totals }: Bars, height: number): { tops: number[][]; most: number } {
  const most = Math.max(1, ...totals)
  const least = (most * LEAST_PX) / Math.max(1, height)
  const tops = keys.map(() => new Array<number>(counts.length).fill(0))
  let highest = most
  for (const [index, parts] of counts.entries()) {
    let sum = 0
    for (const [key, n] of parts.entries()) {
      if (n > 0) sum += Math.max(n, least)
      const top = tops[key]
      if (top) top[index] = sum
    }
    highest = Math.max(highest, sum)
  }
  return { tops, most: highest }
}

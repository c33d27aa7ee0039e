import type { Timeline, TimelineMark } from '#contract/timeline.ts'
import type { Stretch } from './stretch.ts'

const mixed = (colour: string, share: number): string =>
  `color-mix(in srgb, var(--${colour}) ${share}%, var(--panel))`

const COLOURS: Readonly<Record<string, string>> = {
  valid: mixed('accent', 62),
  noted: mixed('noted', 55),
  warning: 'var(--warning)',
  invalid: 'var(--invalid)',
  unreadable: 'var(--unreadable)',
  unjudged: 'var(--line-strong)',
  test: mixed('text-3', 45),
  none: 'var(--line-strong)',
}
/** Forced colours distinguish only some parts. */
const FORCED: Readonly<Record<string, string>> = {
  noted: 'GrayText',
  unjudged: 'GrayText',
  test: 'GrayText',
  warning: 'Highlight',
  invalid: 'LinkText',
  unreadable: 'LinkText',
}

/** Colours of a key for legend and bars; the tokens define those of groups. */
export const swatchOf = (key: string) => ({
  ['--swatch' as string]: COLOURS[key] ?? `var(--g-${key})`,
  ['--forced' as string]: FORCED[key] ?? 'CanvasText',
})
export const SWATCH =
  'flex-none size-7 rounded-2 bg-current text-[color:var(--swatch)] forced-color-adjust-none forced-colors:text-[color:var(--forced)]'
export const HATCHED =
  'bg-[repeating-linear-gradient(-45deg,var(--invalid)_0_3px,color-mix(in_srgb,var(--invalid)_25%,var(--panel))_3px_6px)] forced-color-adjust-none forced-colors:bg-[repeating-linear-gradient(-45deg,CanvasText_0_3px,Canvas_3px_6px)]'

/** Verdicts from the bottom of a bar to its top: the worst on top. */
const VERDICT_ORDER = ['unjudged', 'test', 'valid', 'noted', 'warning', 'invalid', 'unreadable']

/** All bars, each with its parts in stacking order. */
export function barsOf({ keys, buckets, from, to, bucketMs }: Timeline) {
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
export type Bars = ReturnType<typeof barsOf>

/** Parts of a bar with their numbers of deliveries. */
export const partsOf = ({ keys, counts }: Bars, index: number) =>
  keys.map((key, place) => ({ key, n: counts[index]?.[place] ?? 0 })).filter(({ n }) => n > 0)

/** Keys that occur in any bar, with their stacking places. */
export const keysShown = ({ keys, counts }: Bars) =>
  keys
    .map((key, place) => ({ key, place }))
    .filter(({ place }) => counts.some((parts) => (parts[place] ?? 0) > 0))

/** Smallest height of a part: one invalid delivery among thousands must stay visible. */
const LEAST_PX = 2

/** Tops of the stacked parts per key. Bars are painted over each other, highest first. @param height of the highest bar, px */
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

const AROUND_MS = 30_000

/** Groups marks that would overlap; in order of time. @param apart smallest distance in px */
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

export function stretchAround(marks: readonly TimelineMark[]): Stretch {
  const times = marks.map(({ at }) => at)
  const from = Math.min(...times)
  const to = Math.max(...times)
  const around = Math.max(AROUND_MS, (to - from) / 10)
  return { from: from - around, to: to + around }
}

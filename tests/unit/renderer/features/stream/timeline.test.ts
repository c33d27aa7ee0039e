import { describe, expect, test } from 'vitest'
import type { Timeline, TimelineMark } from '#contract/timeline.ts'
import { besides } from '@/features/stream/go-to-time.tsx'
import { barsOf, markGroups, stretchAround, sums } from '@/features/stream/stack.ts'
import {
  receivedIn,
  receivedText,
  scaled,
  shifted,
  stepFor,
  stretchOf,
  ticksOf,
} from '@/features/stream/stretch.ts'
import { valuesOf } from '@/shared/live/filter-edit.ts'

const at = (text: string): number => new Date(text).getTime()
const MINUTE = 60_000
const NOW = at('2026-11-20T10:42:00')

describe('what the timeline looks at', () => {
  test('bars are as wide as people can name, and no narrower than can be pointed at', () => {
    expect([stepFor(60 * MINUTE, 1200), stepFor(60 * MINUTE, 400), stepFor(24 * 60 * MINUTE, 1200)]).toEqual([
      MINUTE,
      2 * MINUTE,
      15 * MINUTE,
    ])
    expect(stepFor(100 * 365 * 24 * 60 * MINUTE, 100)).toBe(365 * 24 * 60 * MINUTE)
  })
  test('everything reaches from the first delivery to now, in bars that begin with a local day', () => {
    const now = at('2026-11-20T10:42:18')
    const stored = { from: at('2026-09-01T15:00:00'), to: now }
    const { from, step } = stretchOf({ follows: 0 }, now, 1200, stored)
    expect([new Date(from).getHours(), step]).toEqual([0, 24 * 60 * MINUTE])
    expect(from).toBeLessThanOrEqual(stored.from)
  })
  test('zooming keeps what is pointed at in its place, and never looks beyond the present', () => {
    const stretch = { from: 0, to: 100 * MINUTE }
    expect(scaled(stretch, 0.5, 1e12, 20 * MINUTE)).toEqual({ from: 10 * MINUTE, to: 60 * MINUTE })
    expect(scaled(stretch, 4, 110 * MINUTE).to).toBe(110 * MINUTE)
    expect(scaled(stretch, 0.0001, 1e12)).toMatchObject({ from: 49.5 * MINUTE })
    expect(shifted(stretch, 0.5, 110 * MINUTE)).toEqual({ from: 10 * MINUTE, to: 110 * MINUTE })
    expect(shifted({ from: 10 * MINUTE, to: 30 * MINUTE }, -1, 1e12)).toEqual({ from: 0, to: 20 * MINUTE })
  })
})

describe('a stretch as a condition', () => {
  test('bars of seconds are told to the second', () => {
    const stretch = { from: at('2026-11-01T10:00:10'), to: at('2026-11-01T10:00:40') }
    expect(receivedText(stretch)).toBe('2026-11-01T10:00:10..2026-11-01T10:00:39')
    expect(receivedIn([receivedText(stretch)], NOW)).toEqual(stretch)
  })
  test.each([
    ['received:2026-11-01', { from: at('2026-11-01T00:00'), to: at('2026-11-02T00:00') }],
    ['received:last-2h', { from: NOW - 120 * MINUTE, to: NOW }],
    ['', null],
    ['-received:2026-11-01', null],
    ['received:..2026-11-01', null],
    ['received:2026-11-02..2026-11-01', null],
  ])('the filter "%s" selects the stretch that is drawn', (text, stretch) =>
    expect(receivedIn(valuesOf(text, 'received'), NOW)).toEqual(stretch),
  )
})

test('of the bars one invalid delivery among thousands is high enough to be seen', () => {
  const timeline: Timeline = {
    ...{ from: 0, to: 4 * MINUTE, bucketMs: MINUTE, exact: true, coverage: [], marks: [], stored: null },
    keys: ['test', 'valid', 'noted', 'warning', 'invalid', 'unreadable', 'unjudged'],
    buckets: [{ at: MINUTE, counts: [3, 5_000, 0, 0, 1, 0, 2] }],
  }
  const { tops, most } = sums(barsOf(timeline), 60)
  const [valid, invalid] = [tops[2]?.[1] ?? 0, tops[5]?.[1] ?? 0]
  expect(((invalid - valid) / most) * 60).toBeGreaterThan(1.8)
  expect(most).toBe(tops[6]?.[1])
})

test('a jump says that it led to another time: the list may leave out what came in the bar', () => {
  const stretch = { from: NOW, to: NOW + MINUTE }
  const came = [NOW, NOW + MINUTE - 1, NOW + MINUTE, NOW - 1, null]
  expect(came.map((instant) => besides(instant, stretch))).toEqual([null, null, 'after', 'before', 'none'])
})

test('times under the bars are round local ones, far enough apart to be read', () => {
  const day = { from: at('2026-11-20T09:42:00'), to: at('2026-11-20T10:43:00') }
  const { ticks, apart } = ticksOf(day, 1_000)
  expect(apart).toBe(10 * MINUTE)
  expect(ticks.map((tick) => new Date(tick).getMinutes() % 10)).toEqual(ticks.map(() => 0))
  const days = ticksOf({ from: at('2026-10-20T00:00'), to: at('2026-11-20T00:00') }, 500).ticks
  expect(days.map((tick) => new Date(tick).getHours())).toEqual(days.map(() => 0))
})

const mark = (id: number, at: number): TimelineMark => ({ type: 'replay', id, at, to: at, label: 'app' })

test('marks that would cover each other stand together, and are looked at with some time around them', () => {
  const marks = [mark(1, 0), mark(3, 20), mark(2, 13), mark(4, 100), mark(5, 113)]
  const groups = markGroups(marks, (at) => at, 14).map((group) => group.map(({ id }) => id))
  expect(groups).toEqual([[1, 2], [3], [4, 5]])
  expect(stretchAround([mark(1, 100_000), mark(2, 101_000)])).toEqual({ from: 70_000, to: 131_000 })
  expect(stretchAround([mark(1, 0), mark(2, 1_000_000)])).toEqual({ from: -100_000, to: 1_100_000 })
})

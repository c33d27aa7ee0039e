import { expect, test } from 'vitest'
import {
  offsetToShow,
  ROW_PX,
  scaleOf,
  windowOf,
} from '../../../../../renderer/src/views/stream/scroll-scale.ts'

test('below the height limit the scrollbar is exact', () => {
  expect(scaleOf(500_000, 700)).toEqual({ full: 14_000_000, px: 14_000_000, end: 13_999_300, factor: 1 })
})

test('beyond it the last pixel of the scrollbar is the last row of the list', () => {
  const viewport = 700
  const { full, px, end, factor } = scaleOf(5_000_000, viewport)
  expect(full).toBe(5_000_000 * ROW_PX)
  expect(px).toBe(15_000_000)
  expect((px - viewport) * factor).toBeCloseTo(end, 3)
})

test('the drawn rows stay within the list and cover the view', () => {
  expect(windowOf(0, 700, 3)).toEqual({ first: 0, last: 2 })
  const { first, last } = windowOf(28_000, 700, 100_000)
  expect(first).toBeLessThanOrEqual(1000)
  expect(last).toBeGreaterThanOrEqual(1025)
})

test('revealing a row moves as little as needed', () => {
  expect(offsetToShow(5, 28 * 10, 280)).toBe(28 * 5)
  expect(offsetToShow(30, 0, 280)).toBe(28 * 31 - 280)
  expect(offsetToShow(12, 28 * 10, 280)).toBe(28 * 10)
})

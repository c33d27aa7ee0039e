import { expect, test } from 'vitest'
import { rowFor } from '@/shared/components/list-steps.ts'
import { offsetToShow, scaleOf, windowOf } from '@/shared/components/use-virtual-rows.ts'

const ROW = 28
const EXACT = { beyond: 12, step: 1 }

test('below the height limit, which is one of pixels, the scroll bar is exact', () => {
  const exact = { full: 14_000_000, px: 14_000_000, end: 13_999_300, factor: 1 }
  expect(scaleOf(500_000, ROW, 700)).toEqual(exact)
  expect(scaleOf(800_000, 18, 700).factor).toBe(1)
})

test('beyond it the last pixel of the scroll bar is the last row of the list', () => {
  const viewport = 700
  const { full, px, end, factor } = scaleOf(5_000_000, ROW, viewport)
  expect([full, px]).toEqual([5_000_000 * ROW, 15_000_000])
  expect((px - viewport) * factor).toBeCloseTo(end, 3)
  expect(scaleOf(900_000, 18, 700).factor).toBeGreaterThan(1)
})

test('the drawn rows stay within the list and cover the view', () => {
  expect(windowOf(0, ROW, 700, 3, EXACT)).toEqual({ first: 0, past: 3 })
  expect(windowOf(0, ROW, 0, 0, EXACT)).toEqual({ first: 0, past: 0 })
  const { first, past } = windowOf(28_000, ROW, 700, 100_000, EXACT)
  expect(first).toBeLessThanOrEqual(1000)
  expect(past).toBeGreaterThan(1025)
})

test('in steps, the drawn rows change once in so many, and never leave the view uncovered', () => {
  const band = { beyond: 12, step: 4 }
  const seen = new Set<string>()
  for (let offset = 28_000; offset < 28_000 + 40 * ROW; offset += 7) {
    const { first, past } = windowOf(offset, ROW, 700, 100_000, band)
    expect(first * ROW).toBeLessThanOrEqual(offset - 12 * ROW)
    expect(past * ROW).toBeGreaterThanOrEqual(offset + 700 + 12 * ROW)
    seen.add(`${first} ${past}`)
  }
  expect(seen.size).toBeLessThanOrEqual(21)
})

test('revealing a row moves as little as needed', () => {
  expect(offsetToShow(5, ROW, 28 * 10, 280)).toBe(28 * 5)
  expect(offsetToShow(30, ROW, 0, 280)).toBe(28 * 31 - 280)
  expect(offsetToShow(12, ROW, 28 * 10, 280)).toBe(28 * 10)
})

test.each([
  ['ArrowDown', 50, 51],
  ['j', 50, 51],
  ['ArrowUp', 50, 49],
  ['k', 50, 49],
  ['PageDown', 50, 70],
  ['PageUp', 50, 30],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['PageDown', 95, 99],
  ['PageUp', 5, 0],
  ['ArrowDown', -1, 0],
  ['ArrowUp', -1, 0],
  ['a', 5, undefined],
] as const)('%s leads from row %s of a hundred to row %s', (key, at, row) => {
  expect(rowFor(key, at, 20, 100)).toBe(row)
  expect(rowFor(key, -1, 20, 0)).toBeUndefined()
})

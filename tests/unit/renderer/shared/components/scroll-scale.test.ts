import { expect, test } from 'vitest'
import { rowFor } from '@/shared/components/list-steps.ts'
import { scaleOf, windowOf } from '@/shared/components/use-virtual-rows.ts'

const ROW = 28

test('below the height limit, which is one of pixels, the scroll bar is exact', () => {
  const exact = { full: 14_000_000, px: 14_000_000, end: 13_999_300, factor: 1 }
  expect(scaleOf(500_000, ROW, 700)).toEqual(exact)
  expect(scaleOf(800_000, 18, 700).factor).toBe(1)
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

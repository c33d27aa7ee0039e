import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeFor } from '@/features/stream/layout.ts'
import { shareAt, shareByKey } from '@/features/stream/splitter.tsx'

const box = (right: number, bottom: number, width: number, height: number) => ({
  right,
  bottom,
  width,
  height,
})
const BOX = box(1_000, 700, 800, 600)

test.each([
  ['right', BOX, 600, 0, 300, 50],
  ['bottom', BOX, 0, 400, 160, 50],
  ['right', BOX, 990, 0, 300, 37.5],
  ['right', box(0, 0, 0, 0), 3, 3, 300, 0],
  // A window too narrow for both: the other pane keeps its quarter.
  ['right', box(200, 9, 200, 9), 100, 0, 300, 75],
] as const)('a %s edge gives the pane what lies between the hand and the far edge', (...row) => {
  const [edge, room, clientX, clientY, least, share] = row
  expect(shareAt(room, edge, { clientX, clientY }, least)).toBe(share)
})

test('a dragged edge leaves the pane its least room and the other one a quarter, wherever the hand goes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -5_000, max: 5_000 }), fc.constantFrom('right', 'bottom'), (at, edge) => {
      const share = shareAt(BOX, edge, { clientX: at, clientY: at }, 150)
      expect(share).toBeGreaterThanOrEqual((150 / (edge === 'right' ? 800 : 600)) * 100)
      expect(share).toBeLessThanOrEqual(75)
    }),
  )
})

test.each([
  ['right', 40, { ArrowLeft: 42, ArrowRight: 38, Home: 20, End: 75, ArrowUp: null, j: null, Enter: null }],
  ['bottom', 40, { ArrowUp: 42, ArrowDown: 38, ArrowLeft: null }],
  ['right', 75, { ArrowLeft: 75 }],
  ['right', 20.5, { ArrowRight: 20 }],
] as const)(
  'keys move the %s line from %d the way the arrow points, up to its limits',
  (edge, from, keys) => {
    for (const [key, share] of Object.entries(keys))
      expect(shareByKey(key, edge, from, 800, 160), key).toBe(share)
  },
)

test.each([
  ['right', 1_280, 800, 'right'],
  ['bottom', 1_280, 400, 'bottom'],
  ['right', 800, 400, 'right'],
  ['right', 799, 800, 'bottom'],
  ['bottom', 640, 560, 'bottom'],
  // As 1280 by 800 at 200 %.
  ['right', 640, 400, 'over'],
  ['bottom', 640, 400, 'over'],
] as const)('details docked at the %s of a window of %d by %d stand %s', (dock, width, height, place) => {
  expect(placeFor(dock, width, height)).toBe(place)
})

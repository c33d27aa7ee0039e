import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shareAt, shareByKey } from '@/features/stream/splitter.tsx'

const BOX = { right: 1_000, bottom: 700, width: 800, height: 600 }

describe('the share of a pane whose edge is dragged', () => {
  it('is what lies between the hand and the far edge', () => {
    expect(shareAt(BOX, 'right', { clientX: 600, clientY: 0 }, 300)).toBe(50)
    expect(shareAt(BOX, 'bottom', { clientX: 0, clientY: 400 }, 160)).toBe(50)
  })

  it('leaves the pane its least room and the other one a quarter, wherever the hand goes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5_000, max: 5_000 }), fc.constantFrom('right', 'bottom'), (at, edge) => {
        const share = shareAt(BOX, edge, { clientX: at, clientY: at }, 150)
        expect(share).toBeGreaterThanOrEqual((150 / (edge === 'right' ? 800 : 600)) * 100)
        expect(share).toBeLessThanOrEqual(75)
      }),
    )
    expect(shareAt(BOX, 'right', { clientX: 990, clientY: 0 }, 300)).toBe(37.5)
  })

  it('is a number where there is no room at all', () => {
    expect(
      shareAt({ right: 0, bottom: 0, width: 0, height: 0 }, 'right', { clientX: 3, clientY: 3 }, 300),
    ).toBe(0)
    // A window too narrow for both: the other pane keeps its quarter.
    expect(
      shareAt({ right: 200, bottom: 9, width: 200, height: 9 }, 'right', { clientX: 100, clientY: 0 }, 300),
    ).toBe(75)
  })
})

describe('the keys of a splitter', () => {
  const by = (key: string, edge: 'right' | 'bottom', share = 40) => shareByKey(key, edge, share, 800, 160)

  it('move its line the way the arrow points, Home and End to its limits', () => {
    expect([by('ArrowLeft', 'right'), by('ArrowRight', 'right')]).toEqual([42, 38])
    expect([by('ArrowUp', 'bottom'), by('ArrowDown', 'bottom')]).toEqual([42, 38])
    expect([by('Home', 'right'), by('End', 'right')]).toEqual([20, 75])
  })

  it('stop at the limits, and leave others to whoever they belong to', () => {
    expect([by('ArrowLeft', 'right', 75), by('ArrowRight', 'right', 20.5)]).toEqual([75, 20])
    expect([
      by('ArrowUp', 'right'),
      by('ArrowLeft', 'bottom'),
      by('j', 'right'),
      by('Enter', 'right'),
    ]).toEqual(Array(4).fill(null))
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../src/sandbox/data/random.ts'

const draw = (random: ReturnType<typeof createRandom>, count: number): number[] =>
  Array.from({ length: count }, () => random.int(0, 1_000_000))

describe('the seeded generator', () => {
  it('gives the same numbers for the same seed, and others for its neighbour', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (seed) => {
        expect(draw(createRandom(seed), 20)).toEqual(draw(createRandom(seed), 20))
        expect(draw(createRandom(seed), 20)).not.toEqual(draw(createRandom(seed ^ 1), 20))
      }),
    )
  })
  it('goes on from a kept state as if nothing had been in between', () => {
    const first = createRandom(11)
    draw(first, 7)
    const kept = first.state()
    const expected = draw(first, 10)
    const other = createRandom(0)
    other.restore(kept)
    expect(draw(other, 10)).toEqual(expected)
  })
  it('stays within its bounds and reaches both', () => {
    const random = createRandom(3)
    const drawn = new Set(Array.from({ length: 400 }, () => random.int(-2, 2)))
    expect([...drawn].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
  })
  it('picks by weight, and never what weighs nothing', () => {
    const random = createRandom(5)
    const counts = [0, 0, 0]
    for (let n = 0; n < 3000; n++) {
      const at = random.weighted([1, 0, 3])
      counts[at] = (counts[at] ?? 0) + 1
    }
    expect(counts[1]).toBe(0)
    expect((counts[2] ?? 0) / (counts[0] ?? 1)).toBeGreaterThan(2)
    expect((counts[2] ?? 0) / (counts[0] ?? 1)).toBeLessThan(4.5)
  })
})

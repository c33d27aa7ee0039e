import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergedInto, SortedRuns } from '#storage/reader/sorted-runs.ts'

const number = fc.option(fc.integer({ min: -3, max: 3 }), { nil: null })
const text = fc.option(fc.constantFrom('', 'a', 'A', 'b', 'ñ', 'E310000000001'), { nil: null })
const rank = (key: number | string | null, type: 'number' | 'text') =>
  key ?? (type === 'text' ? '' : Number.NEGATIVE_INFINITY)

function plain(keys: readonly (number | string | null)[], type: 'number' | 'text'): number[] {
  const ids = keys.map((_, at) => at + 1)
  return ids.sort((a, b) => {
    const [x, y] = [rank(keys[a - 1] ?? null, type), rank(keys[b - 1] ?? null, type)]
    return x < y ? -1 : x > y ? 1 : a - b
  })
}

function sorted(
  keys: readonly (number | string | null)[],
  type: 'number' | 'text',
  pieces: number,
): Uint32Array {
  const runs = new SortedRuns(type)
  const size = Math.max(1, Math.ceil(keys.length / pieces))
  for (let at = 0; at < keys.length; at += size) {
    const part = keys.slice(at, at + size)
    runs.add(
      part.map((_, i) => at + i + 1),
      part,
    )
    // No time at all: nothing is done, and nothing is lost.
    runs.tidy(0)
    runs.tidy(Number.POSITIVE_INFINITY)
  }
  runs.finish(Number.POSITIVE_INFINITY)
  return runs.ids()
}

describe.each([
  ['number', fc.array(number, { maxLength: 200 })],
  ['text', fc.array(text, { maxLength: 200 })],
] as const)('an order by %s', (type, keys) => {
  it('takes in what arrived later without sorting again', () => {
    fc.assert(
      fc.property(keys as fc.Arbitrary<(number | string | null)[]>, fc.nat(), (all, cut) => {
        const known = cut % (all.length + 1)
        const before = sorted(all.slice(0, known), type, 3)
        const added = plain(all, type).filter((id) => id > known)
        const steps = mergedInto(before, Uint32Array.from(added), type, (id) => all[id - 1] ?? null)
        let step = steps.next()
        while (!step.done) step = steps.next()
        expect([...step.value]).toEqual(plain(all, type))
      }),
    )
  })
})

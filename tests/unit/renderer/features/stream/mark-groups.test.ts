import { expect, test } from 'vitest'
import type { TimelineMark } from '#contract/timeline.ts'
import { markGroups, stretchAround } from '../../../../../renderer/src/features/stream/stack.ts'

const mark = (id: number, at: number): TimelineMark => ({ type: 'replay', id, at, to: at, label: 'app' })
const ids = (groups: readonly (readonly TimelineMark[])[]) => groups.map((group) => group.map(({ id }) => id))

test('marks that would cover each other stand together, none is left out', () => {
  const marks = [mark(1, 0), mark(3, 20), mark(2, 13), mark(4, 100), mark(5, 113)]
  expect(ids(markGroups(marks, (at) => at, 14))).toEqual([[1, 2], [3], [4, 5]])
  expect(ids(markGroups([], (at) => at, 14))).toEqual([])
})

test('a group is looked at with some time around it, more for a longer one', () => {
  expect(stretchAround([mark(1, 100_000), mark(2, 101_000)])).toEqual({ from: 70_000, to: 131_000 })
  expect(stretchAround([mark(1, 0), mark(2, 1_000_000)])).toEqual({ from: -100_000, to: 1_100_000 })
})

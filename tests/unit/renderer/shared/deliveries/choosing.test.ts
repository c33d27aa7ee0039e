import { beforeEach, expect, test } from 'vitest'
import { idsBetween, MOST_CHOSEN } from '@/shared/deliveries/list.ts'
import { useChosen } from '@/shared/live/pointing.ts'

/** Positions 0, 1, 2… have the ids 1, 2, 3…; positions below `loaded` are loaded. */
function between(first: number, last: number, loaded: number) {
  const asked: (readonly [from: number, limit: number])[] = []
  const known = (position: number) => (position < loaded ? position + 1 : undefined)
  const ids = idsBetween(first, last, known, async ({ from, limit }) => {
    asked.push([from, limit])
    return { from, rows: Array.from({ length: limit }, (_, i) => ({ id: from + i + 1 })) as never }
  })
  return ids.then((ids) => ({ ids, asked }))
}

test('of a range only the rows that are not at hand are read, in pages, whichever way it goes', async () => {
  for (const [first, last] of [
    [3, 5],
    [5, 3],
  ] as const)
    expect(await between(first, last, 100)).toEqual({ ids: [4, 5, 6], asked: [] })
  const { ids, asked } = await between(0, 2_499, 10)
  expect([ids.length, ids.at(-1)]).toEqual([2_500, 2_500])
  expect(asked).toEqual([
    [10, 1_000],
    [1_010, 1_000],
    [2_010, 490],
  ])
})

test('a range has no more than a job takes, counted from where it began, and ends with the store', async () => {
  const { ids } = await between(500_000, 0, 1_000_000)
  expect([ids.length, ids.at(-1)]).toEqual([MOST_CHOSEN, 500_001])
  expect((await between(0, 500_000, 1_000_000)).ids).toHaveLength(MOST_CHOSEN)
  const nothing = async () => ({ from: 0, rows: [] })
  expect(await idsBetween(0, 9, () => undefined, nothing)).toEqual([])
})

const chosen = () => useChosen.getState()
beforeEach(() => chosen().clear())

test('the row pointed at before is chosen with the first other one; after everything, a single row begins anew', () => {
  chosen().toggle(5, 4, 3)
  expect([...chosen().ids]).toEqual([3, 5])
  chosen().toggle(3, 2, 5)
  expect([...chosen().ids]).toEqual([5])
  chosen().setAll()
  expect(chosen().all).toBe(true)
  chosen().toggle(5, 4, null)
  expect([chosen().all, ...chosen().ids]).toEqual([false, 5])
})

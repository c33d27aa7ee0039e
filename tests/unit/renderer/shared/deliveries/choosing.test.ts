import { beforeEach, describe, expect, test } from 'vitest'
import { useChosen } from '@/shared/live/pointing.ts'
import { idsBetween, MOST_CHOSEN } from '../../../../../renderer/src/shared/deliveries/ids-between.ts'

/** Positions 0, 1, 2… hold the ids 1, 2, 3…; those below `loaded` are at hand. */
function store(loaded: number) {
  const asked: { from: number; limit: number }[] = []
  return {
    asked,
    known: (position: number) => (position < loaded ? position + 1 : undefined),
    read: async ({ from, limit }: { from: number; limit: number }) => {
      asked.push({ from, limit })
      return { from, rows: Array.from({ length: limit }, (_, i) => ({ id: from + i + 1 })) as never }
    },
  }
}

describe('choosing a range of the list', () => {
  test('rows at hand are not asked for, whichever way the range goes', async () => {
    const { known, read, asked } = store(100)
    expect(await idsBetween(3, 5, known, read)).toEqual([4, 5, 6])
    expect(await idsBetween(5, 3, known, read)).toEqual([4, 5, 6])
    expect(asked).toEqual([])
  })

  test('the others are read in pages', async () => {
    const { known, read, asked } = store(10)
    const ids = await idsBetween(0, 2_499, known, read)
    expect(ids).toHaveLength(2_500)
    expect(ids.at(-1)).toBe(2_500)
    expect(asked).toEqual([
      { from: 10, limit: 1_000 },
      { from: 1_010, limit: 1_000 },
      { from: 2_010, limit: 490 },
    ])
  })

  test('a range has no more than a job takes, counted from where it began', async () => {
    const { known, read } = store(1_000_000)
    const down = await idsBetween(500_000, 0, known, read)
    expect(down).toHaveLength(MOST_CHOSEN)
    expect(down.at(-1)).toBe(500_001)
    expect(await idsBetween(0, 500_000, known, read)).toHaveLength(MOST_CHOSEN)
  })

  test('a store that ends earlier ends the range', async () => {
    const read = async () => ({ from: 0, rows: [] })
    expect(await idsBetween(0, 9, () => undefined, read)).toEqual([])
  })
})

describe('taking single rows in and out', () => {
  beforeEach(() => useChosen.getState().clear())
  const ids = () => [...useChosen.getState().ids]

  test('the row pointed at before is chosen with the first other one', () => {
    useChosen.getState().toggle(5, 4, 3)
    expect(ids()).toEqual([3, 5])
    useChosen.getState().toggle(3, 2, 5)
    expect(ids()).toEqual([5])
  })

  test('after everything, a single row begins anew', () => {
    useChosen.getState().setAll()
    expect(useChosen.getState().all).toBe(true)
    useChosen.getState().toggle(5, 4, null)
    expect(useChosen.getState()).toMatchObject({ all: false })
    expect(ids()).toEqual([5])
  })

  test('clearing what is clear changes nothing, so that nothing is drawn for it', () => {
    const before = useChosen.getState()
    useChosen.getState().clear()
    expect(useChosen.getState()).toBe(before)
  })
})

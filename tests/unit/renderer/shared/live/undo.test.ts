import { beforeEach, expect, test } from 'vitest'
import { latestUndoable, offerUndo, useUndo } from '@/shared/live/undo.ts'
import { RefusalError } from '@/shared/platform/refusal-error.ts'

const undo = (key: number) => useUndo.getState().undo(key)
const offers = () => useUndo.getState().offers
const keyOf = (text: string): number => offers().find((one) => one.text === text)?.key ?? 0

beforeEach(() => useUndo.setState({ offers: [] }))

test('Ctrl+Z means the latest removal that was not taken back yet (E, part 9)', async () => {
  const done: string[] = []
  for (const text of ['first', 'second']) offerUndo({ text, undo: async () => void done.push(text) })
  expect(latestUndoable()?.text).toBe('second')
  await undo(latestUndoable()?.key ?? 0)
  expect(latestUndoable()?.text).toBe('first')
  await undo(latestUndoable()?.key ?? 0)
  expect(latestUndoable()).toBeUndefined()
  expect(done).toEqual(['second', 'first'])
})

test('pressing twice takes back once, also while the first is on its way', async () => {
  let times = 0
  offerUndo({ text: 'gone', undo: async () => void times++ })
  await Promise.all([undo(keyOf('gone')), undo(keyOf('gone'))])
  await undo(keyOf('gone'))
  expect(times).toBe(1)
})

test('what the host refuses stands where the offer stood, until it is put away', async () => {
  const refusal = { code: 'conflict', message: 'There is already a target of that name.' } as const
  offerUndo({
    text: 'gone',
    undo: async () => {
      throw new RefusalError(refusal)
    },
  })
  await undo(keyOf('gone'))
  expect(offers()).toMatchObject([{ state: 'failed', refusal }])
  useUndo.getState().dismiss(keyOf('gone'))
  expect(offers()).toEqual([])
})

test('of many removals at once the latest three are offered', () => {
  for (const text of ['1', '2', '3', '4']) offerUndo({ text, undo: async () => undefined })
  expect(offers().map(({ text }) => text)).toEqual(['2', '3', '4'])
})

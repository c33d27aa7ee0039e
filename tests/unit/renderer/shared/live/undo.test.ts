import { beforeEach, expect, test } from 'vitest'
import { latestUndoable, offerUndo, useUndo } from '@/shared/live/undo.ts'
import { RefusalError } from '@/shared/platform/refusal-error.ts'

const offers = () => useUndo.getState().offers
const undo = (text = latestUndoable()?.text) =>
  useUndo.getState().undo(offers().find((one) => one.text === text)?.key ?? 0)

beforeEach(() => useUndo.setState({ offers: [] }))

test('Ctrl+Z means the latest removal that was not taken back yet; three are offered', async () => {
  const done: string[] = []
  for (const text of ['1', '2', '3', '4']) offerUndo({ text, undo: async () => void done.push(text) })
  expect(offers().map(({ text }) => text)).toEqual(['2', '3', '4'])
  for (const _ of offers()) await undo()
  expect([latestUndoable(), done]).toEqual([undefined, ['4', '3', '2']])
})

test('pressing twice takes back once, also while the first is on its way', async () => {
  let times = 0
  offerUndo({ text: 'gone', undo: async () => void times++ })
  await Promise.all([undo('gone'), undo('gone')])
  await undo('gone')
  expect(times).toBe(1)
})

test('what the host refuses stands where the offer stood, until it is put away', async () => {
  const refusal = { code: 'conflict', message: 'There is already a target of that name.' } as const
  offerUndo({ text: 'gone', undo: () => Promise.reject(new RefusalError(refusal)) })
  await undo()
  expect(offers()).toMatchObject([{ state: 'failed', refusal }])
  useUndo.getState().dismiss(offers()[0]?.key ?? 0)
  expect(offers()).toEqual([])
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Push } from '#contract/pushes.ts'
import { list } from '@/shared/deliveries/list.ts'
import { followSummary, useSummary } from '@/shared/deliveries/summary.ts'
import { attach } from '@/shared/live/api.ts'
import type { Platform } from '@/shared/platform/types.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('counts of the chips are asked for at once when a deletion is told, and an older answer never replaces a newer one', async () => {
  const answers: ((total: number) => void)[] = []
  let tell: (push: Push) => void = () => undefined
  const platform = {
    onPush(taken: (push: Push) => void) {
      tell = taken
      return () => undefined
    },
    call: (command: string) =>
      command === 'deliveries.summary'
        ? new Promise((resolve) => answers.push((total) => resolve({ total })))
        : Promise.reject(new Error('there is no list here')),
  }
  attach(platform as unknown as Platform)
  followSummary()
  const reset = () => tell({ seq: 1, push: 'store.reset', payload: { reason: 'trashed' } })
  const total = () => useSummary.getState().summary?.total

  reset()
  expect(answers).toHaveLength(0)
  await list.open('', () => true, undefined).catch(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(answers).toHaveLength(1)

  reset()
  expect(answers).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  const before = answers.length
  reset()
  expect(answers).toHaveLength(before + 1)
  answers.at(-1)?.(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(total()).toBe(2)
  answers[0]?.(3)
  await vi.advanceTimersByTimeAsync(0)
  expect(total()).toBe(2)
})

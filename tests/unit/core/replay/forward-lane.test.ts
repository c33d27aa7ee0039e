import { afterEach, expect, test, vi } from 'vitest'
import type { Filter } from '#core/filter/tree.ts'
import { ForwardLane } from '#core/replay/forward-lane.ts'
import type { Workshop } from '#core/replay/lane.ts'
import { aForward } from '../../../support/records.ts'

const FORWARD = aForward({ filter: 'received:today', targets: ['app'] })

afterEach(() => void vi.useRealTimers())

test('what a forward takes as today is the day on which a delivery arrives, not the one on which it was made', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 21, 23, 59) })
  const fed: Filter[] = []
  // The lane uses only the queue of these ports.
  const ledger = {
    feed(_lane: number, filter: Filter) {
      fed.push(filter)
      return { count: 0, done: true }
    },
  }
  const shop = { ledger } as unknown as Workshop
  const lane = new ForwardLane({ lane: 1, forward: 'live', target: 'app', fedUpto: 0 }, FORWARD, shop)
  const midnight = new Date(2026, 10, 22).getTime() * 1_000
  const began = () => fed.map((filter) => (filter.type === 'time' ? filter.spans[0]?.from : undefined))
  expect(lane.feed(1)).toBe(true)
  vi.setSystemTime(new Date(2026, 10, 22, 0, 1))
  lane.feed(2)
  expect(began()).toEqual([midnight - 86_400_000_000, midnight])
})

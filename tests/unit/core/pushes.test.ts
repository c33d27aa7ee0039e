import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { ROWS_PER_PUSH } from '#contract/values.ts'
import { ArrivalRate, PushFeed } from '#core/engine/pushes.ts'
import type { Store, StoreNotice } from '#core/ports.ts'

/** The parts of a store that the feed uses: notices, and rows by id. */
const storeThatTells = (rows: (ids: readonly number[]) => Promise<DeliveryRow[]>) => {
  let tell: (notice: StoreNotice) => void = () => {}
  const store = {
    onNotice: (listener: typeof tell) => {
      tell = listener
      return () => {}
    },
    status: () => ({ counts: { stored: 7 } }),
    deliveries: { rows },
  } as unknown as Store
  return { store, tell: (notice: StoreNotice) => tell(notice) }
}
const row = (id: number) => ({ id }) as DeliveryRow
const status = () => ({}) as never

describe('the push feed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const feedOf = (rows = async (ids: readonly number[]) => ids.map(row)) => {
    const { store, tell } = storeThatTells(rows)
    const feed = new PushFeed(store, store.deliveries, status)
    const pushes: { push: string; payload: unknown }[] = []
    feed.subscribe((push, payload) => pushes.push({ push, payload }))
    return { feed, tell, pushes }
  }

  it('tells the status on until the rate of arrivals has ebbed away, and then no more', async () => {
    const { store, tell } = storeThatTells(async (ids) => ids.map(row))
    const rates = [0, 2, 1, 0, 0]
    const feed = new PushFeed(store, store.deliveries, () => ({ rate: rates.shift() ?? 0 }) as never)
    const told: unknown[] = []
    feed.subscribe((push, payload) => void (push === 'status.changed' && told.push(payload)))
    tell({ type: 'arrived', firstId: 1, lastId: 1 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(told).toEqual([{ rate: 0 }, { rate: 2 }, { rate: 1 }, { rate: 0 }])
    feed.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends at most 20 pushes of rows, and of the status, a second', async () => {
    const { feed, tell, pushes } = feedOf()
    for (let id = 1; id <= 1_000; id++) {
      tell({ type: 'arrived', firstId: id, lastId: id })
      feed.statusChanged()
      await vi.advanceTimersByTimeAsync(1)
    }
    for (const name of ['deliveries.changed', 'status.changed'])
      expect(pushes.filter(({ push }) => push === name).length).toBeLessThanOrEqual(20)
  })

  it('sends the newest rows of a burst and says how many it left out', async () => {
    const { tell, pushes } = feedOf()
    tell({ type: 'arrived', firstId: 1, lastId: 5_000 })
    tell({ type: 'judged', firstId: 10, lastId: 20 })
    await vi.advanceTimersByTimeAsync(60)
    const [changed] = pushes as { payload: { rows: DeliveryRow[]; skipped: number } }[]
    expect(changed?.payload.rows).toHaveLength(ROWS_PER_PUSH)
    expect(changed?.payload.rows.at(-1)?.id).toBe(5_000)
    expect((changed?.payload.rows.length ?? 0) + (changed?.payload.skipped ?? 0)).toBe(5_000 + 11)
  })

  it('counts rows that could not be read as left out, so that windows ask again', async () => {
    const { tell, pushes } = feedOf(async () => {
      throw new Error('the reader is busy')
    })
    tell({ type: 'arrived', firstId: 1, lastId: 4 })
    await vi.advanceTimersByTimeAsync(60)
    expect(pushes[0]?.payload).toMatchObject({ rows: [], skipped: 4 })
  })
})

const T0 = 1_700_000_000_000

describe('the rate in the status bar', () => {
  it('averages over the last five whole seconds, the running one left out', () => {
    const rate = new ArrivalRate()
    for (let second = 0; second < 5; second++) rate.add(10, T0 + second * 1000)
    rate.add(1_000, T0 + 5_000)
    expect(rate.perSecond(T0 + 5_500)).toBe(10)
  })

  it('falls to zero once nothing arrives', () => {
    const rate = new ArrivalRate()
    rate.add(50, T0)
    expect([rate.perSecond(T0 + 1_000), rate.perSecond(T0 + 7_000)]).toEqual([10, 0])
    expect(rate.perSecond(T0 + 3_600_000)).toBe(0)
  })

  it('does not count anything twice when the wall clock steps back', () => {
    const rate = new ArrivalRate()
    rate.add(5, T0 + 2_000)
    rate.add(5, T0)
    expect(rate.perSecond(T0 + 3_000)).toBe(2)
  })
})

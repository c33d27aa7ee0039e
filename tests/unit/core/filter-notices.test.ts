import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { FilterMatches, SavedFilter, Settings } from '#contract/settings.ts'
import { watchFilters } from '#core/engine/filters.ts'
import { matches } from '#core/filter/matches.ts'
import type { StoreNotice } from '#core/ports.ts'
import { aRow } from '../../support/delivery-row.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const row = (id: number, verdict: DeliveryRow['verdict']): DeliveryRow =>
  aRow({ id, verdict, url: '/?party=Juana', kind: 'factura.created', number: `E31${id}` })

const INVALID: SavedFilter = { name: 'Wrong', filter: 'verdict:invalid', notify: true }

function host(savedFilters: readonly SavedFilter[]) {
  const rows: DeliveryRow[] = []
  const told: FilterMatches[] = []
  let settings: Settings = { ...DEFAULT_SETTINGS, savedFilters }
  let send: (notice: StoreNotice) => void = () => undefined
  const stop = watchFilters({
    store: {
      onNotice: (listener) => {
        send = listener
        return () => {
          send = () => undefined
        }
      },
      deliveries: {
        scan: async (filter, { after, limit }) =>
          rows.filter((one) => one.id > (after ?? 0) && matches(filter, one) === true).slice(0, limit),
        settled: async () => 0,
      },
    },
    settings: { get: () => settings },
    clock: { now: () => Date.now() },
    tell: (matched) => told.push(matched),
  })
  const judge = (firstId: number, lastId: number) => send({ type: 'judged', firstId, lastId })
  return {
    told,
    stop,
    judge,
    arrive(verdict: DeliveryRow['verdict'], count = 1) {
      const firstId = rows.length + 1
      for (let n = 0; n < count; n++) rows.push(row(rows.length + 1, verdict))
      send({ type: 'arrived', firstId, lastId: rows.length })
      judge(firstId, rows.length)
    },
    store: (verdict: DeliveryRow['verdict']) => rows.push(row(rows.length + 1, verdict)),
    become: (filters: readonly SavedFilter[]) => {
      settings = { ...settings, savedFilters: filters }
    },
  }
}
const soon = () => vi.advanceTimersByTimeAsync(300)

test('a filter that tells says kind, number and verdict of what matches, and nothing else of it (E, part 9)', async () => {
  const { told, arrive } = host([INVALID, { name: 'Quiet', filter: 'kind:factura.*' }])
  arrive('valid')
  arrive('invalid')
  await soon()
  const delivery = { id: 2, kind: 'factura.created', number: 'E312', verdict: 'invalid' }
  expect(told).toEqual([{ name: 'Wrong', delivery, more: 0 }])
})

test('it tells at most every ten seconds, and then how many there were besides', async () => {
  const { told, arrive } = host([INVALID])
  arrive('invalid')
  await soon()
  arrive('invalid', 12)
  await soon()
  arrive('invalid')
  await vi.advanceTimersByTimeAsync(9_000)
  expect(told).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told.slice(1)).toMatchObject([{ delivery: { id: 14 }, more: 12 }])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(told).toHaveLength(2)
  arrive('invalid')
  await soon()
  expect(told).toHaveLength(3)
})

test('what was there before, or is judged anew, is no news', async () => {
  const { told, arrive, store, judge } = host([INVALID])
  store('invalid')
  judge(1, 1)
  await soon()
  arrive('valid')
  await soon()
  judge(1, 2)
  await soon()
  expect(told).toEqual([])
})

test('a filter that begins to tell is silent about the past; one that ends is silent about what waits', async () => {
  const { told, arrive, become, stop } = host([])
  arrive('invalid')
  await soon()
  become([INVALID])
  await soon()
  expect(told).toEqual([])
  arrive('invalid', 2)
  await soon()
  arrive('invalid')
  await soon()
  become([{ ...INVALID, notify: false }])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(told).toHaveLength(1)
  become([INVALID])
  arrive('invalid')
  stop()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(told).toHaveLength(1)
})

test('a filter that cannot be read any more leaves the others alone', async () => {
  const { told, arrive } = host([{ name: 'Broken', filter: 'size:big', notify: true }, INVALID])
  arrive('invalid')
  await soon()
  expect(told.map(({ name }) => name)).toEqual(['Wrong'])
})

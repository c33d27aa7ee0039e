import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Sort } from '#contract/order.ts'
import { DeliverySource } from '../../../../../renderer/src/shared/live/delivery-source.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const SIZE: Sort = { by: 'size', descending: true }
const row = (id: number, size = id) => ({ id, size, verdict: 'valid' }) as unknown as DeliveryRow

/** A host whose order is the reverse of arrival, and is made once `made` is set. */
function host(count = 500) {
  const asked: PageParams[] = []
  const state = { count, made: true, led: false }
  const read = async (params: PageParams): Promise<Page> => {
    asked.push(params)
    const upto = params.sort?.upto ?? state.count
    const from = params.from === 'newest' ? Math.max(0, upto - params.limit) : params.from
    const rows = Array.from({ length: Math.min(params.limit, upto - from) }, (_, i) => row(upto - from - i))
    const ordered = { upto, newer: state.count - upto }
    if (state.made) return { rows, from, total: upto, ordered }
    const making = { done: 1, of: 2 }
    const led = state.led && params.from === 'newest'
    return led
      ? { rows, from, total: upto, ordered: { ...ordered, making } }
      : { rows: [], from: 0, total: 0, ordered: { ...ordered, making } }
  }
  return { asked, state, source: new DeliverySource(read) }
}
const changed = (rows: readonly DeliveryRow[], skipped = 0) => ({ rows, skipped, lastId: 0, stored: 0 })

test('an order stands still while deliveries arrive, and says how many did', async () => {
  const { source, state, asked } = host()
  await source.open('', () => true, SIZE)
  expect(source.state()).toMatchObject({ total: 500, newer: 0, making: null, sort: { ...SIZE, upto: 500 } })
  expect(source.row(499)?.id).toBe(1)
  state.count = 503
  source.apply([changed([row(501), row(502), row(503)])])
  expect(source.state().total).toBe(500)
  await vi.advanceTimersByTimeAsync(500)
  expect(source.state()).toMatchObject({ total: 500, newer: 3 })
  expect(source.row(499)?.id).toBe(1)
  // Counting reads one row, with the order that the rows have.
  expect(asked.at(-1)).toEqual({ filter: '', from: 'newest', limit: 1, sort: { ...SIZE, upto: 500 } })
  await source.open('', () => true, SIZE)
  expect(source.state()).toMatchObject({ total: 503, newer: 0 })
})

test('a row that is judged meanwhile changes where it stands, and asks for nothing', async () => {
  const { source, asked } = host()
  await source.open('kind:x', () => false, SIZE)
  const before = asked.length
  source.apply([changed([row(1, 7_777)])])
  expect(source.row(499)?.size).toBe(7_777)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(before)
})

test('while an order is made the rows of before stand, with its progress', async () => {
  const { source, state } = host()
  await source.open('', () => true)
  state.made = false
  const opened = source.open('', () => true, SIZE)
  await vi.advanceTimersByTimeAsync(10)
  expect(source.state()).toMatchObject({
    total: 500,
    sort: null,
    making: { done: 1, of: 2 },
    loading: 'switching',
  })
  state.made = true
  await vi.advanceTimersByTimeAsync(150)
  await opened
  expect(source.state()).toMatchObject({ total: 500, making: null, loading: null, sort: { by: 'size' } })
})

test('first rows that an index gives stand where they stay; the others come when the order is made', async () => {
  const { source, state } = host()
  Object.assign(state, { made: false, led: true })
  await source.open('', () => true, SIZE)
  expect(source.state()).toMatchObject({ total: 500, making: { done: 1, of: 2 } })
  expect(source.row(499)?.id).toBe(1)
  source.ensure(0, 10)
  await vi.advanceTimersByTimeAsync(10)
  expect(source.row(0)).toBeUndefined()
  state.made = true
  await vi.advanceTimersByTimeAsync(400)
  source.ensure(0, 10)
  await vi.advanceTimersByTimeAsync(10)
  expect(source.row(0)?.id).toBe(500)
  expect(source.state().making).toBeNull()
})

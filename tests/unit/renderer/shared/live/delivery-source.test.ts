import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Sort } from '#contract/order.ts'
import { DeliverySource } from '@/shared/live/delivery-source.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A host with `total` rows in pages; records the queries. */
function pages(answer: (params: PageParams, from: (total: number) => number) => Page) {
  const asked: PageParams[] = []
  const shifts: number[] = []
  const read = async (params: PageParams): Promise<Page> => {
    asked.push(params)
    return answer(params, (total) =>
      params.from === 'newest' ? Math.max(0, total - params.limit) : params.from,
    )
  }
  return { asked, shifts, source: new DeliverySource(read, (by) => shifts.push(by)) }
}
const rowsOf = (count: number, row: (i: number) => Partial<DeliveryRow>) =>
  Array.from({ length: count }, (_, i) => ({ verdict: 'valid', ...row(i) }) as DeliveryRow)

const changed = (rows: readonly DeliveryRow[], skipped = 0) => ({ rows, skipped, lastId: 0, stored: 0 })

test('rows of the filter before, asked for while the next one is on its way, do not come into it', async () => {
  const late: (() => void)[] = []
  const read = (params: PageParams): Promise<Page> => {
    const total = params.filter === '' ? 400 : 50
    const from = params.from === 'newest' ? Math.max(0, total - params.limit) : params.from
    const rows = rowsOf(Math.min(params.limit, total - from), (i) => ({ id: from + i + 1 }))
    return new Promise((resolve) => late.push(() => resolve({ rows, from, total })))
  }
  const source = new DeliverySource(read)
  const answer = async (nth: number) => {
    late[nth]?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  void source.open('', () => true)
  await answer(0)
  void source.open('is:late', () => false)
  source.ensure(0, 399)
  source.apply([changed([], 1)])
  await vi.advanceTimersByTimeAsync(150)
  for (let nth = 1; nth < late.length; nth++) await answer(nth)
  await vi.advanceTimersByTimeAsync(150)
  for (let nth = 0; nth < late.length; nth++) await answer(nth)
  expect(source.state()).toMatchObject({ filter: 'is:late', total: 50 })
  expect(source.row(60)).toBeUndefined()
})

const SIZE: Sort = { by: 'size', descending: true }
const row = (id: number, size = id) => ({ id, size, verdict: 'valid' }) as DeliveryRow

/** A host whose order is the reverse of arrival, and is ready once `made` is set. */
function ordering() {
  const state = { count: 500, made: true, led: false }
  const host = pages(({ sort, limit, from: asked }, at) => {
    const upto = sort?.upto ?? state.count
    const from = at(upto)
    const rows = rowsOf(Math.min(limit, upto - from), (i) => row(upto - from - i))
    const ordered = { upto, newer: state.count - upto }
    if (state.made) return { rows, from, total: upto, ordered }
    const building = { ...ordered, building: { done: 1, of: 2 } }
    return state.led && asked === 'newest'
      ? { rows, from, total: upto, ordered: building }
      : { rows: [], from: 0, total: 0, ordered: building }
  })
  return { ...host, state }
}

test('first rows that an index gives stand where they stay; the others come when the order is made', async () => {
  const { source, state } = ordering()
  Object.assign(state, { made: false, led: true })
  await source.open('', () => true, SIZE)
  expect(source.state()).toMatchObject({ total: 500, building: { done: 1, of: 2 } })
  expect(source.row(499)?.id).toBe(1)
  source.ensure(0, 10)
  await vi.advanceTimersByTimeAsync(10)
  expect(source.row(0)).toBeUndefined()
  state.made = true
  await vi.advanceTimersByTimeAsync(400)
  source.ensure(0, 10)
  await vi.advanceTimersByTimeAsync(10)
  expect([source.row(0)?.id, source.state().building]).toEqual([500, null])
})

const ALL = 1_000

/** A host that finds 300 more members, all older, at every query for the newest. */
function searching() {
  let found = 0
  return pages(({ limit, from: asked }, at) => {
    if (asked === 'newest') found = Math.min(ALL, found + 300)
    const from = at(found)
    // The oldest found member is not the oldest one, so positions increase during the search.
    const rows = rowsOf(Math.min(limit, found - from), (i) => ({ id: ALL - found + from + i + 1 }))
    const page = { rows, from, total: found }
    return found < ALL ? { ...page, searching: { scanned: found, of: ALL } } : page
  })
}

test('a search goes on by itself, rows keep their place from the newest, and positions rise', async () => {
  const { source, shifts } = searching()
  await source.open('/x/', () => undefined)
  expect(source.state()).toMatchObject({ total: 300, searching: { scanned: 300, of: ALL, stopped: false } })
  expect(source.row(299)?.id).toBe(ALL)
  // Rows requested meanwhile get their positions too.
  source.ensure(0, 99)
  await vi.advanceTimersByTimeAsync(0)
  expect(source.row(50)?.id).toBe(ALL - 300 + 51)
  await vi.advanceTimersByTimeAsync(150)
  expect(source.state()).toMatchObject({ total: 600, searching: { scanned: 600 } })
  expect(source.row(599)?.id).toBe(ALL)
  expect(source.row(400)?.id).toBe(ALL - 199)
  await vi.runAllTimersAsync()
  expect(source.state()).toMatchObject({ total: ALL, searching: null })
  expect(shifts).toEqual([300, 300, 100])
  source.ensure(0, 10)
  await vi.runAllTimersAsync()
  expect(source.row(0)?.id).toBe(1)
})

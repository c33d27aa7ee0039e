import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import type { Sort } from '#contract/order.ts'
import { DeliverySource } from '@/shared/live/delivery-source.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Rows of `limit` at most from `from` on, of `total`; and what was asked. */
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

test('rows on screen are read again when their attempts changed, and no others', async () => {
  const attempts = new Map<number, number>()
  const total = 450
  const { asked, source } = pages(({ limit }, at) => {
    const from = at(total)
    const rows = rowsOf(Math.min(limit, total - from), (i) => ({
      id: from + i + 1,
      attempts: attempts.get(from + i + 1) ?? 0,
    }))
    return { rows, from, total }
  })
  await source.open('', () => true)
  source.subscribe(() => source.ensure(420, 440))
  source.ensure(420, 440)
  await vi.runAllTimersAsync()
  asked.length = 0

  attempts.set(430, 2)
  source.outdate([430])
  source.outdate([430])
  await vi.runAllTimersAsync()
  expect(source.row(429)?.attempts).toBe(2)
  expect(asked).toEqual([{ filter: '', from: 400, limit: 200 }])

  // Not at hand: there is nothing to read again.
  source.outdate([3])
  await vi.runAllTimersAsync()
  expect(asked).toHaveLength(1)

  attempts.set(431, 1)
  source.outdate(null)
  await vi.runAllTimersAsync()
  expect(source.row(430)?.attempts).toBe(1)
})

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

/** A host whose order is the reverse of arrival, and is made once `made` is set. */
function ordering() {
  const state = { count: 500, made: true, led: false }
  const host = pages(({ sort, limit, from: asked }, at) => {
    const upto = sort?.upto ?? state.count
    const from = at(upto)
    const rows = rowsOf(Math.min(limit, upto - from), (i) => row(upto - from - i))
    const ordered = { upto, newer: state.count - upto }
    if (state.made) return { rows, from, total: upto, ordered }
    const making = { ...ordered, making: { done: 1, of: 2 } }
    return state.led && asked === 'newest'
      ? { rows, from, total: upto, ordered: making }
      : { rows: [], from: 0, total: 0, ordered: making }
  })
  return { ...host, state }
}

test('an order stands still while deliveries arrive, and says how many did', async () => {
  const { source, state, asked } = ordering()
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
  const { source, asked } = ordering()
  await source.open('kind:x', () => false, SIZE)
  const before = asked.length
  source.apply([changed([row(1, 7_777)])])
  expect(source.row(499)?.size).toBe(7_777)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toHaveLength(before)
})

test('while an order is made the rows of before stand, with its progress', async () => {
  const { source, state } = ordering()
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
  const { source, state } = ordering()
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

const ALL = 1_000

/** A host that finds 300 more members, all older, with every question for the newest. */
function searching() {
  let found = 0
  return pages(({ limit, from: asked }, at) => {
    if (asked === 'newest') found = Math.min(ALL, found + 300)
    const from = at(found)
    // The oldest found is not the oldest there is: positions rise while the search goes on.
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

test('rows asked for meanwhile stand where they stand from the newest', async () => {
  const { source } = searching()
  await source.open('/x/', () => undefined)
  source.ensure(0, 99)
  await vi.advanceTimersByTimeAsync(0)
  expect(source.row(50)?.id).toBe(ALL - 300 + 51)
})

test('stopped it asks no more, and it can be gone on with', async () => {
  const { source, asked } = searching()
  await source.open('/x/', () => undefined)
  source.stopSearching(true)
  await vi.advanceTimersByTimeAsync(200)
  const before = asked.length
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toHaveLength(before)
  expect(source.state().searching?.stopped).toBe(true)
  source.stopSearching(false)
  await vi.runAllTimersAsync()
  expect(source.state()).toMatchObject({ total: ALL, searching: null })
  // Another filter begins anew.
  await source.open('/y/', () => undefined)
  expect(source.state().searching).toBeNull()
})

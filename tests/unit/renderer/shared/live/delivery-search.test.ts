import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import { DeliverySource } from '../../../../../renderer/src/shared/live/delivery-source.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ALL = 1_000

/** A host that finds 300 more members, all older, with every question for the newest. */
function searching() {
  let found = 0
  const asked: PageParams[] = []
  const shifts: number[] = []
  const read = async (params: PageParams): Promise<Page> => {
    asked.push(params)
    if (params.from === 'newest') found = Math.min(ALL, found + 300)
    const from = params.from === 'newest' ? Math.max(0, found - params.limit) : params.from
    // The oldest found is not the oldest there is: positions rise while the search goes on.
    const rows = Array.from({ length: Math.min(params.limit, found - from) }, (_, i) => ({
      id: ALL - found + from + i + 1,
      verdict: 'valid',
    })) as unknown as DeliveryRow[]
    const page = { rows, from, total: found }
    return found < ALL ? { ...page, searching: { scanned: found, of: ALL } } : page
  }
  return { asked, shifts, source: new DeliverySource(read, (by) => shifts.push(by)) }
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

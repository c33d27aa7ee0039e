import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeliveryRow, Page, PageParams } from '#contract/delivery.ts'
import { DeliverySource } from '../../../../../renderer/src/shared/live/delivery-source.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const TOTAL = 450

/** A host with so many deliveries, of which `attempts` were made. */
function host() {
  const asked: PageParams[] = []
  const attempts = new Map<number, number>()
  const row = (id: number) => ({ id, verdict: 'valid', attempts: attempts.get(id) ?? 0 }) as DeliveryRow
  const read = async (params: PageParams): Promise<Page> => {
    asked.push(params)
    const from = params.from === 'newest' ? TOTAL - params.limit : params.from
    const rows = Array.from({ length: Math.min(params.limit, TOTAL - from) }, (_, i) => row(from + i + 1))
    return { rows, from, total: TOTAL }
  }
  return { asked, attempts, source: new DeliverySource(read) }
}

test('rows on screen are read again when their attempts changed, and no others', async () => {
  const { asked, attempts, source } = host()
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

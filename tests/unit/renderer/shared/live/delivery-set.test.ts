import { expect, test } from 'vitest'
import type { DeliveryRow, Verdict } from '#contract/delivery.ts'
import { DeliverySet, type Membership } from '@/shared/live/delivery-set.ts'

const row = (id: number, verdict: Verdict | null = 'valid') => ({ id, verdict }) as DeliveryRow
const pushed = (rows: DeliveryRow[], skipped = 0) => ({ rows, skipped, lastId: 0, stored: 0 })
const all = () => true
const setOf = (rows: DeliveryRow[], from = 0, filter = '', member: Membership = all) => {
  const set = new DeliverySet(filter, member)
  set.takeNewest({ rows, from, total: from + rows.length })
  return set
}

test('what only the host can tell, and what was skipped, is asked for', () => {
  const text = setOf([], 0, 'word', () => undefined)
  expect([text.apply(pushed([row(1)])), text.total]).toEqual(['refresh', 0])
  expect(setOf([row(1)]).apply(pushed([row(900)], 700))).toBe('refresh')
})

test('a page from the middle does not count rows whose pushes are still to come', () => {
  const set = setOf([row(401)], 400)
  set.takePage(0, { rows: Array.from({ length: 200 }, (_, i) => row(i + 1)), from: 0, total: 403 })
  expect(set.total).toBe(401)
  set.apply(pushed([row(402), row(403)]))
  expect(set.total).toBe(403)
})

test('pages that are missing are named once each', () => {
  const set = setOf([row(1000)], 999)
  expect([set.missing(150, 450), set.missing(999, 999)]).toEqual([[0, 1, 2], []])
})

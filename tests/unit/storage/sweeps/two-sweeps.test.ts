import { expect, test } from 'vitest'
import { aUuid } from '../../../support/events.ts'
import { accounting, event, ISSUED, item as itemOf } from './documents.ts'
import { aPage, aSweep, aWorld, storeIn, swept, theTerms } from './support.ts'

const item = (n: number, change: object = {}) => itemOf(n, change, { IssuedAt: ISSUED })
const FIRST_END = 1_793_000_000_000
const SECOND_END = FIRST_END + 86_400_000

test('each sweep is compared with what was captured by its own end: what was healed, what became missing, what newly differs', () => {
  const world = aWorld()
  const store = storeIn(world.folder)
  const before = (n: number) => ({
    body: event('factura.created', n),
    receivedAt: (FIRST_END - 9_000 + n) * 1_000,
  })
  const atItsEnd = { body: event('factura.created', 6), receivedAt: FIRST_END * 1_000 }
  world.plant([before(1), before(2), atItsEnd])
  const first = store.add(aSweep())
  store.save(first.id, aPage([item(1), item(2), item(3), item(4), item(7)]))
  // The event of 3 was only late; 4 stays missing; 2 has another total later; 5 is new and missing; 7 is no longer listed.
  world.plant([{ body: event('factura.created', 3), receivedAt: (FIRST_END + 9_000) * 1_000 }])
  const second = store.add(aSweep())
  store.save(second.id, aPage([item(1), item(2, { Total: 7 }), item(3), item(4), item(5)]))
  const compared = store.compareSweeps(
    { sweep: first.id, terms: theTerms({ now: FIRST_END }) },
    { sweep: second.id, terms: theTerms({ now: SECOND_END }) },
  )
  expect(compared).toMatchObject({
    earlier: { sweep: { id: first.id }, counts: { matched: 2, missing: 3, 'webhook-only': 1 } },
    later: { sweep: { id: second.id }, counts: { matched: 2, missing: 2, differs: 1, 'webhook-only': 1 } },
    changes: { 'became-missing': 1, 'newly-differs': 1, healed: 1, 'webhook-only': 0, other: 1 },
    ...{ stillMissing: 1, stillMissingRecovered: 0, listedEarlierOnly: 1, listedLaterOnly: 1 },
  })
  expect(
    compared.rows.map(({ difference, before: was, after, row }) => [difference, was, after, row.key]),
  ).toEqual([
    ['became-missing', null, 'missing', aUuid(5)],
    ['newly-differs', 'matched', 'differs', aUuid(2)],
    ['healed', 'missing', 'matched', aUuid(3)],
    ['other', 'missing', null, aUuid(7)],
  ])
  // The comparison that the screen shows is the present one again.
  expect(store.compare(first.id, theTerms()).counts).toMatchObject({ matched: 3, missing: 2 })
})

test('captured documents of dates that a sweep did not list whole are in no class, and counted (Reconciling, webhook only)', () => {
  const { store, id } = swept(
    [
      { body: event('factura.created', 1) },
      {
        body: event('factura.created', 2, {
          Accounting: accounting({ IssuedAt: '2026-10-20T10:00:00-04:00' }),
        }),
      },
    ],
    [item(3)],
  )
  const from = Date.parse('2026-10-10T00:00:00-04:00') * 1_000
  const unreached = [{ from, to: from + 15 * 86_400_000_000 }]
  expect(store.compare(id, theTerms({ unreached }))).toMatchObject({
    counts: { missing: 1, 'webhook-only': 1 },
    ...{ notReached: 1, unreached },
  })
  expect(store.compare(id, theTerms())).toMatchObject({
    counts: { 'webhook-only': 2 },
    notReached: 0,
    unreached: [],
  })
})

import { expect, test } from 'vitest'
import { coverageBetween, recordedBetween } from '#storage/reader/activities.ts'
import { Statements } from '#storage/sql/connection.ts'
import { aUuid } from '../../../support/events.ts'
import { aPage, aSweep, aWorld, event, ISSUED, item, storeIn, swept, theTerms } from './support.ts'

test('before the first record of coverage nobody listened, and that is a clue too', () => {
  const world = aWorld()
  const at = Date.parse(ISSUED)
  const evidence = () => {
    const store = storeIn(world.folder)
    const { id } = store.add(aSweep())
    store.save(id, aPage([{ IssuedAt: ISSUED, ...item(1) }]))
    store.compare(id, theTerms())
    return store.document(id, aUuid(1)).evidence
  }
  expect(evidence()).toEqual([])
  const hours = 3_600_000
  world.cover('listening', at + 30 * hours, at + 40 * hours)
  // Up to the end of the gap in the coverage, not only of the requested hour.
  const off = { state: 'off' as const, from: at, to: at + 30 * hours }
  expect(evidence()).toEqual([{ type: 'coverage', spans: [off] }])
  const listening = { state: 'listening' as const, from: at + 30 * hours, to: at + 40 * hours }
  const range = [new Statements(world.captured), at, at + 50 * hours] as const
  expect(coverageBetween(...range)).toEqual([off, listening])
  // A timeline shows only recorded coverage: the time before the first start is no gap.
  expect(recordedBetween(...range)).toEqual([listening])
  // A delivery from before the first record: that coverage record was lost, so the state is unknown.
  world.plant([{ body: event('factura.created', 2), receivedAt: (at - hours) * 1_000 }])
  expect(evidence()).toEqual([])
})

test('stretches of one state that follow each other are one clue; those that took no time are none', () => {
  const { world, store, id } = swept([], [{ IssuedAt: ISSUED, ...item(1) }])
  const at = Date.parse(ISSUED)
  const stretches: readonly (readonly [string, number, number])[] = [
    ['listening', 0, 60_000],
    ['off', 60_000, 60_000],
    ['off', 60_000, 61_000],
    ['off', 61_000, 90_000],
    ['starting', 90_000, 90_000],
    ['listening', 90_000, 95_000],
    ['off', 95_000, 99_000],
  ]
  for (const [state, from, to] of stretches) world.cover(state, at + from, at + to)
  store.compare(id, theTerms())
  const spans = [
    { state: 'off', from: at + 60_000, to: at + 90_000 },
    { state: 'off', from: at + 95_000, to: at + 99_000 },
  ]
  expect(store.document(id, aUuid(1)).evidence).toEqual([{ type: 'coverage', spans }])
})

test('what was deleted around that time is a clue, as no event of it can be seen any more', () => {
  const at = Date.parse(ISSUED) * 1_000
  const around = (seconds: number) => ({ body: 'x', receivedAt: at + seconds * 1_000_000 })
  const { world, store, id } = swept(
    [around(-90_000), { ...around(2), body: event('factura.created', 1) }, around(90_000)],
    [1, 2].map((n) => ({ IssuedAt: ISSUED, ...item(n) })),
  )
  store.compare(id, theTerms())
  expect(store.document(id, aUuid(2)).evidence).toEqual([])
  world.delete(2)
  store.compare(id, theTerms())
  const { row, evidence } = store.document(id, aUuid(1))
  expect([row.class, evidence]).toEqual(['missing', [{ type: 'deleted', count: 1 }]])
  // Retention deletes everything up to and including that time.
  world.delete(1)
  expect(store.document(id, aUuid(1)).evidence).toEqual([{ type: 'deleted', count: 2 }])
})

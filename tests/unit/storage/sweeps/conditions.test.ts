import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { FINGERPRINT_FIELDS, PART_BYTES } from '#core/reconcile/fingerprint.ts'
import { provideUnlike } from '#storage/sweeps/unlike.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import { allRows, aPage, aSweep, aWorld, OCTOBER, storeIn, theTerms } from './support.ts'

/** Each test fails as soon as one condition of the comparison's SQL is left out or turned round. */

const ISSUED = '2026-10-05T10:00:00-04:00'
const accounting = (change: object = {}) => ({
  ...{ DocumentTypeId: 31, IssuedAt: ISSUED, CurrencyCode: 'DOP', Total: 100 },
  ...change,
})
const told = (n: number, kind: Kind, minute: number, data: object = {}) => ({
  body: anEvent(kind, {
    Timestamp: `2026-10-05T10:0${minute}:00-04:00`,
    data: { DocumentId: aUuid(n), Number: `E31${n}`, Accounting: accounting(), ...data },
  }),
})
const created = (n: number, change: object = {}) =>
  told(n, 'factura.created', 1, { Accounting: accounting(change) })
const item = (n: number, change: object = {}, own: object = {}) => ({
  ...{ DocumentId: aUuid(n), Number: `E31${n}`, IssuedAt: ISSUED },
  Accounting: accounting(change),
  ...own,
})
const byNumber = (n: number) => ({ Number: `E31${n}`, IssuedAt: ISSUED, Accounting: accounting() })

test.each([
  [5, 'dgii.aprobado'],
  [6, 'dgii.rechazado'],
  [7, 'dgii.en_proceso'],
  [8, 'dgii.aceptado_condicional'],
])('an invoice of status %i that no event told lacks %s', (StatusId, kind) => {
  const world = aWorld()
  world.plant([created(1)])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1, {}, { StatusId })]))
  expect(store.compare(id, theTerms()).missedEvents).toEqual({ [kind]: 1 })
})

test('an event of the tax authority alone makes an invoice of a document, whatever else was captured', () => {
  const world = aWorld()
  world.plant([
    told(1, 'dgii.aprobado', 1, { Accounting: undefined }),
    told(1, 'gasto.created', 2),
    told(2, 'gasto.created', 2),
  ])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1, {}, { StatusId: 6 }), item(2, {}, { StatusId: 6 })]))
  expect(store.compare(id, theTerms()).counts).toMatchObject({ differs: 1, matched: 1 })
  expect(allRows(store, id).map(({ class: name, missed }) => [name, missed[0]?.kind])).toEqual([
    ['differs', 'dgii.rechazado'],
    ['matched', undefined],
  ])
})

test('a later projection of another endpoint does not count', () => {
  const world = aWorld()
  const other = told(1, 'factura.updated', 2, { Accounting: accounting({ Total: 7 }) })
  world.plant([created(1), { ...other, endpoint: 'other' }])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1, { Total: 7 })]))
  expect(store.compare(id, theTerms({ endpoints: ['default'] })).counts).toMatchObject({ differs: 1 })
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1 })
})

test('a note that modifies the document explains other amounts: it differs, and no update was missed', () => {
  const world = aWorld()
  const note = (n: number, of: number) =>
    told(n, 'nota_credito.created', 2, { ModifiedReferenceId: aUuid(of).toUpperCase() })
  world.plant([created(1), created(2), note(8, 1), { ...note(9, 2), endpoint: 'other' }])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1, { Total: 7 }), item(2, { Total: 7 })]))
  store.compare(id, theTerms({ endpoints: ['default'] }))
  const rows = allRows(store, id).filter(({ class: name }) => name === 'differs')
  expect(rows.map(({ key, missed }) => [key, missed.length])).toEqual([
    [aUuid(1), 0],
    [aUuid(2), 1],
  ])
})

test('what another sweep lists, by id or by Number, is not listed by this one', () => {
  const world = aWorld()
  world.plant([created(1), created(2)])
  const store = storeIn(world.folder)
  for (const of of [item, byNumber]) {
    const [first, second] = [store.add(aSweep()).id, store.add(aSweep()).id]
    store.save(first, aPage([of(1)]))
    store.save(second, aPage([of(2)]))
    for (const id of [first, second, first])
      expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1, 'webhook-only': 1 })
  }
})

test('a document whose Number was told by a delivery that is deleted is joined by it no more', () => {
  const world = aWorld()
  const delivery = world.plant([created(1)])
  // The other one stays joined, so that what was joined before is looked at.
  world.plant([told(1, 'factura.updated', 2, { Number: null }), created(2)])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([byNumber(1), byNumber(2)]))
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 2, 'webhook-only': 0 })
  world.delete(delivery)
  expect(store.compare(id, theTerms()).counts).toMatchObject({
    ...{ matched: 1, missing: 1, 'webhook-only': 1 },
  })
})

test('both ends of a range and of the dates not listed whole belong to them', () => {
  const world = aWorld()
  world.plant([
    created(1, { IssuedAt: OCTOBER.from }),
    created(2, { IssuedAt: '2026-10-10T00:00:00-04:00' }),
    created(3, { IssuedAt: OCTOBER.to }),
    created(4, { IssuedAt: '2026-09-30T23:59:59-04:00' }),
    created(5, { IssuedAt: '2026-11-01T00:00:00-04:00' }),
  ])
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  store.save(id, aPage([]))
  expect(store.compare(id, theTerms()).counts['webhook-only']).toBe(3)
  const instant = (text: string) => Date.parse(text) * 1_000
  const unreached = [{ from: instant('2026-10-10T00:00:00-04:00'), to: instant(OCTOBER.to) }]
  expect(store.compare(id, theTerms({ unreached }))).toMatchObject({
    ...{ counts: { 'webhook-only': 1 }, notReached: 2 },
  })
})

test('no longer not yet due once it was issued long ago, however lately it was first returned', () => {
  const world = aWorld()
  const store = storeIn(world.folder)
  const now = Date.parse(ISSUED) + 23 * 3_600_000
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1)], { at: now }))
  const at = (later: number) =>
    store.compare(id, theTerms({ now: now + later, notYetDue: { issuedHours: 24, returnedMinutes: 600 } }))
  expect(at(0).missedEvents).toEqual({})
  // What may still be on its way is nothing that is left to be recovered.
  expect(at(0)).toMatchObject({ counts: { 'not-yet-due': 1, missing: 0 }, notRecovered: 0 })
  expect(at(7_200_000)).toMatchObject({ counts: { 'not-yet-due': 0, missing: 1 }, notRecovered: 1 })
})

test('days before the epoch begin at midnight too', () => {
  const world = aWorld()
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep({ range: { from: '1969-01-01T00:00:00Z', to: '1970-12-31T00:00:00Z' } }))
  const [evening, midnight] = ['1969-10-04T23:59:59Z', '1969-10-05T00:00:00Z']
  const at = (n: number, IssuedAt: string) => item(n, { IssuedAt }, { IssuedAt })
  world.plant([created(1, { IssuedAt: evening }), created(2, { IssuedAt: midnight })])
  store.save(id, aPage([at(1, evening), at(2, midnight), at(3, evening), at(4, midnight)]))
  const { days } = store.compare(id, theTerms({ zone: 'UTC' }))
  expect(days.map(({ day, counts }) => [day, counts.matched, counts.missing])).toEqual([
    ['1969-10-04', 1, 1],
    ['1969-10-05', 1, 1],
  ])
})

test('an amount of absurdly many digits is no money at stake, and the document is missing all the same', () => {
  const world = aWorld()
  const store = storeIn(world.folder)
  const { id } = store.add(aSweep())
  const withTotal = (n: number, total: string) =>
    JSON.stringify(item(n, { Total: 'T' })).replace('"T"', total)
  store.save(id, aPage([withTotal(1, '9'.repeat(100)), withTotal(2, '9'.repeat(101)), withTotal(3, '1')]))
  expect(store.compare(id, theTerms())).toMatchObject({
    counts: { missing: 3 },
    atStake: [{ currency: 'DOP', amount: '1e100', documents: 2 }],
  })
})

test.each([0, PART_BYTES - 1])('values that are unlike in byte %i of a fingerprint are unlike', (byte) => {
  using db = new DatabaseSync(':memory:')
  const ignore = provideUnlike(db)
  const print = (value: number) => {
    const bytes = new Uint8Array(PART_BYTES * FINGERPRINT_FIELDS.length).fill(7)
    bytes[byte] = value
    return bytes
  }
  const unlike = (...two: readonly [Uint8Array, Uint8Array]) =>
    db.prepare('SELECT unlike(?, ?) AS yes').get(...two)?.yes
  ignore(new Set())
  expect([unlike(print(7), print(7)), unlike(print(7), print(8))]).toEqual([0, 1])
  ignore(new Set(FINGERPRINT_FIELDS.slice(0, 1)))
  expect(unlike(print(7), print(8))).toBe(0)
  ignore(new Set())
  // What one side lacks says nothing.
  expect(unlike(print(7), new Uint8Array(PART_BYTES * FINGERPRINT_FIELDS.length))).toBe(0)
})

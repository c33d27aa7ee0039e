import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { fingerprintOf, PART_AT } from '#core/reconcile/fingerprint.ts'
import { provideAgrees } from '#storage/sweeps/comparing-sql.ts'
import { aUuid } from '../../../support/events.ts'
import {
  accounting,
  allRows,
  aPage,
  aSweep,
  event,
  ISSUED,
  item as itemOf,
  OCTOBER,
  planted,
  swept,
  theTerms,
} from './support.ts'

/** Each test fails when one condition of the comparison's SQL, or of a row's judgement, is removed or inverted. */

const told = (n: number, kind: Kind, minute: number, data: object = {}) => ({
  body: { ...event(kind, n, data), Timestamp: `2026-10-05T10:0${minute}:00-04:00` },
})
const created = (n: number, change: object = {}) =>
  told(n, 'factura.created', 1, { Accounting: accounting(change) })
const item = (n: number, change: object = {}, own: object = {}) =>
  itemOf(n, change, { IssuedAt: ISSUED, ...own })
/** An event without members that join or compare it. */
const bare = (n: number, kind: Kind, minute: number) =>
  told(n, kind, minute, { Accounting: undefined, Number: undefined })
const byNumber = (n: number) => ({ ...item(n), DocumentId: undefined })

test.each([
  [5, 'dgii.aprobado'],
  [6, 'dgii.rechazado'],
  [7, 'dgii.en_proceso'],
  [8, 'dgii.aceptado_condicional'],
])('an invoice of status %i that no event told lacks %s (readings, Reconciling)', (StatusId, kind) => {
  const { store, id } = swept([created(1)], [item(1, {}, { StatusId })])
  expect(store.compare(id, theTerms()).missedEvents).toEqual({ [kind]: 1 })
})

test('an event of the tax authority alone makes an invoice of a document, whatever else was captured', () => {
  const { store, id } = swept(
    [bare(1, 'dgii.aprobado', 1), told(1, 'gasto.created', 2), told(2, 'gasto.created', 2)],
    [item(1, {}, { StatusId: 6 }), item(2, {}, { StatusId: 6 })],
  )
  expect(store.compare(id, theTerms()).counts).toMatchObject({ differs: 1, matched: 1 })
  expect(allRows(store, id).map(({ class: name, missed }) => [name, missed[0]?.kind])).toEqual([
    ['differs', 'dgii.rechazado'],
    ['matched', undefined],
  ])
})

test('an update that agrees does not make up for a creation that was lost', () => {
  const { store, id } = swept([told(1, 'factura.updated', 1), created(2)], [item(1), item(2)])
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1, missing: 1 })
})

test('the latest projection counts: by Timestamp, then by arrival (readings, Reconciling)', () => {
  const total = (n: number, kind: Kind, minute: number, Total: number) =>
    told(n, kind, minute, { Accounting: accounting({ Total }) })
  // Equal instants, but arrived in the opposite order.
  const tied = (n: number) => [total(n, 'factura.created', 1, 7), total(n, 'factura.updated', 1, 8)]
  const turned = (n: number) => [total(n, 'factura.updated', 2, 8), total(n, 'factura.created', 1, 7)]
  const { store, id } = swept(
    [...tied(1), ...turned(2), ...tied(3), ...turned(4)],
    [item(1, { Total: 8 }), item(2, { Total: 8 }), item(3, { Total: 7 }), item(4, { Total: 7 })],
  )
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 2, differs: 2 })
})

test('a later projection of another endpoint does not count', () => {
  const other = told(1, 'factura.updated', 2, { Accounting: accounting({ Total: 7 }) })
  const { store, id } = swept([created(1), { ...other, endpoint: 'other' }], [item(1, { Total: 7 })])
  expect(store.compare(id, theTerms({ endpoints: ['default'] })).counts).toMatchObject({ differs: 1 })
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1 })
})

test('a later note that modifies the document explains other amounts: it differs, and no update was missed (readings, Reconciling)', () => {
  const note = (n: number, of: number, minute = 2) =>
    told(n, 'nota_credito.created', minute, { ModifiedReferenceId: aUuid(of).toUpperCase() })
  const items = [1, 2, 3, 5].map((n) => item(n, { Total: 7 }))
  const { store, id } = swept(
    [
      ...[created(1), created(2), created(3), created(4), created(5)],
      ...[note(8, 1, 0), note(8, 1), { ...note(9, 2), endpoint: 'other' }, note(7, 3, 0), note(6, 4)],
      ...[note(5, 5), told(5, 'factura.updated', 3)],
    ],
    [...items, item(4, { Total: 7, CurrencyCode: 'USD' })],
  )
  store.compare(id, theTerms({ endpoints: ['default'] }))
  const rows = allRows(store, id).filter(({ class: name }) => name === 'differs')
  expect(rows.map(({ key, missed, rules }) => [key, missed.length, ...rules]).sort()).toEqual([
    [aUuid(1), 0, 'note-explains'],
    [aUuid(2), 1, 'values-differ'],
    [aUuid(3), 1, 'values-differ'],
    [aUuid(4), 1, 'values-differ'],
    [aUuid(5), 1, 'values-differ'],
  ])
})

test('voided on one side only differs, and the row says by which rule (readings, Reconciling)', () => {
  const voided = (n: number) => told(n, 'factura.anulated', 2, { Accounting: undefined })
  const late = { ...voided(4), receivedAt: 1_793_000_000_000_001 }
  const { store, id } = swept(
    [...[1, 2, 3, 4, 5].map((n) => created(n)), voided(1), voided(2), late],
    [1, 2, 3, 4, 5].map((n) => item(n, {}, { IsAnulated: n === 1 || n === 5 })),
  )
  // Reading a row judges it again; the counts come from the comparison.
  expect(store.compare(id, theTerms()).counts).toMatchObject({ differs: 2, matched: 3 })
  const rows = allRows(store, id).map(({ key, rules }) => [key, ...rules])
  expect(rows.sort()).toEqual([
    [aUuid(1)],
    [aUuid(2), 'void-not-in-service'],
    [aUuid(3)],
    // The void arrived after the sweep's request.
    [aUuid(4)],
    [aUuid(5), 'void-without-event'],
  ])
})

test('values told after the sweep began prove nothing about the service (readings, Reconciling)', () => {
  const update = told(1, 'factura.updated', 2, { Accounting: accounting({ Total: 7 }) })
  const before = told(2, 'factura.updated', 2, { Accounting: accounting({ Total: 7 }) })
  const { store, id } = swept(
    [created(1), created(2), before, { ...update, receivedAt: 1_793_000_000_000_001 }],
    [item(1), item(2)],
  )
  expect(store.compare(id, theTerms())).toMatchObject({ counts: { differs: 1, 'cannot-tell': 1 } })
  expect(allRows(store, id).map(({ rules }) => rules)).toEqual([['changed-since'], ['values-differ']])
})

test('what has no value in common with its item is not matched: none on one side, none that counts', () => {
  const bare = (n: number, Accounting: unknown) => told(n, 'factura.created', 1, { Accounting })
  const of = (n: number, Accounting: unknown) => ({ ...item(n), Accounting })
  const { store, id } = swept(
    [
      ...[created(1), created(2), bare(3, undefined), bare(4, { AmountDue: 1 }), bare(5, { Tip: 1 })],
      ...[bare(6, { Tip: 1, AmountDue: 1 }), told(7, 'factura.created', 1), bare(8, { Tip: 1 })],
      told(8, 'factura.updated', 2, { Accounting: { Freight: 1 } }),
    ],
    [
      ...[item(1), of(2, undefined), item(3), of(4, { AmountDue: 1 }), of(5, { Freight: 1 })],
      ...[of(6, { Tip: 1, AmountDue: 2 }), of(7, {}), of(8, { Tip: 1 })],
    ],
  )
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 2, 'cannot-tell': 6, differs: 0 })
  const doubtful = allRows(store, id).filter((row) => row.class === 'cannot-tell')
  expect(doubtful.map(({ key }) => key).sort()).toEqual([2, 3, 4, 5, 7, 8].map((n) => aUuid(n)))
  expect(doubtful[0]).toMatchObject({ rules: ['nothing-compared'] })
  expect(doubtful[0]?.cannotTell).toContain('values-differ')
  // With all fields ignored, nothing is compared.
  const ignoredFields = ['DocumentTypeId', 'IssuedAt', 'CurrencyCode', 'Total', 'AmountDue']
  expect(store.compare(id, theTerms({ ignoredFields })).counts).toMatchObject({
    matched: 1,
    'cannot-tell': 7,
  })
})

test('a sweep of one document type judges captured documents of that type only', () => {
  const { store } = planted(
    ...[created(1), created(2), created(3, { DocumentTypeId: 32 })],
    // An event without a type keeps the type of an earlier one.
    ...[2, 4].map((n) => told(n, 'dgii.aprobado', 3, { Accounting: undefined })),
  )
  const whole = store.add(aSweep()).id
  const typed = store.add(aSweep({ range: { documentTypeId: 31 } })).id
  const counts = (id: number) => {
    store.save(id, aPage([item(1)]))
    const { matched, 'webhook-only': only, 'date-unknown': unknown } = store.compare(id, theTerms()).counts
    return [matched, only, unknown]
  }
  expect([counts(whole), counts(typed)]).toEqual([
    [1, 2, 1],
    [1, 1, 0],
  ])
})

test('a document type tells the kind of what was missed only where captures agree on it', () => {
  const typed = (n: number, kind: Kind) =>
    told(n, kind, 1, { Accounting: accounting({ DocumentTypeId: 77 }) })
  const missedBeside = (...captured: ReturnType<typeof told>[]) => {
    const { store, id } = swept(captured, [{ ...item(3, { DocumentTypeId: 77 }), Number: 'F-3' }])
    return store.compare(id, theTerms()).missedEvents
  }
  expect(missedBeside(typed(1, 'factura.created'))).toEqual({ 'factura.created': 1 })
  expect(missedBeside(typed(1, 'factura.created'), typed(2, 'gasto.created'))).toEqual({ unknown: 1 })
})

test('a sweep that listed nothing judges nothing, and one cut short nothing of what may follow', () => {
  const { store } = planted(created(1), told(4, 'dgii.aprobado', 1, { Accounting: undefined }))
  const { id } = store.add(aSweep())
  const [from, to] = [OCTOBER.from, OCTOBER.to].map((text) => Date.parse(text) * 1_000) as [number, number]
  const { counts, notReached } = store.compare(id, theTerms({ unreached: [{ from, to }] }))
  expect(Object.values(counts).every((count) => count === 0)).toBe(true)
  expect(notReached).toBe(2)
})

test('items that name no document make captured documents doubtful, never webhook only', () => {
  const { store, id } = swept([created(1), created(2)], [item(1), { Meta: { Ident: aUuid(2) } }])
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1, missing: 0, 'cannot-tell': 2 })
  expect(allRows(store, id).flatMap(({ rules }) => rules)).toEqual(['items-not-identified', 'not-identified'])
})

test('joined by Number, an event that carries none is not missed: it cannot be told (readings, Reconciling)', () => {
  const own = { StatusId: 5, IsAnulated: true }
  const { store, id } = swept(
    // The creation of 1 was lost, so no event joins the answer and the void with its Number.
    [
      ...[bare(1, 'dgii.aprobado', 2), bare(1, 'factura.anulated', 3), created(2), created(3)],
      bare(3, 'dgii.aprobado', 2),
    ],
    [1, 2, 3].map((n) => ({ ...byNumber(n), ...own, IsAnulated: n < 3 })),
  )
  expect(store.compare(id, theTerms()).missedEvents).toEqual({ 'factura.created': 1 })
  const both = ['status-without-event', 'void-without-event']
  const rows = allRows(store, id).map(({ number, class: name, cannotTell }) => [number, name, cannotTell])
  expect(rows).toEqual([
    ['E310000000001', 'missing', both],
    ['E310000000002', 'matched', both],
    ['E310000000003', 'matched', []],
    [null, 'date-unknown', []],
  ])
})

test('ids that no event carries: an answer without a Number may be that of any item, unless its own document tells one', () => {
  const missedBeside = (...others: ReturnType<typeof told>[]) => {
    const items = [item(1, {}, { StatusId: 5, IsAnulated: true })]
    const { store, id } = swept([bare(9, 'dgii.aprobado', 2), ...others], items)
    return store.compare(id, theTerms()).missedEvents
  }
  expect(missedBeside()).toEqual({ 'factura.created': 1 })
  const all = { 'factura.created': 1, 'dgii.aprobado': 1, 'factura.anulated': 1 }
  expect(missedBeside(created(9))).toEqual(all)
})

test('ids that no event carries: what was captured before the range, or tells its date, is no item without a Number', () => {
  const rulesBeside = (captured: ReturnType<typeof told>, own: object, endpoint = 'default') => {
    const { store, id } = swept([{ ...captured, endpoint }], [item(1, {}, { StatusId: 5, ...own })])
    store.compare(id, theTerms({ endpoints: ['default'] }))
    return allRows(store, id).find(({ key }) => key === aUuid(1))?.rules
  }
  const at = (Timestamp: string) => ({ body: { ...bare(9, 'dgii.aprobado', 1).body, Timestamp } })
  const issued = (IssuedAt?: string) =>
    told(9, 'factura.created', 1, { Accounting: accounting({ IssuedAt }) })
  const unnumbered = told(9, 'factura.created', 1, { Number: undefined })
  const both = ['no-created', 'status-without-event']
  const before = '2026-09-30T23:59:59-04:00'
  // A status without an event is missed, unless a captured answer may belong to the item.
  const orphans = [at(OCTOBER.from), at(before), unnumbered].map((captured) => rulesBeside(captured, {}))
  expect(orphans).toEqual([['no-created'], both, both])
  // An item without a Number is missing, unless a captured document issued in the range may be the same.
  const dates = [OCTOBER.from, OCTOBER.to, before, '2026-11-01T00:00:00-04:00', undefined]
  const rules = dates.map((date) => rulesBeside(issued(date), { Number: undefined }))
  expect(rules).toEqual([['other-ids'], ['other-ids'], both, both, both])
  // Captures of other endpoints tell nothing about this connection's items.
  expect(rulesBeside(at(OCTOBER.from), {}, 'other')).toEqual(both)
  expect(rulesBeside(issued(OCTOBER.from), { Number: undefined }, 'other')).toEqual(['no-created'])
  const sameNumber = { ...told(9, 'factura.created', 1, { Number: item(1).Number }), endpoint: 'other' }
  const { store, id } = swept([sameNumber], [item(1, {}, { IsAnulated: true })])
  const missed = { 'factura.created': 1, 'factura.anulated': 1 }
  expect(store.compare(id, theTerms({ endpoints: ['default'] })).missedEvents).toEqual(missed)
})

test('what another sweep lists, by id or by Number, is not listed by this one', () => {
  const { store } = planted(created(1), created(2))
  for (const of of [item, byNumber]) {
    const [first, second] = [store.add(aSweep()).id, store.add(aSweep()).id]
    store.save(first, aPage([of(1)]))
    store.save(second, aPage([of(2)]))
    for (const id of [first, second, first])
      expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 1, 'webhook-only': 1 })
  }
})

test('a document whose Number was told by a delivery that is deleted is joined by it no more', () => {
  // The other document stays joined by Number, so the test also checks existing joins.
  const { world, store, id } = swept(
    [created(1), told(1, 'factura.updated', 2, { Number: null }), created(2)],
    [byNumber(1), byNumber(2)],
  )
  expect(store.compare(id, theTerms()).counts).toMatchObject({ matched: 2, 'webhook-only': 0 })
  world.delete(1)
  // A document without a Number may be one that the service lists by Number.
  const after = { matched: 1, missing: 1, 'webhook-only': 0, 'cannot-tell': 1 }
  expect(store.compare(id, theTerms()).counts).toMatchObject(after)
})

test('both ends of a range and of the dates not listed whole belong to them', () => {
  const within = [OCTOBER.from, '2026-10-10T00:00:00-04:00', OCTOBER.to]
  const issued = [...within, '2026-09-30T23:59:59-04:00', '2026-11-01T00:00:00-04:00']
  // An answer within the range does not move its document into the range.
  const answer = told(4, 'dgii.aprobado', 2, { Accounting: undefined })
  const { store, id } = swept([...issued.map((IssuedAt, i) => created(i + 1, { IssuedAt })), answer], [])
  expect(store.compare(id, theTerms()).counts['webhook-only']).toBe(3)
  const instant = (text: string) => Date.parse(text) * 1_000
  const unreached = [{ from: instant('2026-10-10T00:00:00-04:00'), to: instant(OCTOBER.to) }]
  const cut = { counts: { 'webhook-only': 1 }, notReached: 2 }
  expect(store.compare(id, theTerms({ unreached }))).toMatchObject(cut)
})

test('no longer not yet due once it was issued long ago, however lately it was first returned (readings, Reconciling)', () => {
  const { store } = planted()
  const now = Date.parse(ISSUED) + 23 * 3_600_000
  const { id } = store.add(aSweep())
  store.save(id, aPage([item(1)], { at: now }))
  const at = (later: number) =>
    store.compare(id, theTerms({ now: now + later, notYetDue: { issuedHours: 24, returnedMinutes: 600 } }))
  expect(at(0).missedEvents).toEqual({})
  // An event that may still arrive does not count as not recovered.
  expect(at(0)).toMatchObject({ counts: { 'not-yet-due': 1, missing: 0 }, notRecovered: 0 })
  expect(at(7_200_000)).toMatchObject({ counts: { 'not-yet-due': 0, missing: 1 }, notRecovered: 1 })
})

test('days before the epoch begin at midnight too', () => {
  const [evening, midnight] = ['1969-10-04T23:59:59Z', '1969-10-05T00:00:00Z']
  const at = (n: number, IssuedAt: string) => item(n, { IssuedAt }, { IssuedAt })
  const { store, id } = swept(
    [created(1, { IssuedAt: evening }), created(2, { IssuedAt: midnight })],
    [at(1, evening), at(2, midnight), at(3, evening), at(4, midnight)],
    { range: { from: '1969-01-01T00:00:00Z', to: '1970-12-31T00:00:00Z' } },
  )
  const { days } = store.compare(id, theTerms({ zone: 'UTC' }))
  expect(days.map(({ day, counts }) => [day, counts.matched, counts.missing])).toEqual([
    ['1969-10-04', 1, 1],
    ['1969-10-05', 1, 1],
  ])
})

test('an amount of absurdly many digits is no money at stake, and the document is missing all the same', () => {
  const totals = ['9'.repeat(100), '9'.repeat(101), '1']
  const items = totals.map((total, i) => JSON.stringify(item(i + 1, { Total: 'T' })).replace('"T"', total))
  const { store, id } = swept([], items)
  expect(store.compare(id, theTerms())).toMatchObject({
    counts: { missing: 3 },
    atStake: [{ currency: 'DOP', amount: '1e100', documents: 2 }],
  })
})

test.each([0, 5])('values that are unlike in byte %i of a fingerprint are unlike', (byte) => {
  using db = new DatabaseSync(':memory:')
  const agreeBy = provideAgrees(db)
  const print = (value: number) => {
    const bytes = new Uint8Array(PART_AT.at(-1) ?? 0).fill(7)
    bytes[byte] = value
    return bytes
  }
  const agrees = (...two: readonly [Uint8Array | null, Uint8Array | null]) =>
    db.prepare('SELECT agrees(?, ?) AS yes').get(...two)?.yes
  const [zone, first] = ['UTC', new Set(['DocumentTypeId'])]
  agreeBy({ excluded: new Set(), zone })
  expect([agrees(print(7), print(7)), agrees(print(7), print(8))]).toEqual([1, 0])
  agreeBy({ excluded: first, zone })
  expect(agrees(print(7), print(8))).toBe(1)
  agreeBy({ excluded: new Set(), zone })
  // A part that one side lacks is no evidence, and without common parts nothing agrees.
  expect(agrees(print(7), new Uint8Array(PART_AT.at(-1) ?? 0))).toBe(0)
  expect([agrees(print(7), null), agrees(null, print(7))]).toEqual([0, 0])
  const both = fingerprintOf(new Map([['DocumentTypeId', { type: 'number', key: '31', source: '31' }]]))
  expect(agrees(both, both)).toBe(1)
  agreeBy({ excluded: first, zone })
  expect(agrees(both, both)).toBe(0)
})

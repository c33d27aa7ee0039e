import { describe, expect, it } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { DOCUMENT_TYPES } from '#catalog/service.ts'
import { DOCUMENT_GROUPS } from '#contract/values.ts'
import {
  type CapturedEvent,
  familyOf,
  kindOf,
  mappedFamilies,
  type RemoteDocument,
  type Terms,
} from '#core/reconcile/documents.ts'
import { accountingOf, readItem } from '#core/reconcile/item.ts'
import { isIssuedSince, judge, type Sides } from '#core/reconcile/judge.ts'
import { treeOf } from '../../../support/events.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const ID = '7d3f2b1c-0000-4000-8000-0000000000AB'
const TERMS: Terms = {
  now: NOW,
  kinds: null,
  ignoredFields: new Set(['AmountDue']),
  notYetDue: { issuedHours: 24, returnedMinutes: 10 },
  sharedFields: new Set(),
  zone: 'America/Santo_Domingo',
  sweptBefore: Number.POSITIVE_INFINITY,
  ...{ otherIds: false, unidentifiedItems: false, itemsByNumber: false },
  families: new Map(),
  mapped: new Map(),
}
const PLAIN = { noteAt: null, byNumber: false }
const IssuedAt = '2026-10-05T09:00:00-04:00'
const Accounting = { DocumentTypeId: 31, IssuedAt, Total: 118.0, AmountDue: 118.0 }
const ITEM = { DocumentId: ID, Number: 'E310000000001', StatusId: 1, IssuedAt, IsAnulated: false, Accounting }

const remote = (item: unknown, firstReturnedAt = NOW - 3_600_000): NonNullable<Sides['remote']> => ({
  document: readItem(treeOf(item), 0),
  firstReturnedAt,
})
const event = (kind: Kind, accounting: unknown = Accounting): CapturedEvent => ({
  deliveryId: 1,
  kind,
  instant: 0,
  number: null,
  issuedAt: accounting === null ? null : 1,
  documentType: null,
  accounting: accounting === null ? new Map() : accountingOf(treeOf(accounting), 0),
})
const CREATED = event('factura.created')
const { Number: _, ...UNNUMBERED } = ITEM
const only = (...kinds: readonly Kind[]): Partial<Terms> => ({ kinds: new Set(kinds) })
const amounts = (change: object) => ({ ...ITEM, Accounting: { ...Accounting, ...change } })

/** @returns class, missed events and rules; rules without a decision have a question mark */
function told(item: unknown, events: readonly CapturedEvent[], terms: Partial<Terms> = {}): string {
  const judged = judge({ remote: remote(item), events, ...PLAIN }, { ...TERMS, ...terms })
  const missed = judged.missed.map(({ kind, certainty }) => `${certainty} ${kind}`)
  return [judged.class, ...missed, ...judged.rules, ...judged.cannotTell.map((rule) => `${rule}?`)].join(', ')
}

describe('what is said of a listed document (readings, Reconciling)', () => {
  type Row = [said: string, item: object, events: readonly CapturedEvent[], terms?: Partial<Terms>]
  const voided = { ...ITEM, IsAnulated: true }
  const accepted = { ...ITEM, StatusId: 5 }
  const unknown = { ...ITEM, StatusId: null, IsAnulated: null }
  const untold = 'no-created?, status-without-event?, void-without-event?, values-differ?'
  const nameless = { Meta: { Ident: ID }, StatusId: 5, IsAnulated: true, Accounting }
  const note = event('nota_credito.created')
  const noted = event('nota_credito.anulated', null)
  it.each<Row>([
    ['matched', ITEM, [CREATED]],
    ['missing, missed factura.created, no-created', ITEM, [event('factura.updated')]],
    // An event of unknown kind is never rebuilt (Rebuilding).
    ['missing, missed null, no-created, status-without-event?', { ...ITEM, Number: 'FT-17' }, []],
    ['missing, missed null, no-created, status-without-event?', { ...ITEM, Number: 'E99000000001' }, []],
    ['missing, missed null, no-created, status-without-event?', UNNUMBERED, []],
    ['missing, missed null, no-created, status-without-event?', { ...UNNUMBERED, StatusId: 5 }, []],
    ['not-subscribed, not-subscribed', ITEM, [], only('gasto.created')],
    ['matched', { ...accepted, IsAnulated: true }, [CREATED], only('gasto.created')],
    ['differs, missed dgii.aprobado, status-without-event', accepted, [], only('dgii.aprobado')],
    ['not-subscribed, not-subscribed', accepted, [event('dgii.aprobado', null)], only('dgii.aprobado')],
    ['differs, missed factura.anulated, void-without-event', voided, [], only('factura.anulated')],
    ['differs, missed nota_credito.anulated, void-without-event', voided, [note]],
    ['matched', voided, [note, noted]],
    ['differs, possibly factura.updated, values-differ', amounts({ Total: 236 }), [CREATED]],
    ['differs, values-differ', amounts({ Total: 59 }), [CREATED], only('factura.created')],
    ['matched', amounts({ AmountDue: 0 }), [CREATED]],
    ['differs, amount-due', amounts({ AmountDue: 0 }), [CREATED], { ignoredFields: new Set() }],
    ['matched, status-without-event?, void-without-event?', unknown, [CREATED]],
    [`cannot-tell, other-ids, ${untold}`, UNNUMBERED, [], { otherIds: true }],
    ['missing, missed factura.created, no-created', ITEM, [], { otherIds: true }],
    [`cannot-tell, not-identified, ${untold}`, nameless, []],
  ])('%s', (...[said, item, events, terms]: Row) => expect(told(item, events, terms)).toBe(said))

  it('not yet due: issued within 24 h and first returned less than 10 minutes ago', () => {
    const fresh = { ...ITEM, IssuedAt: '2026-11-21T07:00:00-04:00' }
    const at = (firstReturnedAt: number, item: unknown = fresh) =>
      judge({ remote: remote(item, firstReturnedAt), events: [], ...PLAIN }, TERMS).class
    const classes = [at(NOW - 9 * 60_000), at(NOW - 11 * 60_000), at(NOW, ITEM)]
    expect(classes).toEqual(['not-yet-due', 'missing', 'missing'])
  })
})

it('what no sync lists is webhook only, with the likely reason, or of unknown date (readings, Reconciling)', () => {
  const said = (...events: CapturedEvent[]) => {
    const { class: name, likelyReason } = judge({ events, ...PLAIN }, TERMS)
    return `${name} ${likelyReason}`
  }
  const awaiting = event('factura.created', { ...Accounting, AwaitsFiscalValidation: true })
  expect(said(CREATED)).toBe('webhook-only null')
  expect(said(CREATED, event('factura.anulated', null))).toBe('webhook-only voided')
  expect(said(awaiting)).toBe('webhook-only awaits-fiscal-validation')
  expect(said(event('dgii.aprobado', null))).toBe('date-unknown null')
})

it('what was issued after a sweep began could not be in its answer', () => {
  const since = (change: object) =>
    isIssuedSince({ class: 'webhook-only', issuedAt: 2_000_001, ...change }, { startedAt: 2_000 })
  const rows = [{}, { issuedAt: 2_000_000 }, { issuedAt: null }, { class: 'matched' }]
  expect(rows.map(since)).toEqual([true, false, false, false])
})

const document = (number: string | null, documentType: number | null): RemoteDocument => ({
  ...{ documentKey: null, documentId: null, issuedAt: null, statusId: null, voided: null },
  ...{ number, documentType, accounting: new Map() },
})
const KNOWN: Terms = {
  ...TERMS,
  families: new Map([[77, 'debit-note']]),
  mapped: mappedFamilies([
    { id: 77, group: 'nota_credito' },
    { id: 78, group: 'gasto' },
  ]),
}

describe('what kind of document it is (readings, Reconciling, "Rebuilding")', () => {
  it.each([
    ['own events first', document('E41000', 77), ['customer.created', 'dgii.aprobado'], 'invoice'],
    ['else the type as observed in captures', document('E41000', 77), [], 'debit-note'],
    ['else the prefix of the Number, before the mapping', document('E31000', 78), [], 'invoice'],
    ["else the user's mapping of the type", document('F-1', 78), [], 'expense'],
    ["the user's mapping, where there is no Number", document(null, 78), ['product.updated'], 'expense'],
    ['else nothing: a type that nobody mapped', document('F-1', 79), [], null],
    ['else nothing: an item without a type', document('F-1', null), [], null],
    ['else nothing: no item', undefined, [], null],
  ] as const)('%s', (_, remote, kinds, family) => {
    const events = kinds.map((kind) => event(kind, null))
    expect(familyOf(remote, events, KNOWN)).toBe(family)
  })

  it('the prefix of the Number tells each of the ten document types', () => {
    for (const { code, family } of DOCUMENT_TYPES)
      expect(familyOf(document(`${code}0000000001`, null), [], KNOWN)).toBe(family)
  })

  it('a group of the mapping is what the kinds of its documents begin with', () => {
    for (const group of DOCUMENT_GROUPS) {
      const family = mappedFamilies([{ id: 1, group }]).get(1)
      expect(family && kindOf(family, 'created')).toBe(`${group}.created`)
    }
  })
})

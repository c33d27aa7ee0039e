import { describe, expect, it } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import { scanJson } from '#core/json/scan.ts'
import { accountingOf, readItem } from '#core/reconcile/item.ts'
import { judge, type Sides } from '#core/reconcile/judge.ts'
import type { CapturedEvent, Terms } from '#core/reconcile/types.ts'

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
const ACCOUNTING = {
  DocumentTypeId: 31,
  IssuedAt: '2026-10-05T09:00:00-04:00',
  Total: 118.0,
  AmountDue: 118.0,
}
const ITEM = {
  DocumentId: ID,
  Number: 'E310000000001',
  StatusId: 1,
  IssuedAt: '2026-10-05T09:00:00-04:00',
  IsAnulated: false,
  Accounting: ACCOUNTING,
}

function tree(value: unknown) {
  const scanned = scanJson(typeof value === 'string' ? value : JSON.stringify(value))
  if ('problem' in scanned) throw new Error(scanned.problem)
  return scanned
}
const remote = (item: unknown, firstReturnedAt = NOW - 3_600_000): NonNullable<Sides['remote']> => ({
  document: readItem(tree(item), 0),
  firstReturnedAt,
})
const event = (kind: Kind, accounting: unknown = ACCOUNTING): CapturedEvent => ({
  deliveryId: 1,
  kind,
  instant: 0,
  number: null,
  issuedAt: accounting === null ? null : 1,
  documentType: null,
  accounting: accounting === null ? new Map() : accountingOf(tree(accounting), 0),
})
const of = (item: unknown, ...events: CapturedEvent[]) =>
  judge({ remote: remote(item), events, ...PLAIN }, TERMS)

describe('classes (readings, Reconciling)', () => {
  it('matched: both sides say the same', () => {
    expect(of(ITEM, event('factura.created'))).toEqual({
      class: 'matched',
      missed: [],
      rules: [],
      cannotTell: [],
      differences: [],
      likelyReason: null,
    })
  })

  it('missing in capture: in the sync, no *.created seen; the kind comes from the Number', () => {
    const prefixes = {
      E32: 'factura',
      E33: 'nota_debito',
      E34: 'nota_credito',
      E41: 'gasto',
      E43: 'gasto',
      E47: 'gasto',
    }
    for (const [prefix, name] of Object.entries(prefixes))
      expect(of({ ...ITEM, Number: `${prefix}0000000001` })).toMatchObject({
        class: 'missing',
        missed: [{ kind: `${name}.created`, rule: 'no-created', certainty: 'missed' }],
      })
  })

  it('missing without a kind, so never rebuilt, where neither captures nor the Number tell one (Rebuilding)', () => {
    for (const number of [null, '', 'FT-17', 'E99000000001'])
      expect(of({ ...ITEM, Number: number }).missed).toEqual([
        { kind: null, certainty: 'missed', rule: 'no-created' },
      ])
  })

  it('missing too when later events of the document were seen', () => {
    expect(of(ITEM, event('factura.updated'))).toMatchObject({
      class: 'missing',
      missed: [{ kind: 'factura.created' }],
    })
  })

  it('the kind comes from the document type as observed in captures, before the Number', () => {
    const terms = { ...TERMS, families: new Map([[31, 'expense' as const]]) }
    const item = { ...ITEM, DocumentTypeId: 31 }
    expect(judge({ remote: remote(item), events: [], ...PLAIN }, terms).missed).toEqual([
      { kind: 'gasto.created', rule: 'no-created', certainty: 'missed' },
    ])
  })

  it('not yet due: issued within 24 h and first returned less than 10 minutes ago', () => {
    const fresh = { ...ITEM, IssuedAt: '2026-11-21T07:00:00-04:00' }
    const at = (firstReturnedAt: number) =>
      judge({ remote: remote(fresh, firstReturnedAt), events: [], ...PLAIN }, TERMS).class
    expect(at(NOW - 9 * 60_000)).toBe('not-yet-due')
    expect(at(NOW - 11 * 60_000)).toBe('missing')
    expect(judge({ remote: remote(ITEM, NOW), events: [], ...PLAIN }, TERMS).class).toBe('missing')
  })

  it('not subscribed: an unselected kind is never missing', () => {
    const terms = { ...TERMS, kinds: new Set<Kind>(['gasto.created']) }
    expect(judge({ remote: remote(ITEM), events: [], ...PLAIN }, terms).class).toBe('not-subscribed')
    const status = { ...ITEM, StatusId: 5, IsAnulated: true }
    expect(
      judge({ remote: remote(status), events: [event('factura.created')], ...PLAIN }, terms),
    ).toMatchObject({ class: 'matched', missed: [] })
  })

  it('not subscribed to creations only: what is selected is missed all the same', () => {
    const judged = (item: unknown, kinds: readonly Kind[], ...events: CapturedEvent[]) =>
      judge({ remote: remote(item), events, ...PLAIN }, { ...TERMS, kinds: new Set(kinds) })
    const accepted = { ...ITEM, StatusId: 5 }
    expect(judged(accepted, ['dgii.aprobado'])).toMatchObject({
      class: 'differs',
      missed: [{ kind: 'dgii.aprobado', rule: 'status-without-event', certainty: 'missed' }],
    })
    expect(judged(accepted, ['dgii.aprobado'], event('dgii.aprobado', null))).toMatchObject({
      class: 'not-subscribed',
      missed: [],
    })
    expect(judged({ ...ITEM, IsAnulated: true }, ['factura.anulated'])).toMatchObject({
      class: 'differs',
      missed: [{ kind: 'factura.anulated', rule: 'void-without-event', certainty: 'missed' }],
    })
  })

  it('cannot tell anything of an item without document id and Number: nothing is called missed', () => {
    expect(of({ Meta: { Ident: ID }, StatusId: 5, IsAnulated: true, Accounting: ACCOUNTING })).toMatchObject({
      class: 'cannot-tell',
      missed: [],
      rules: ['not-identified'],
      cannotTell: ['no-created', 'status-without-event', 'void-without-event', 'values-differ'],
    })
  })

  it('cannot tell of a status where nothing says whether it is an invoice', () => {
    const unknown = { ...ITEM, Number: 'ZZZ', StatusId: 5, Accounting: { DocumentTypeId: 99 } }
    expect(of(unknown)).toMatchObject({
      missed: [{ kind: null, rule: 'no-created' }],
      cannotTell: ['status-without-event'],
    })
  })

  it('webhook only, with the likely reason when the data shows one', () => {
    const only = (...events: CapturedEvent[]) => judge({ events, ...PLAIN }, TERMS)
    expect(only(event('factura.created'))).toMatchObject({
      ...{ class: 'webhook-only', likelyReason: null, rules: ['not-listed'] },
    })
    expect(only(event('factura.created'), event('factura.anulated', null)).likelyReason).toBe('voided')
    expect(only(event('factura.created', { ...ACCOUNTING, AwaitsFiscalValidation: true })).likelyReason).toBe(
      'awaits-fiscal-validation',
    )
  })

  it('date unknown: only voids or dgii events seen', () => {
    expect(judge({ events: [event('dgii.aprobado', null)], ...PLAIN }, TERMS).class).toBe('date-unknown')
  })
})

describe('which event was missed', () => {
  it('a status with no matching dgii event, for invoices only', () => {
    const kinds = {
      5: 'dgii.aprobado',
      6: 'dgii.rechazado',
      7: 'dgii.en_proceso',
      8: 'dgii.aceptado_condicional',
    }
    for (const [status, kind] of Object.entries(kinds)) {
      const item = { ...ITEM, StatusId: Number(status) }
      expect(of(item, event('factura.created'))).toMatchObject({
        class: 'differs',
        missed: [{ kind, rule: 'status-without-event', certainty: 'missed' }],
      })
      expect(of(item, event('factura.created'), event(kind as Kind, null)).class).toBe('matched')
      expect(of(item, event('gasto.created')).class).toBe('matched')
    }
    expect(of({ ...ITEM, StatusId: 3 }, event('factura.created')).class).toBe('matched')
  })

  it('a void with no *.anulated', () => {
    const item = { ...ITEM, IsAnulated: true }
    expect(of(item, event('nota_credito.created')).missed).toEqual([
      { kind: 'nota_credito.anulated', rule: 'void-without-event', certainty: 'missed' },
    ])
    expect(of(item, event('nota_credito.created'), event('nota_credito.anulated', null)).class).toBe(
      'matched',
    )
  })

  it('other values: an update possibly missed', () => {
    expect(
      of({ ...ITEM, Accounting: { ...ACCOUNTING, Total: 236 } }, event('factura.created')),
    ).toMatchObject({
      class: 'differs',
      missed: [{ kind: 'factura.updated', rule: 'values-differ', certainty: 'possibly' }],
      differences: [{ field: 'Total', captured: '118', service: '236', ignored: false, shared: false }],
    })
  })

  it('never from AmountDue alone, since payments change it', () => {
    const paid = { ...ITEM, Accounting: { ...ACCOUNTING, AmountDue: 0 } }
    expect(of(paid, event('factura.created'))).toMatchObject({ class: 'matched', missed: [] })
    const counting = judge(
      { remote: remote(paid), events: [event('factura.created')], ...PLAIN },
      { ...TERMS, ignoredFields: new Set() },
    )
    expect(counting).toMatchObject({ class: 'differs', missed: [], rules: ['amount-due'] })
  })

  it('not where a captured note explains it: amounts that moved after the last captured update', () => {
    const judged = (accounting: object, noteAt: number, ...events: CapturedEvent[]) =>
      judge(
        {
          remote: remote({ ...ITEM, Accounting: { ...ACCOUNTING, ...accounting } }),
          events,
          noteAt,
          byNumber: false,
        },
        TERMS,
      )
    const created = event('factura.created')
    expect(judged({ Total: 59, TotalTaxes: 9 }, 1, created)).toMatchObject({
      ...{ class: 'differs', missed: [], rules: ['note-explains'], cannotTell: ['values-differ'] },
    })
    const possibly = { class: 'differs', missed: [{ rule: 'values-differ' }], rules: ['values-differ'] }
    // A captured update tells what the note before it had changed.
    expect(judged({ Total: 59 }, 1, created, { ...event('factura.updated'), instant: 2 })).toMatchObject(
      possibly,
    )
    expect(judged({ Total: 59 }, 0, created)).toMatchObject(possibly)
    const withDate = event('factura.created', { ...ACCOUNTING, LimitDate: '2026-11-04', CurrencyCode: 'DOP' })
    for (const moved of [
      { LimitDate: '2026-11-05' },
      { Total: 59, LimitDate: '2026-11-05' },
      { CurrencyCode: 'USD' },
    ])
      expect(judged(moved, 1, withDate)).toMatchObject(possibly)
  })

  it('none where updates are not subscribed, and the rule is stated all the same', () => {
    const less = { ...ITEM, Accounting: { ...ACCOUNTING, Total: 59 } }
    const terms = { ...TERMS, kinds: new Set<Kind>(['factura.created']) }
    expect(
      judge({ remote: remote(less), events: [event('factura.created')], ...PLAIN }, terms),
    ).toMatchObject({
      ...{ class: 'differs', missed: [], rules: ['values-differ'] },
    })
  })

  it('not voided in the service after a captured void, unless the void came after the sweep began', () => {
    const events = [event('factura.created'), { ...event('factura.anulated', null), deliveryId: 7 }]
    const judged = (sweptBefore: number) =>
      judge({ remote: remote(ITEM), events, ...PLAIN }, { ...TERMS, sweptBefore })
    expect(judged(8)).toMatchObject({ class: 'differs', missed: [], rules: ['void-not-in-service'] })
    expect(judged(7)).toMatchObject({ class: 'matched', rules: [] })
  })

  it('cannot tell of values that an event captured after the sweep began changed', () => {
    const events = [
      event('factura.created'),
      { ...event('factura.updated', { ...ACCOUNTING, Total: 7 }), deliveryId: 7 },
    ]
    const judged = (sweptBefore: number) =>
      judge({ remote: remote(ITEM), events, ...PLAIN }, { ...TERMS, sweptBefore })
    expect(judged(8)).toMatchObject({ class: 'differs', rules: ['values-differ'] })
    expect(judged(7)).toMatchObject({
      ...{ class: 'cannot-tell', missed: [], rules: ['changed-since'], cannotTell: ['values-differ'] },
    })
  })

  it('cannot tell of events that carry no Number where the document was joined by it', () => {
    const item = { ...ITEM, DocumentId: undefined, StatusId: 5, IsAnulated: true }
    const sides = { remote: remote(item), noteAt: null, byNumber: true }
    const created = event('factura.created')
    expect(judge({ ...sides, events: [created] }, TERMS)).toMatchObject({
      ...{ class: 'matched', missed: [], cannotTell: ['status-without-event', 'void-without-event'] },
    })
    // Those that are joined, by way of the creation's id, count.
    const told = [created, event('dgii.aprobado', null), event('factura.anulated', null)]
    expect(judge({ ...sides, events: told }, TERMS)).toMatchObject({ class: 'matched', cannotTell: [] })
    expect(judge({ ...sides, events: [] }, TERMS)).toMatchObject({
      ...{ class: 'missing', missed: [{ rule: 'no-created' }] },
    })
  })

  it('cannot tell where the item lacks what a rule needs', () => {
    expect(of({ DocumentId: ID, Accounting: ACCOUNTING }, event('factura.created'))).toMatchObject({
      class: 'matched',
      cannotTell: ['status-without-event', 'void-without-event'],
    })
  })

  it('matched means that values were compared: where none could be, nobody can tell', () => {
    const nothing = { class: 'cannot-tell', rules: ['nothing-compared'], cannotTell: ['values-differ'] }
    expect(of({ DocumentId: ID, IsAnulated: false, StatusId: 1 }, event('factura.created'))).toMatchObject(
      nothing,
    )
    expect(of(ITEM, event('factura.created', null))).toMatchObject(nothing)
    expect(of({ ...ITEM, Accounting: { Tip: 1, AmountDue: 118 } }, event('factura.created'))).toMatchObject(
      nothing,
    )
    const shared = { ...TERMS, sharedFields: new Set(['Total', 'IssuedAt', 'DocumentTypeId']) }
    const sides = { remote: remote(ITEM), events: [event('factura.created')], ...PLAIN }
    expect(judge(sides, shared)).toMatchObject(nothing)
    // What was missed is missed all the same.
    expect(
      of({ DocumentId: ID, Number: 'E310000000001', StatusId: 5 }, event('factura.created')),
    ).toMatchObject({
      ...{
        class: 'differs',
        rules: ['status-without-event'],
        cannotTell: ['void-without-event', 'values-differ'],
      },
    })
  })

  it('a field in which every document differs makes none differ', () => {
    const item = { ...ITEM, Accounting: { ...ACCOUNTING, Total: 236 } }
    const sides = { remote: remote(item), events: [event('factura.created')], ...PLAIN }
    expect(judge(sides, { ...TERMS, sharedFields: new Set(['Total']) })).toMatchObject({
      ...{ class: 'matched', missed: [], differences: [{ field: 'Total', shared: true, ignored: false }] },
    })
  })

  it('cannot tell of an item without a Number, where no event carries any of the ids, whether it was captured', () => {
    const { Number: _, ...unnumbered } = ITEM
    const judged = (item: object, terms: Partial<Terms>) =>
      judge({ remote: remote(item), events: [], ...PLAIN }, { ...TERMS, ...terms })
    expect(judged(unnumbered, { otherIds: true })).toMatchObject({
      ...{ class: 'cannot-tell', rules: ['other-ids'], missed: [] },
    })
    expect(judged(unnumbered, {}).class).toBe('missing')
    expect(judged(ITEM, { otherIds: true }).class).toBe('missing')
  })

  it('cannot tell whether the service lists a document that its items may be without naming it', () => {
    const sides = { events: [event('factura.created')], ...PLAIN }
    const judged = (terms: Partial<Terms>, of: object = sides) =>
      judge({ ...sides, ...of }, { ...TERMS, ...terms })
    expect(judged({ unidentifiedItems: true })).toMatchObject({
      ...{ class: 'cannot-tell', rules: ['items-not-identified'] },
    })
    expect(judged({ itemsByNumber: true }).class).toBe('cannot-tell')
    const numbered = { events: [{ ...event('factura.created'), number: 'E31' }] }
    expect(judged({ itemsByNumber: true }, numbered).class).toBe('webhook-only')
  })
})

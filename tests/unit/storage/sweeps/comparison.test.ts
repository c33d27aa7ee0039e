import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTimestamp } from '#catalog/date-time.ts'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { Connection } from '#contract/connection.ts'
import { CLASSES } from '#contract/values.ts'
import { runs } from '../../../support/depth.ts'
import { aUuid } from '../../../support/events.ts'
import { plainComparison } from './plain-comparison.ts'
import { allRows, aPage, aSweep, OCTOBER, type Planted, storeIn, theTerms, World } from './support.ts'

const DOCUMENTS = 12
const instant = (text: string): number => {
  const reading = readTimestamp(text)
  if (!('instant' in reading)) throw new Error(text)
  return reading.instant
}
const RANGE = { from: instant(OCTOBER.from), to: instant(OCTOBER.to) }

const document = fc.integer({ min: 1, max: DOCUMENTS })
const upper = fc.boolean()
const idOf = (n: number, big: boolean) => (big ? aUuid(n).toUpperCase() : aUuid(n))
const numberOf = (n: number) => `E31000000000${n % 4}`
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
/** Few and mostly alike, so that many documents match and the rest differ in one thing. */
const USUAL = {
  DocumentTypeId: 31,
  IssuedAt: '2026-10-05T10:00:00-04:00',
  CurrencyCode: 'DOP',
  Total: 1_250.5,
  AmountDue: 14,
  TratamientoItbis: 'a',
  AwaitsFiscalValidation: false,
}
const accounting = fc.oneof(
  { weight: 6, arbitrary: fc.constant<object>(USUAL) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<object>(
        { IssuedAt: '2026-10-05T14:00:00+00:00' },
        { IssuedAt: '2026-09-30T10:00:00-04:00' },
        { IssuedAt: '2026-10-31T23:59:59-04:00' },
        { IssuedAt: 'soon' },
        { IssuedAt: '2026-10-05T10:00:00' },
        { IssuedAt: '2026-10-05T10:00:00.4-04:00' },
        { IssuedAt: '2026-10-05' },
        { IssuedAt: null },
        { IssuedAt: undefined },
        { AmountDue: 15 },
        { AmountDue: undefined, Total: 15 },
        { Total: null },
        { Total: '1250.5' },
        { Total: undefined, CurrencyCode: undefined },
        { DocumentTypeId: 34 },
        { TratamientoItbis: 'b' },
        { AwaitsFiscalValidation: true },
      )
      .map((change) => ({ ...USUAL, ...change })),
  },
) as fc.Arbitrary<Partial<typeof USUAL>>
const FAMILY_KINDS = KINDS.map(({ kind }) => kind).filter((kind) => /^(factura|nota_|gasto|dgii)/.test(kind))

const delivery: fc.Arbitrary<Planted> = fc
  .record({
    n: document,
    big: upper,
    kind: fc.constantFrom<Kind>(
      ...FAMILY_KINDS,
      ...(Array.from({ length: 12 }, () => 'factura.created') as Kind[]),
      ...([
        'factura.updated',
        'factura.updated',
        'factura.updated',
        'factura.anulated',
        'customer.created',
      ] as const),
    ),
    at: fc.integer({ min: 0, max: 2 }),
    accounting: fc.option(accounting, { nil: undefined, freq: 8 }),
    status: some(fc.constantFrom(1, 5, 6)),
    numbered: fc.boolean(),
    modifies: some(document),
    endpoint: fc.constantFrom('default', 'default', 'default', 'other'),
    rejected: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    synthetic: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .map(({ n, big, kind, at, status, numbered, modifies, endpoint, rejected, synthetic, ...rest }) => ({
    body: {
      Event: kind,
      Timestamp: `2026-10-0${5 + at}T10:00:00-04:00`,
      data: {
        DocumentId: idOf(n, big),
        StatusId: status,
        ...(numbered ? { Number: numberOf(n) } : {}),
        ...(modifies !== undefined && kind.startsWith('nota_') && !kind.endsWith('anulated')
          ? { ModifiedReferenceId: aUuid(modifies) }
          : {}),
        Accounting: rest.accounting,
      },
    },
    ...{ endpoint, rejected, synthetic },
  }))

const item = fc
  .record({
    n: document,
    big: upper,
    named: fc.constantFrom('id', 'id', 'id', 'number'),
    status: some(fc.constantFrom(1, 1, 1, 1, 5, 6)),
    voided: some(fc.constantFrom(false, false, false, true)),
    plain: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
    accounting: fc.option(accounting, { nil: undefined, freq: 8 }),
  })
  .map(({ n, big, named, status, voided, plain, ...rest }) => ({
    ...(named === 'id' ? { DocumentId: idOf(n, big) } : {}),
    // Without a prefix that tells what document it is.
    Number: plain && named === 'id' ? `F-${n}` : numberOf(n),
    StatusId: status,
    IsAnulated: voided,
    ...(rest.accounting ? { IssuedAt: rest.accounting.IssuedAt, Accounting: rest.accounting } : {}),
  }))

const BOTH: Connection['documentTypes'] = [
  { id: 31, group: 'gasto' },
  { id: 34, group: 'factura' },
]

test('the store and a plain comparison over objects agree on every document (readings, Reconciling)', () => {
  fc.assert(
    fc.property(
      fc.array(delivery, { minLength: 12, maxLength: 60, size: 'max' }),
      fc.array(item, { minLength: 4, maxLength: 16, size: 'max' }),
      fc.constantFrom([], [], ['default'], ['other', 'nobody']),
      fc.constantFrom(null, null, null, ['factura.created', 'factura.anulated', 'dgii.rechazado'] as const),
      fc.constantFrom(['AmountDue'], [], ['Total', 'DocumentTypeId', 'AwaitsFiscalValidation']),
      fc.constantFrom<Connection['documentTypes']>([], [{ id: 34, group: 'nota_credito' }], BOTH),
      (deliveries, items, endpoints, kinds, ignoredFields, documentTypes) => {
        using world = new World()
        world.plant(deliveries)
        const store = storeIn(world.folder)
        const sweep = store.add(aSweep()).id
        const half = Math.floor(items.length / 2)
        store.save(sweep, aPage(items.slice(0, half)))
        store.save(sweep, aPage(items.slice(half)))
        const terms = theTerms({ endpoints, kinds, ignoredFields, documentTypes })

        const expected = plainComparison(deliveries, items, RANGE, terms)
        const { counts, joinedByNumber = false } = store.compare(sweep, terms)
        // Where no event has any of the service's ids another join holds (conditions.test.ts).
        fc.pre(!joinedByNumber)
        const rows = allRows(store, sweep)
        expect(Object.fromEntries(rows.map((row) => [row.key, row.class]))).toEqual(
          Object.fromEntries([...expected].map(([key, judgement]) => [key, judgement.class])),
        )
        for (const row of rows) {
          const judgement = expected.get(row.key)
          const fields = (judgement?.differences ?? []).flatMap(({ field, ignored, shared }) =>
            ignored || shared ? [] : [field],
          )
          expect({ ...row, differences: row.differences.toSorted() }).toMatchObject({
            missed: judgement?.missed,
            rules: judgement?.rules,
            cannotTell: judgement?.cannotTell,
            differences: fields.toSorted(),
            likelyReason: judgement?.likelyReason,
          })
          const whole = store.document(sweep, row.key)
          expect(whole.row).toEqual(row)
          expect(whole.differences.toSorted(byField)).toEqual(
            (judgement?.differences ?? []).toSorted(byField),
          )
        }
        for (const name of CLASSES)
          expect(counts[name]).toBe([...expected.values()].filter((one) => one.class === name).length)
        store.close()
      },
    ),
    { numRuns: runs(25) },
  )
}, 120_000)

const byField = (a: { readonly field: string }, b: { readonly field: string }) => (a.field < b.field ? -1 : 1)

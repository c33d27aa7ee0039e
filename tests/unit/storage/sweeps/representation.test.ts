import { expect, test } from 'vitest'
import { allRows, event, item, swept, theTerms } from './support.ts'

const DOCUMENTS = 40
const numbers = Array.from({ length: DOCUMENTS }, (_, n) => n + 1)
/** Issue date of document n, with microseconds, so that a coarser side loses digits. */
const issued = (n: number) => `2026-10-${String(5 + (n % 20)).padStart(2, '0')}T22:13:07.${400_000 + n}-04:00`
const due = (n: number) => issued(n).replace('2026-10', '2026-11')
type Written = Readonly<Record<string, unknown>>
const usual = (n: number): Written => ({
  ...{ DocumentTypeId: 31, IssuedAt: issued(n), LimitDate: due(n) },
  ...{ CurrencyCode: 'DOP', Total: n + 0.5, AmountDue: n },
})
const captured = (n: number) => ({ body: event('factura.created', n, { Accounting: usual(n) }) })

function compared(write: (n: number) => Written, of: readonly number[] = numbers) {
  const { store, id } = swept(
    numbers.map(captured),
    of.map((n) => ({ ...item(n), IssuedAt: issued(n), Accounting: write(n) })),
  )
  const { counts, sharedDifferences } = store.compare(id, theTerms())
  return { counts, sharedDifferences, rows: allRows(store, id), store, id }
}
const cut = (text: unknown, to: number) => String(text).slice(0, to)

test.each<readonly [string, (n: number) => Written]>([
  ['numbers as text', (n) => ({ ...usual(n), DocumentTypeId: '31', Total: `${n}.50`, AmountDue: String(n) })],
  [
    'dates without offset',
    (n) => ({ ...usual(n), IssuedAt: cut(issued(n), 26), LimitDate: cut(due(n), 26) }),
  ],
  [
    'dates to the second',
    (n) => ({ ...usual(n), IssuedAt: `${cut(issued(n), 19)}-04:00`, LimitDate: cut(due(n), 19) }),
  ],
  ['dates alone', (n) => ({ ...usual(n), IssuedAt: cut(issued(n), 10), LimitDate: cut(due(n), 10) })],
])('%s are no difference; a lost update is one (readings, accounting-sync)', (_, write) => {
  const { counts, sharedDifferences, rows } = compared((n) =>
    n === 7 ? { ...write(n), Total: '9.99' } : n === 8 ? { ...write(n), LimitDate: '2026-12-24' } : write(n),
  )
  expect(counts).toMatchObject({ matched: DOCUMENTS - 2, differs: 2 })
  expect(sharedDifferences).toEqual([])
  expect(rows.flatMap(({ differences }) => differences)).toEqual(['Total', 'LimitDate'])
})

test('amounts that are written as text are money at stake', () => {
  const { store, id } = swept([], [item(1, { Total: '1180.10' }), item(2, { Total: 0.2 })])
  const atStake = [{ currency: 'DOP', amount: '1180.30', documents: 2 }]
  expect(store.compare(id, theTerms()).atStake).toEqual(atStake)
  expect(allRows(store, id).map(({ total }) => total)).toEqual(['1180.10', '0.2'])
})

test('a difference that every document shows is told once and makes none differ', () => {
  const { counts, sharedDifferences, rows, store, id } = compared((n) => ({
    ...{ ...usual(n), CurrencyCode: 'RD$', Total: n === 7 ? 9.99 : n + 0.5 },
    LimitDate: `am ${n}`,
  }))
  expect(counts).toMatchObject({ matched: DOCUMENTS - 1, differs: 1 })
  expect(sharedDifferences.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: 'CurrencyCode', documents: DOCUMENTS, captured: '"DOP"', service: '"RD$"' },
    { field: 'LimitDate', documents: DOCUMENTS, captured: `"${due(1)}"`, service: '"am 1"' },
  ])
  expect(rows.filter(({ class: name }) => name === 'differs')).toMatchObject([
    { differences: ['Total'], rules: ['values-differ'] },
  ])
  const { differences } = store.document(id, rows[0]?.key ?? '')
  const known = { shared: true, ignored: false }
  expect(differences).toMatchObject([
    { field: 'LimitDate', ...known },
    { field: 'CurrencyCode', ...known },
  ])
})

test('where one document agrees, or fewer than ten show it, each of the others differs', () => {
  const one = compared((n) => ({ ...usual(n), ...(n === 23 ? {} : { CurrencyCode: 'RD$' }) }))
  expect(one).toMatchObject({ counts: { matched: 1, differs: DOCUMENTS - 1 }, sharedDifferences: [] })
  const few = compared((n) => ({ ...usual(n), CurrencyCode: 'RD$' }), numbers.slice(0, 9))
  expect(few).toMatchObject({ counts: { differs: 9 }, sharedDifferences: [] })
  const ten = compared((n) => ({ ...usual(n), CurrencyCode: 'RD$' }), numbers.slice(0, 10))
  expect(ten).toMatchObject({ counts: { matched: 10 }, sharedDifferences: [{ documents: 10 }] })
  // A field of few documents allows no statement about all documents.
  const dated = (most: number) => compared((n) => ({ ...usual(n), LimitDate: n <= most ? 'am' : undefined }))
  const rare = dated(19)
  expect(rare).toMatchObject({ counts: { differs: 19 }, sharedDifferences: [] })
  const half = dated(20)
  expect(half).toMatchObject({ counts: { matched: DOCUMENTS }, sharedDifferences: [{ documents: 20 }] })
})

test('where every value is another in every document, nothing was compared', () => {
  const { counts } = compared(() => ({ Total: 'x', AmountDue: 'x' }))
  expect(counts).toMatchObject({ matched: 0, differs: 0, 'cannot-tell': DOCUMENTS })
})

test('a difference that every document shows is found among items joined by Number, too', () => {
  const byNumber = ({ DocumentId: _, ...rest }: ReturnType<typeof item>) => rest
  const { store, id } = swept(
    numbers.map(captured),
    numbers.map((n) => ({ ...byNumber(item(n)), Accounting: { ...usual(n), CurrencyCode: 'RD$' } })),
  )
  const told = { counts: { matched: DOCUMENTS, differs: 0 }, sharedDifferences: [{ field: 'CurrencyCode' }] }
  expect(store.compare(id, theTerms())).toMatchObject(told)
})

test('only the latest captures that count, in fields that count, show a difference of every document', () => {
  const told = (n: number, kind: 'created' | 'updated', CurrencyCode: string, endpoint = 'default') => {
    const body = event(`factura.${kind}`, n, { Accounting: { ...usual(n), CurrencyCode } })
    return { endpoint, body: { ...body, Timestamp: `2026-10-26T10:0${kind === 'created' ? 1 : 2}:00-04:00` } }
  }
  const { store, id } = swept(
    numbers.flatMap((n) => [
      ...[told(n, 'created', 'USD'), told(n, 'updated', 'DOP')],
      { ...told(n, 'updated', 'RD$', 'other'), receivedAt: 1_790_000_001_000_000 + n },
    ]),
    numbers.map((n) => ({ ...item(n), Accounting: { ...usual(n), AmountDue: n + 1 } })),
  )
  const own = { endpoints: ['default'] }
  const plain = { counts: { matched: DOCUMENTS }, sharedDifferences: [] }
  expect(store.compare(id, theTerms(own))).toMatchObject(plain)
  const shared = [{ field: 'AmountDue', documents: DOCUMENTS }]
  expect(store.compare(id, theTerms({ ...own, ignoredFields: [] })).sharedDifferences).toMatchObject(shared)
})

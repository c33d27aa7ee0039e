import { expect, test } from 'vitest'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import { judge } from './judging.ts'

const factsOf = (kind: Kind, data: object = {}) => judge(anEvent(kind, { data: { ...data } })).facts

test('an invoice tells its issue date, type, party, total and currency', () => {
  const Accounting = { IssuedAt: '2026-10-05T10:00-04:00', DocumentTypeId: 31, Total: 7, CurrencyCode: 'USD' }
  const facts = factsOf('factura.created', { Accounting, CustomerName: 'Peña' })
  expect(facts).toMatchObject({
    ...{ issuedAt: Date.parse('2026-10-05T14:00:00Z') * 1_000, documentType: 31, party: 'Peña' },
    ...{ total: '7', currency: 'USD', modifies: null },
  })
  expect(facts?.fingerprint?.byteLength).toBe(130)
})

test('digits stay as they were sent, a type may be written as its code, a note names what it modifies', () => {
  const body = `{"Event":"nota_credito.created","Timestamp":"2026-10-05T10:00:00-04:00","data":{"DocumentId":"${aUuid()}",
    "ModifiedReferenceId":"${aUuid(3).toUpperCase()}","SupplierName":"Ana","Accounting":{"Total":14.00,"DocumentTypeId":"E34"}}}`

  const facts = { total: '14.00', documentType: 34, modifies: aUuid(3), party: 'Ana', issuedAt: null }
  expect(judge(body).facts).toMatchObject(facts)
})

test('only invoices, notes, expenses and answers of the tax authority have facts (readings, Reconciling: Compared)', () => {
  expect(KINDS.map(({ kind }) => kind).filter((kind) => factsOf(kind) !== null)).toEqual(
    KINDS.map(({ kind }) => kind).filter((kind) =>
      /^(factura|nota_credito|nota_debito|gasto|dgii)\./.test(kind),
    ),
  )
  expect(factsOf('factura.anulated')?.fingerprint).toBeNull()
  expect(factsOf('factura.created', { DocumentId: null })).toBeNull()
  expect(factsOf('factura.created', { Accounting: [] })).toMatchObject({ fingerprint: null, issuedAt: null })
})

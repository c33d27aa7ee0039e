import { expect, test } from 'vitest'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import { analyse } from '#core/checks/analyse.ts'
import { anEvent, aUuid, bytesOf } from '../../../support/events.ts'

const factsOf = (kind: Kind, data: object = {}) =>
  analyse({
    method: 'POST',
    contentType: 'application/json',
    body: { bytes: bytesOf(anEvent(kind, { data: { ...data } })) },
  }).facts

test('an invoice tells its issue date, type, party, total and currency', () => {
  const Accounting = {
    IssuedAt: '2026-10-05T10:00:00-04:00',
    DocumentTypeId: 31,
    Total: 7,
    CurrencyCode: 'USD',
  }
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
  const { facts } = analyse({ method: 'POST', contentType: null, body: { bytes: bytesOf(body) } })
  expect(facts).toMatchObject({
    total: '14.00',
    documentType: 34,
    modifies: aUuid(3),
    party: 'Ana',
    issuedAt: null,
  })
})

test('only invoices, notes, expenses and answers of the tax authority have facts (readings, Reconciling: Compared)', () => {
  const told = KINDS.map(({ kind }) => kind).filter((kind) => factsOf(kind) !== null)
  expect(told).toEqual(
    KINDS.map(({ kind }) => kind).filter((kind) =>
      /^(factura|nota_credito|nota_debito|gasto|dgii)\./.test(kind),
    ),
  )
  expect(factsOf('factura.anulated')?.fingerprint).toBeNull()
  expect(factsOf('factura.created', { DocumentId: null })).toBeNull()
  expect(factsOf('factura.created', { Accounting: [] })).toMatchObject({ fingerprint: null, issuedAt: null })
})

import { describe, expect, it } from 'vitest'
import { ACCOUNTING_GROUPS, CROSS_FOOTS, SUMMED_LINE_FIELDS } from '#catalog/amounts.ts'
import { ACCOUNTING_FIELDS, DATA_FIELDS, ENVELOPE_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { GROUPS, KINDS, kindSpec } from '#catalog/kinds.ts'
import { words } from '../../support/words.ts'

/** An independent copy of the specification's tables, typed from its text, so that an error in src/catalog does not repeat here. */
const split = (names: string): string[] => names.split(', ')

const NOTE = split(
  'DocumentId, SequenceTypeId, StatusId, Number, Lines, CustomerId, SupplierId, CurrencyId, AmountDue, ModifiedReferenceId, ReferenceSecuence, ModificationCode, CustomerName, CustomerTaxId, CustomerPhone, CustomerEmail, CustomerAddress, SupplierName, SupplierTaxId, SupplierPhone, SupplierEmail, SupplierAddress, Accounting',
)
const QUOTATION = split('DocumentId, SequenceTypeId, StatusId')
const STATUS = split('DocumentId, StatusId')
const FISCAL_VOID = split('DocumentId, WasAcceptedByDGII, CreditNoteId')

/** Section "Fields of data per event", by event. */
const FIELDS_OF_DATA: Readonly<Record<string, readonly string[]>> = {
  'cotizacion.created': QUOTATION,
  'cotizacion.updated': QUOTATION,
  'factura.created': split(
    'DocumentId, SequenceTypeId, StatusId, Number, Lines, CustomerId, CurrencyId, AmountDue, PaymentTermId, LimitDate, CustomerName, CustomerTaxId, CustomerPhone, CustomerEmail, CustomerAddress, Accounting',
  ),
  'factura.updated': split('DocumentId, SequenceTypeId, StatusId, Lines, Number, Accounting'),
  'nota_credito.created': NOTE,
  'nota_credito.updated': NOTE,
  'nota_debito.created': NOTE,
  'nota_debito.updated': NOTE,
  'gasto.created': split(
    'DocumentId, SequenceSourceId, StatusId, Number, Lines, SupplierId, CurrencyId, AmountDue, PaymentTermId, LimitDate, SupplierName, SupplierTaxId, SupplierPhone, SupplierEmail, SupplierAddress, Accounting',
  ),
  'gasto.updated': split('DocumentId, SequenceSourceId, StatusId, Lines, Number, Accounting'),
  'cotizacion.anulated': ['DocumentId'],
  'nota_credito.anulated': ['DocumentId'],
  'nota_debito.anulated': ['DocumentId'],
  'factura.anulated': FISCAL_VOID,
  'gasto.anulated': FISCAL_VOID,
  'dgii.aprobado': STATUS,
  'dgii.rechazado': STATUS,
  'dgii.en_proceso': STATUS,
  'dgii.aceptado_condicional': STATUS,
  'customer.created': split('CustomerId, LegalName, TaxIdentification'),
  'customer.updated': split('CustomerId, LegalName, TaxIdentification'),
  'supplier.created': split('SupplierId, LegalName, TaxIdentification'),
  'supplier.updated': split('SupplierId, LegalName, TaxIdentification'),
  'product.created': split('ProductId, Code, Description'),
  'product.updated': split('ProductId, Code, Description'),
  'customer.deactivated': ['CustomerId'],
  'supplier.deactivated': ['SupplierId'],
  'product.deactivated': ['ProductId'],
}

const LINES = split(
  'LineId, ProductId, ProductVariantId, WarehouseId, Code, Order, Description, IsService, IsExempt, Quantity, UnitId, UnitPrice, Discount, DiscountPercentage, Recharge, NetAmount, TotalDiscount, TotalTax, TotalWithholdings, Subtotal, Taxes, Withholdings',
)

const ACCOUNTING = split(
  'DocumentTypeId, BranchId, SequenceTypeId, IssuedAt, LimitDate, PaymentTermId, CurrencyCode, CurrencyRate, TaxableAmount, ExemptAmount, TotalDiscount, DiscountPercentage, TotalTaxes, TotalWithholdings, Total, AmountDue, Freight, Tip, TratamientoItbis, TipoBienServicioComprado, AwaitsFiscalValidation',
)

/** Section "Events": name, group and the sentence under "Emitted when", in the order of the table. */
const EVENTS = `
cotizacion.created | Quotations | a quotation is created
cotizacion.updated | Quotations | a quotation is edited
cotizacion.anulated | Quotations | a quotation is voided
factura.created | Invoices | an invoice of type E31, E32, E44, E45 or E46 is created
factura.updated | Invoices | an existing invoice is modified and saved from the app; the edit-amount and edit-text operations do not fire it, they issue a new note
factura.anulated | Invoices | an invoice is voided
nota_credito.created | Credit notes | a credit note (E34) is issued, including the one that edit-amount and edit-text generate on an invoice
nota_credito.updated | Credit notes | an existing credit note is modified
nota_credito.anulated | Credit notes | a credit note is voided
nota_debito.created | Debit notes | a debit note (E33) is issued, including the one that edit-amount and edit-text generate on an expense, purchase or foreign payment
nota_debito.updated | Debit notes | an existing debit note is modified
nota_debito.anulated | Debit notes | a debit note is voided
gasto.created | Expenses | a minor expense (E43), purchase (E41) or foreign payment (E47) is registered
gasto.updated | Expenses | an existing expense is modified
gasto.anulated | Expenses | an expense is voided
dgii.aprobado | Tax authority status | the authority accepted the receipt in full (StatusId 5)
dgii.rechazado | Tax authority status | the authority rejected it (StatusId 6); the persisted reason is read with a GET on the resource
dgii.en_proceso | Tax authority status | the authority is still evaluating (StatusId 7); polling continues
dgii.aceptado_condicional | Tax authority status | accepted with observations (StatusId 8); the receiver should log it
customer.created | Contacts | a customer is registered
customer.updated | Contacts | a customer is updated
customer.deactivated | Contacts | a customer is deactivated
product.created | Catalog | a product is added
product.updated | Catalog | a product is updated
product.deactivated | Catalog | a product is deactivated
supplier.created | Contacts | a supplier is registered
supplier.updated | Contacts | a supplier is updated
supplier.deactivated | Contacts | a supplier is deactivated
`
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))

describe('Events', () => {
  it('the 28 kinds stand in the order of the table, each with its group and its sentence', () => {
    const names = new Map(GROUPS.map(({ slug, name }) => [slug, name.en]))
    expect(KINDS.map(({ kind, group, emittedWhen }) => [kind, names.get(group), emittedWhen.en])).toEqual(
      EVENTS,
    )
    expect(KINDS).toHaveLength(28)
  })
  it('there are 8 groups, in the order of the catalogue (readings, Counts to hold)', () => {
    expect(GROUPS.map(({ name }) => name.en)).toEqual([
      ...['Quotations', 'Invoices', 'Credit notes', 'Debit notes', 'Expenses'],
      ...['Tax authority status', 'Contacts', 'Catalog'],
    ])
    expect(new Set(KINDS.map(({ group }) => group))).toEqual(new Set(GROUPS.map(({ slug }) => slug)))
  })
  it('names are case-sensitive identifiers', () => {
    expect(kindSpec('factura.created')?.group).toBe('invoices')
    for (const other of ['Factura.created', 'factura.created ', '', '__proto__', 'cobro.registrado'])
      expect(kindSpec(other)).toBeUndefined()
  })
})

describe('Resources and their fields: fields of data per event', () => {
  it.each(KINDS)('$kind', ({ kind, fields }) => expect(fields).toEqual(FIELDS_OF_DATA[kind]))
  it('23 fields in the notes, 16 in factura.created (readings, Counts to hold)', () => {
    expect(kindSpec('factura.created')?.fields).toHaveLength(16)
    for (const kind of words`nota_credito.created nota_credito.updated nota_debito.created nota_debito.updated`)
      expect(kindSpec(kind)?.fields).toHaveLength(23)
  })
  it('every field of an event is explained, and no field is explained that no event has', () =>
    expect(new Set(DATA_FIELDS.keys())).toEqual(new Set<string>(KINDS.flatMap(({ fields }) => fields))))
})

it('States and transitions: each dgii.* event reports one StatusId, and no other event does', () => {
  const reported = KINDS.flatMap(({ kind, statusId }) =>
    statusId === undefined ? [] : `${statusId} ${kind}`,
  )
  expect(reported).toEqual([
    '5 dgii.aprobado',
    '6 dgii.rechazado',
    '7 dgii.en_proceso',
    '8 dgii.aceptado_condicional',
  ])
})

describe('Resources and their fields', () => {
  it('the envelope has three keys, and data is written in lower case (readings, The envelope)', () =>
    expect([...ENVELOPE_FIELDS.keys()]).toEqual(['Event', 'Timestamp', 'data']))
  it('an item of Lines has 22 fields', () => {
    expect([...LINE_FIELDS.keys()]).toEqual(LINES)
    expect(LINE_FIELDS.size).toBe(22)
  })
  it('Accounting has 21 fields', () => {
    expect([...ACCOUNTING_FIELDS.keys()]).toEqual(ACCOUNTING)
    expect(ACCOUNTING_FIELDS.size).toBe(21)
  })
  it('only DocumentId, StatusId, Lines and Accounting have a known type (readings, data per kind)', () => {
    const known = [...DATA_FIELDS.values()].filter(({ type }) => type !== 'unknown')
    expect(Object.fromEntries(known.map(({ name, type }) => [name, type]))).toEqual({
      DocumentId: 'uuid',
      StatusId: 'integer',
      Lines: 'lines',
      Accounting: 'accounting',
    })
    for (const fields of [LINE_FIELDS, ACCOUNTING_FIELDS])
      for (const { type } of fields.values()) expect(type).toBe('unknown')
  })
  it('ReferenceSecuence is spelt so (readings, data per kind)', () => {
    expect(DATA_FIELDS.has('ReferenceSecuence')).toBe(true)
    expect(DATA_FIELDS.has('ReferenceSequence')).toBe(false)
  })
})

describe('Item of Lines, and Accounting', () => {
  it('every field of Accounting stands in exactly one group of meaning', () => {
    const grouped = ACCOUNTING_GROUPS.flatMap(({ fields }) => fields)
    expect([...grouped].sort()).toEqual([...ACCOUNTING].sort())
  })
  it('what is added up and compared are fields of Lines and of Accounting', () => {
    expect(LINES).toEqual(expect.arrayContaining([...SUMMED_LINE_FIELDS]))
    for (const { total, plus = [] } of CROSS_FOOTS)
      expect(ACCOUNTING).toEqual(expect.arrayContaining([total, ...plus]))
  })
})

import { ACCOUNTING_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { type Kind, kindSpec } from '#catalog/kinds.ts'
import { amountDue, lineTotal, lineWithheld, type Totals, totalsOf } from './amounts.ts'
import { decimal, type Json, localTime } from './json.ts'
import { type Document, type Line, ON_CREDIT, PAYMENT_METHODS, type Party, type Product } from './records.ts'

type JsonObject = { readonly [name: string]: Json }
type Values<T extends readonly unknown[]> = Readonly<Record<string, (...of: T) => Json>>

/** Makes a function that fills the catalogue's fields in their order. @throws Error for a field without a value, which is a bug here */
function picker<T extends readonly unknown[]>(names: Iterable<string>, values: Values<T>) {
  const getters = [...names].map((name) => {
    const value = values[name]
    if (!value) throw new Error(`the sandbox has no value for ${name}`)
    return [name, value] as const
  })
  return (...of: T): JsonObject => Object.fromEntries(getters.map(([name, value]) => [name, value(...of)]))
}

const HUNDRED = 100

/** Net is before tax, Subtotal after tax (sandbox choice); the members of Taxes and Withholdings are sandbox choices too. */
const lineOf = picker<[Line, number]>(LINE_FIELDS.keys(), {
  LineId: (line) => line.id,
  ProductId: (line) => line.productId,
  ProductVariantId: () => null,
  WarehouseId: (line) => (line.isService ? null : 1),
  Code: (line) => line.code,
  Order: (_, order) => order,
  Description: (line) => line.description,
  IsService: (line) => line.isService,
  IsExempt: (line) => line.rate === 0,
  Quantity: (line) => decimal(line.quantity),
  UnitId: (line) => line.unit,
  UnitPrice: (line) => decimal(line.price),
  Discount: (line) => decimal(line.discount),
  DiscountPercentage: (line) => decimal(line.discountPercent),
  Recharge: (line) => decimal(line.recharge),
  NetAmount: (line) => decimal(line.net),
  TotalDiscount: (line) => decimal(line.discount),
  TotalTax: (line) => decimal(line.tax),
  TotalWithholdings: (line) => decimal(lineWithheld(line)),
  Subtotal: (line) => decimal(lineTotal(line)),
  Taxes: (line) =>
    line.rate === 0
      ? []
      : [{ Name: `ITBIS ${line.rate}%`, Rate: decimal(line.rate * HUNDRED), Amount: decimal(line.tax) }],
  Withholdings: (line) =>
    line.withholdings.map(({ name, percent, amount }) => ({
      Name: name,
      Rate: decimal(percent * HUNDRED),
      Amount: decimal(amount),
    })),
})

const accountingOf = picker<[Document, Totals]>(ACCOUNTING_FIELDS.keys(), {
  DocumentTypeId: (document) => document.type,
  BranchId: () => 1,
  SequenceTypeId: (document) => document.type,
  IssuedAt: (document) => localTime(document.issuedAt, document.offset),
  LimitDate: (document) => localTime(document.limitAt, document.offset),
  PaymentTermId: (document) => document.term,
  CurrencyCode: (document) => document.currency.code,
  CurrencyRate: (document) => decimal(document.rate, 4),
  TaxableAmount: (_, totals) => decimal(totals.taxable),
  ExemptAmount: (_, totals) => decimal(totals.exempt),
  TotalDiscount: (_, totals) => decimal(totals.discount),
  DiscountPercentage: (_, totals) => decimal(totals.discountPercent),
  TotalTaxes: (_, totals) => decimal(totals.taxes),
  TotalWithholdings: (_, totals) => decimal(totals.withholdings),
  Total: (_, totals) => decimal(totals.total),
  AmountDue: (document) => decimal(amountDue(document)),
  Freight: (document) => decimal(document.freight),
  Tip: (document) => decimal(document.tip),
  TratamientoItbis: (_, totals) => (totals.taxable === 0 && totals.exempt !== 0 ? 2 : 1),
  TipoBienServicioComprado: (document) => document.bought,
  // Constant: no event would report a change, so a sweep would find differences without an event.
  AwaitsFiscalValidation: () => false,
})

interface Parts {
  readonly document: Document
  readonly lines: readonly Json[]
  readonly accounting: Json
}

const party =
  (role: Party['role'], value: (party: Party) => Json) =>
  ({ document }: Parts) =>
    document.party.role === role ? value(document.party) : null

const DOCUMENT_VALUES: Values<[Parts]> = {
  DocumentId: ({ document }) => document.id,
  SequenceTypeId: ({ document }) => document.type,
  SequenceSourceId: ({ document }) => document.type,
  StatusId: ({ document }) => document.status,
  Number: ({ document }) => document.number,
  Lines: ({ lines }) => lines,
  CustomerId: party('customer', (one) => one.id),
  SupplierId: party('supplier', (one) => one.id),
  CurrencyId: ({ document }) => document.currency.id,
  AmountDue: ({ document }) => decimal(amountDue(document)),
  PaymentTermId: ({ document }) => document.term,
  LimitDate: ({ document }) => localTime(document.limitAt, document.offset),
  ModifiedReferenceId: ({ document }) => document.modifies?.id ?? null,
  ReferenceSecuence: ({ document }) => document.modifies?.number ?? null,
  ModificationCode: ({ document }) => document.modifies?.code ?? null,
  CustomerName: party('customer', (one) => one.name),
  CustomerTaxId: party('customer', (one) => one.taxId),
  CustomerPhone: party('customer', (one) => one.phone),
  CustomerEmail: party('customer', (one) => one.email),
  CustomerAddress: party('customer', (one) => one.address),
  SupplierName: party('supplier', (one) => one.name),
  SupplierTaxId: party('supplier', (one) => one.taxId),
  SupplierPhone: party('supplier', (one) => one.phone),
  SupplierEmail: party('supplier', (one) => one.email),
  SupplierAddress: party('supplier', (one) => one.address),
  Accounting: ({ accounting }) => accounting,
  WasAcceptedByDGII: ({ document }) => document.status === 5 || document.status === 8,
  CreditNoteId: ({ document }) => document.creditNoteId,
  IssuedAt: ({ document }) => localTime(document.issuedAt, document.offset),
  UpdatedAt: ({ document }) => localTime(document.updatedAt, document.offset),
  IsAnulated: ({ document }) => document.anulated,
}

function cached<T extends readonly unknown[]>(values: Values<T>): (kind: Kind, ...of: T) => JsonObject {
  const pickers = new Map<Kind, ReturnType<typeof picker<T>>>()
  return (kind, ...of) => {
    let pick = pickers.get(kind)
    if (!pick) {
      pick = picker(kindSpec(kind)?.fields ?? [], values)
      pickers.set(kind, pick)
    }
    return pick(...of)
  }
}

const partsByDocument = new WeakMap<Document, Parts>()

/** Computes parts lazily and once per document, since they are most of an event's cost. */
function partsOf(document: Document): Parts {
  const known = partsByDocument.get(document)
  if (known) return known
  let lines: readonly Json[] | undefined
  let accounting: Json | undefined
  const parts: Parts = {
    document,
    get lines() {
      lines ??= document.lines.map((line, at) => lineOf(line, at + 1))
      return lines
    },
    get accounting() {
      accounting ??= accountingOf(document, totalsOf(document))
      return accounting
    },
  }
  partsByDocument.set(document, parts)
  return parts
}

const documentFields = cached(DOCUMENT_VALUES)

/** `data` of an event about a document: exactly the kind's documented fields (Fields of data per event). */
export const documentData = (kind: Kind, document: Document): JsonObject =>
  documentFields(kind, partsOf(document))

export const partyData = cached<[Party]>({
  CustomerId: (one) => one.id,
  SupplierId: (one) => one.id,
  LegalName: (one) => one.name,
  TaxIdentification: (one) => one.taxId,
})
export const productData = cached<[Product]>({
  ProductId: (one) => one.id,
  Code: (one) => one.code,
  Description: (one) => one.description,
})

const syncFields = picker<[Parts]>(
  [
    'DocumentId',
    'Number',
    'StatusId',
    'IssuedAt',
    'CustomerId',
    'CustomerName',
    'SupplierId',
    'SupplierName',
    'Lines',
    'Accounting',
    'UpdatedAt',
    'IsAnulated',
  ],
  DOCUMENT_VALUES,
)

export const syncItem = (document: Document): JsonObject => syncFields(partsOf(document))

/** Treasury's additional member: the payments, and the amount due as one more entry. */
export function paymentMethods(document: Document): readonly Json[] {
  const made = document.payments.map(({ method, amount, at }) => ({
    PaymentMethodId: method,
    Name: PAYMENT_METHODS.get(method) ?? '',
    Amount: decimal(amount),
    PaidAt: localTime(at, document.offset),
  }))
  const open = { PaymentMethodId: ON_CREDIT.id, Name: ON_CREDIT.name, Amount: decimal(amountDue(document)) }
  return [...made, { ...open, PaidAt: null }]
}

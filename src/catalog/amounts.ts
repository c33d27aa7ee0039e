import { type Text, text } from './text.ts'

export interface FieldGroup {
  readonly label: Text
  readonly fields: readonly string[]
}

const group = (en: string, es: string, fields: readonly string[]): FieldGroup => ({
  label: text(en, es),
  fields,
})

/** `Accounting` by what its names mean; every one of the 21 stands in exactly one group. */
export const ACCOUNTING_GROUPS: readonly FieldGroup[] = [
  group('Document', 'Documento', ['DocumentTypeId', 'SequenceTypeId', 'BranchId']),
  group('Dates and terms', 'Fechas y condiciones', ['IssuedAt', 'LimitDate', 'PaymentTermId']),
  group('Currency', 'Moneda', ['CurrencyCode', 'CurrencyRate']),
  group('Amounts', 'Montos', ['TaxableAmount', 'ExemptAmount', 'Freight', 'Tip', 'Total', 'AmountDue']),
  group('Discounts', 'Descuentos', ['TotalDiscount', 'DiscountPercentage']),
  group('Taxes', 'Impuestos', ['TotalTaxes', 'TratamientoItbis']),
  group('Withholdings', 'Retenciones', ['TotalWithholdings']),
  group('Fiscal', 'Datos fiscales', ['TipoBienServicioComprado', 'AwaitsFiscalValidation']),
]

/** Fields of a line that are amounts or quantities of the whole line, so that a total of them says something: no ids, prices or percentages. */
export const SUMMED_LINE_FIELDS = [
  'Quantity',
  'Discount',
  'Recharge',
  'NetAmount',
  'TotalDiscount',
  'TotalTax',
  'TotalWithholdings',
  'Subtotal',
] as const
export type SummedLineField = (typeof SUMMED_LINE_FIELDS)[number]

/** A header amount and the lines' likeliest part of it. The specification gives no arithmetic: a difference is never a finding. */
export interface CrossFoot {
  readonly total: string
  /** Added up over the lines. */
  readonly field: SummedLineField
  /** Only lines whose `IsExempt` is this; absent: all. */
  readonly exempt?: boolean
  /** Of `Accounting`, added to the sum of the lines where they came. */
  readonly plus?: readonly string[]
}

export const CROSS_FOOTS: readonly CrossFoot[] = [
  { total: 'TaxableAmount', field: 'NetAmount', exempt: false },
  { total: 'ExemptAmount', field: 'NetAmount', exempt: true },
  { total: 'TotalDiscount', field: 'TotalDiscount' },
  { total: 'TotalTaxes', field: 'TotalTax' },
  { total: 'TotalWithholdings', field: 'TotalWithholdings' },
  { total: 'Total', field: 'Subtotal', plus: ['Freight', 'Tip'] },
]

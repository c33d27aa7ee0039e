import { type Text, text } from './text.ts'

export interface FieldGroup {
  readonly label: Text
  readonly fields: readonly string[]
}

const group = (en: string, es: string, fields: readonly string[]): FieldGroup => ({
  label: text(en, es),
  fields,
})

/** The 21 fields of `Accounting`, grouped by what their names suggest; each field is in exactly one group. */
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

/** Fields of a line whose sum over all lines is meaningful: amounts and quantities, not ids, prices or percentages. */
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

/** A header amount and the line field that probably sums to it. The specification gives no arithmetic: a difference is no finding. */
export interface CrossFoot {
  readonly total: string
  /** Line field to sum. */
  readonly field: SummedLineField
  /** Sum only lines whose `IsExempt` has this value; absent: all lines. */
  readonly exempt?: boolean
  /** Fields of `Accounting` to add to the sum when present. */
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

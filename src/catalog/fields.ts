import { type Text, text } from './text.ts'

/** What the specification says about a field's type ("Known type facts"). `unknown` means "not shown": no value can be wrong. */
export type TypeFact = 'uuid' | 'integer' | 'lines' | 'accounting' | 'unknown'

export interface FieldSpec {
  /** Exact spelling on the wire, `ReferenceSecuence` included. */
  readonly name: string
  readonly label: Text
  readonly type: TypeFact
  /** What the specification says beyond the name; absent where it says nothing. */
  readonly documentation?: Text
}

const field = (
  name: string,
  en: string,
  es: string,
  type: TypeFact = 'unknown',
  documentation?: readonly [en: string, es: string],
): FieldSpec => ({
  name,
  label: text(en, es),
  type,
  ...(documentation && { documentation: text(...documentation) }),
})

const table = <const T extends readonly FieldSpec[]>(fields: T): ReadonlyMap<string, FieldSpec> =>
  new Map(fields.map((f) => [f.name, f]))

/** Envelope, the same for every event (Resources and their fields, "Webhook envelope"). */
export const ENVELOPE_FIELDS: ReadonlyMap<string, FieldSpec> = table([
  field('Event', 'Event', 'Evento', 'unknown', [
    'one of the 28 event names',
    'uno de los 28 nombres de evento',
  ]),
  field('Timestamp', 'Timestamp', 'Fecha y hora', 'unknown', [
    "ISO 8601 date-time in the server's local time, with its UTC offset; not normalised to UTC",
    'fecha y hora ISO 8601 en la hora local del servidor, con su diferencia con UTC; no normalizada a UTC',
  ]),
  field('data', 'Data', 'Datos', 'unknown', [
    'content depends on the event',
    'el contenido depende del evento',
  ]),
])

/** Every field that `data` of any event may carry (Resources and their fields, "Fields of data per event"). */
export const DATA_FIELDS: ReadonlyMap<string, FieldSpec> = table([
  field('DocumentId', 'Document id', 'Id del documento', 'uuid', ['UUID string', 'cadena UUID']),
  field('SequenceTypeId', 'Sequence type', 'Tipo de secuencia'),
  field('SequenceSourceId', 'Sequence source', 'Origen de la secuencia'),
  field('StatusId', 'Status', 'Estado', 'integer', [
    "integer; in dgii.* events the tax authority's answer (5, 6, 7 or 8)",
    'entero; en los eventos dgii.* es la respuesta de la DGII (5, 6, 7 u 8)',
  ]),
  field('Number', 'Number', 'Número'),
  field('Lines', 'Lines', 'Líneas', 'lines', ['list of line items', 'lista de líneas']),
  field('CustomerId', 'Customer', 'Cliente'),
  field('SupplierId', 'Supplier', 'Suplidor'),
  field('CurrencyId', 'Currency', 'Moneda'),
  field('AmountDue', 'Amount due', 'Monto pendiente'),
  field('PaymentTermId', 'Payment term', 'Condición de pago'),
  field('LimitDate', 'Due date', 'Fecha límite'),
  field('ModifiedReferenceId', 'Modified document', 'Documento modificado'),
  field('ReferenceSecuence', 'Reference sequence', 'Secuencia de referencia'),
  field('ModificationCode', 'Modification code', 'Código de modificación'),
  field('CustomerName', 'Customer name', 'Nombre del cliente'),
  field('CustomerTaxId', 'Customer tax id', 'RNC o cédula del cliente'),
  field('CustomerPhone', 'Customer phone', 'Teléfono del cliente'),
  field('CustomerEmail', 'Customer e-mail', 'Correo del cliente'),
  field('CustomerAddress', 'Customer address', 'Dirección del cliente'),
  field('SupplierName', 'Supplier name', 'Nombre del suplidor'),
  field('SupplierTaxId', 'Supplier tax id', 'RNC o cédula del suplidor'),
  field('SupplierPhone', 'Supplier phone', 'Teléfono del suplidor'),
  field('SupplierEmail', 'Supplier e-mail', 'Correo del suplidor'),
  field('SupplierAddress', 'Supplier address', 'Dirección del suplidor'),
  field('Accounting', 'Accounting', 'Contabilidad', 'accounting', [
    'header accounting breakdown',
    'desglose contable de la cabecera',
  ]),
  field('WasAcceptedByDGII', 'Was accepted by DGII', 'Fue aceptado por la DGII'),
  field('CreditNoteId', 'Credit note', 'Nota de crédito'),
  field('LegalName', 'Legal name', 'Razón social'),
  field('TaxIdentification', 'Tax identification', 'RNC o cédula'),
  field('ProductId', 'Product', 'Producto'),
  field('Code', 'Code', 'Código'),
  field('Description', 'Description', 'Descripción'),
])

/** One item of `Lines`: 22 fields. The insides of `Taxes` and `Withholdings` are not shown. */
export const LINE_FIELDS: ReadonlyMap<string, FieldSpec> = table([
  field('LineId', 'Line', 'Línea'),
  field('ProductId', 'Product', 'Producto'),
  field('ProductVariantId', 'Product variant', 'Variante del producto'),
  field('WarehouseId', 'Warehouse', 'Almacén'),
  field('Code', 'Code', 'Código'),
  field('Order', 'Order', 'Orden'),
  field('Description', 'Description', 'Descripción'),
  field('IsService', 'Is a service', 'Es servicio'),
  field('IsExempt', 'Is exempt', 'Es exento'),
  field('Quantity', 'Quantity', 'Cantidad'),
  field('UnitId', 'Unit', 'Unidad'),
  field('UnitPrice', 'Unit price', 'Precio unitario'),
  field('Discount', 'Discount', 'Descuento'),
  field('DiscountPercentage', 'Discount %', '% de descuento'),
  field('Recharge', 'Surcharge', 'Recargo'),
  field('NetAmount', 'Net amount', 'Monto neto'),
  field('TotalDiscount', 'Total discount', 'Total de descuento'),
  field('TotalTax', 'Total tax', 'Total de impuestos'),
  field('TotalWithholdings', 'Total withholdings', 'Total de retenciones'),
  field('Subtotal', 'Subtotal', 'Subtotal'),
  field('Taxes', 'Taxes', 'Impuestos', 'unknown', [
    'item shape not shown',
    'forma de los elementos no mostrada',
  ]),
  field('Withholdings', 'Withholdings', 'Retenciones', 'unknown', [
    'item shape not shown',
    'forma de los elementos no mostrada',
  ]),
])

/** `Accounting`, the header accounting breakdown: 21 fields. */
export const ACCOUNTING_FIELDS: ReadonlyMap<string, FieldSpec> = table([
  field('DocumentTypeId', 'Document type', 'Tipo de documento'),
  field('BranchId', 'Branch', 'Sucursal'),
  field('SequenceTypeId', 'Sequence type', 'Tipo de secuencia'),
  field('IssuedAt', 'Issued at', 'Fecha de emisión'),
  field('LimitDate', 'Due date', 'Fecha límite'),
  field('PaymentTermId', 'Payment term', 'Condición de pago'),
  field('CurrencyCode', 'Currency', 'Moneda'),
  field('CurrencyRate', 'Exchange rate', 'Tasa de cambio'),
  field('TaxableAmount', 'Taxable amount', 'Monto gravado'),
  field('ExemptAmount', 'Exempt amount', 'Monto exento'),
  field('TotalDiscount', 'Total discount', 'Total de descuento'),
  field('DiscountPercentage', 'Discount %', '% de descuento'),
  field('TotalTaxes', 'Total taxes', 'Total de impuestos'),
  field('TotalWithholdings', 'Total withholdings', 'Total de retenciones'),
  field('Total', 'Total', 'Total'),
  field('AmountDue', 'Amount due', 'Monto pendiente'),
  field('Freight', 'Freight', 'Flete'),
  field('Tip', 'Tip', 'Propina'),
  field('TratamientoItbis', 'ITBIS treatment', 'Tratamiento del ITBIS'),
  field('TipoBienServicioComprado', 'Kind of goods or service bought', 'Tipo de bien o servicio comprado'),
  field('AwaitsFiscalValidation', 'Awaits fiscal validation', 'En espera de validación fiscal'),
])

/** Fields that hold list numbers, codes or booleans. Only their values may be kept for statistics: other fields may hold personal data. */
export const LISTED_VALUE_FIELDS: ReadonlySet<string> = new Set([
  'StatusId',
  'SequenceTypeId',
  'SequenceSourceId',
  'CurrencyId',
  'PaymentTermId',
  'ModificationCode',
  'WasAcceptedByDGII',
  'DocumentTypeId',
  'BranchId',
  'CurrencyCode',
  'TratamientoItbis',
  'TipoBienServicioComprado',
  'AwaitsFiscalValidation',
  'WarehouseId',
  'UnitId',
  'IsService',
  'IsExempt',
  'DiscountPercentage',
])

/** Fields with personal data, as opposed to amounts, codes and dates: exports mask their values by default. */
export const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  ...['Name', 'TaxId', 'Phone', 'Email', 'Address'].flatMap((part) => [`Customer${part}`, `Supplier${part}`]),
  'LegalName',
  'TaxIdentification',
])

import { type Text, text } from './text.ts'

/** The 8 groups, in the order of the catalogue (Events). */
export const GROUPS = [
  { slug: 'quotations', name: text('Quotations', 'Cotizaciones') },
  { slug: 'invoices', name: text('Invoices', 'Facturas') },
  { slug: 'credit', name: text('Credit notes', 'Notas de crédito') },
  { slug: 'debit', name: text('Debit notes', 'Notas de débito') },
  { slug: 'expenses', name: text('Expenses', 'Gastos') },
  { slug: 'dgii', name: text('Tax authority status', 'Estado en la DGII') },
  { slug: 'contacts', name: text('Contacts', 'Contactos') },
  { slug: 'catalog', name: text('Catalog', 'Catálogo') },
] as const
export type Group = (typeof GROUPS)[number]['slug']

/** Field lists of the table "Fields of data per event"; fields.ts says what each name means. */
const LISTS = {
  quotation: 'DocumentId SequenceTypeId StatusId',
  invoiceCreated:
    'DocumentId SequenceTypeId StatusId Number Lines CustomerId CurrencyId AmountDue PaymentTermId LimitDate CustomerName CustomerTaxId CustomerPhone CustomerEmail CustomerAddress Accounting',
  invoiceUpdated: 'DocumentId SequenceTypeId StatusId Lines Number Accounting',
  note: 'DocumentId SequenceTypeId StatusId Number Lines CustomerId SupplierId CurrencyId AmountDue ModifiedReferenceId ReferenceSecuence ModificationCode CustomerName CustomerTaxId CustomerPhone CustomerEmail CustomerAddress SupplierName SupplierTaxId SupplierPhone SupplierEmail SupplierAddress Accounting',
  expenseCreated:
    'DocumentId SequenceSourceId StatusId Number Lines SupplierId CurrencyId AmountDue PaymentTermId LimitDate SupplierName SupplierTaxId SupplierPhone SupplierEmail SupplierAddress Accounting',
  expenseUpdated: 'DocumentId SequenceSourceId StatusId Lines Number Accounting',
  voided: 'DocumentId',
  fiscalVoided: 'DocumentId WasAcceptedByDGII CreditNoteId',
  status: 'DocumentId StatusId',
  customer: 'CustomerId LegalName TaxIdentification',
  supplier: 'SupplierId LegalName TaxIdentification',
  product: 'ProductId Code Description',
  customerOff: 'CustomerId',
  supplierOff: 'SupplierId',
  productOff: 'ProductId',
} as const

interface Row<K extends string> {
  readonly kind: K
  readonly group: Group
  readonly fields: readonly string[]
  readonly emittedWhen: Text
  /** `dgii.*` only: the one StatusId that the event reports (States and transitions). */
  readonly statusId?: number
}
type Words = readonly [en: string, es: string]
const row = <const K extends string>(
  kind: K,
  group: Group,
  list: keyof typeof LISTS,
  emittedWhen: Words,
): Row<K> => ({ kind, group, fields: LISTS[list].split(' '), emittedWhen: text(...emittedWhen) })
const answer = <const K extends string>(kind: K, statusId: number, emittedWhen: Words): Row<K> => ({
  ...row(kind, 'dgii', 'status', emittedWhen),
  statusId,
})

const ROWS = [
  row('cotizacion.created', 'quotations', 'quotation', ['a quotation is created', 'se crea una cotización']),
  row('cotizacion.updated', 'quotations', 'quotation', ['a quotation is edited', 'se edita una cotización']),
  row('cotizacion.anulated', 'quotations', 'voided', ['a quotation is voided', 'se anula una cotización']),
  row('factura.created', 'invoices', 'invoiceCreated', [
    'an invoice of type E31, E32, E44, E45 or E46 is created',
    'se crea una factura de tipo E31, E32, E44, E45 o E46',
  ]),
  row('factura.updated', 'invoices', 'invoiceUpdated', [
    'an existing invoice is modified and saved from the app; the edit-amount and edit-text operations do not fire it, they issue a new note',
    'una factura existente se modifica y se guarda desde la aplicación; las operaciones edit-amount y edit-text no lo disparan, emiten una nota nueva',
  ]),
  row('factura.anulated', 'invoices', 'fiscalVoided', ['an invoice is voided', 'se anula una factura']),
  row('nota_credito.created', 'credit', 'note', [
    'a credit note (E34) is issued, including the one that edit-amount and edit-text generate on an invoice',
    'se emite una nota de crédito (E34), incluida la que generan edit-amount y edit-text sobre una factura',
  ]),
  row('nota_credito.updated', 'credit', 'note', [
    'an existing credit note is modified',
    'se modifica una nota de crédito existente',
  ]),
  row('nota_credito.anulated', 'credit', 'voided', [
    'a credit note is voided',
    'se anula una nota de crédito',
  ]),
  row('nota_debito.created', 'debit', 'note', [
    'a debit note (E33) is issued, including the one that edit-amount and edit-text generate on an expense, purchase or foreign payment',
    'se emite una nota de débito (E33), incluida la que generan edit-amount y edit-text sobre un gasto, una compra o un pago al exterior',
  ]),
  row('nota_debito.updated', 'debit', 'note', [
    'an existing debit note is modified',
    'se modifica una nota de débito existente',
  ]),
  row('nota_debito.anulated', 'debit', 'voided', ['a debit note is voided', 'se anula una nota de débito']),
  row('gasto.created', 'expenses', 'expenseCreated', [
    'a minor expense (E43), purchase (E41) or foreign payment (E47) is registered',
    'se registra un gasto menor (E43), una compra (E41) o un pago al exterior (E47)',
  ]),
  row('gasto.updated', 'expenses', 'expenseUpdated', [
    'an existing expense is modified',
    'se modifica un gasto existente',
  ]),
  row('gasto.anulated', 'expenses', 'fiscalVoided', ['an expense is voided', 'se anula un gasto']),
  answer('dgii.aprobado', 5, [
    'the authority accepted the receipt in full (StatusId 5)',
    'la DGII aceptó el comprobante por completo (StatusId 5)',
  ]),
  answer('dgii.rechazado', 6, [
    'the authority rejected it (StatusId 6); the persisted reason is read with a GET on the resource',
    'la DGII lo rechazó (StatusId 6); el motivo guardado se lee con un GET sobre el recurso',
  ]),
  answer('dgii.en_proceso', 7, [
    'the authority is still evaluating (StatusId 7); polling continues',
    'la DGII sigue evaluando (StatusId 7); la consulta continúa',
  ]),
  answer('dgii.aceptado_condicional', 8, [
    'accepted with observations (StatusId 8); the receiver should log it',
    'aceptado con observaciones (StatusId 8); el receptor debería registrarlo',
  ]),
  row('customer.created', 'contacts', 'customer', ['a customer is registered', 'se registra un cliente']),
  row('customer.updated', 'contacts', 'customer', ['a customer is updated', 'se actualiza un cliente']),
  row('customer.deactivated', 'contacts', 'customerOff', [
    'a customer is deactivated',
    'se desactiva un cliente',
  ]),
  row('product.created', 'catalog', 'product', ['a product is added', 'se agrega un producto']),
  row('product.updated', 'catalog', 'product', ['a product is updated', 'se actualiza un producto']),
  row('product.deactivated', 'catalog', 'productOff', [
    'a product is deactivated',
    'se desactiva un producto',
  ]),
  row('supplier.created', 'contacts', 'supplier', ['a supplier is registered', 'se registra un suplidor']),
  row('supplier.updated', 'contacts', 'supplier', ['a supplier is updated', 'se actualiza un suplidor']),
  row('supplier.deactivated', 'contacts', 'supplierOff', [
    'a supplier is deactivated',
    'se desactiva un suplidor',
  ]),
]

export type Kind = (typeof ROWS)[number]['kind']

export type KindSpec = Row<Kind>

/** The 28 kinds in the order of the specification's table (Events). */
export const KINDS: readonly KindSpec[] = ROWS

const BY_NAME: ReadonlyMap<string, KindSpec> = new Map(KINDS.map((k) => [k.kind, k]))

/** Looks a kind up by its exact, case-sensitive name; undefined when there is none. */
export const kindSpec = (name: string): KindSpec | undefined => BY_NAME.get(name)

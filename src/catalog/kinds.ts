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

/** Lists of the table "Fields of data per event"; the names' meanings stand in fields.ts. */
const LISTS = {
  quotation: ['DocumentId', 'SequenceTypeId', 'StatusId'],
  invoiceCreated: [
    ...[
      'DocumentId',
      'SequenceTypeId',
      'StatusId',
      'Number',
      'Lines',
      'CustomerId',
      'CurrencyId',
      'AmountDue',
    ],
    ...['PaymentTermId', 'LimitDate', 'CustomerName', 'CustomerTaxId', 'CustomerPhone', 'CustomerEmail'],
    ...['CustomerAddress', 'Accounting'],
  ],
  invoiceUpdated: ['DocumentId', 'SequenceTypeId', 'StatusId', 'Lines', 'Number', 'Accounting'],
  note: [
    ...[
      'DocumentId',
      'SequenceTypeId',
      'StatusId',
      'Number',
      'Lines',
      'CustomerId',
      'SupplierId',
      'CurrencyId',
    ],
    ...['AmountDue', 'ModifiedReferenceId', 'ReferenceSecuence', 'ModificationCode', 'CustomerName'],
    ...[
      'CustomerTaxId',
      'CustomerPhone',
      'CustomerEmail',
      'CustomerAddress',
      'SupplierName',
      'SupplierTaxId',
    ],
    ...['SupplierPhone', 'SupplierEmail', 'SupplierAddress', 'Accounting'],
  ],
  expenseCreated: [
    ...[
      'DocumentId',
      'SequenceSourceId',
      'StatusId',
      'Number',
      'Lines',
      'SupplierId',
      'CurrencyId',
      'AmountDue',
    ],
    ...['PaymentTermId', 'LimitDate', 'SupplierName', 'SupplierTaxId', 'SupplierPhone', 'SupplierEmail'],
    ...['SupplierAddress', 'Accounting'],
  ],
  expenseUpdated: ['DocumentId', 'SequenceSourceId', 'StatusId', 'Lines', 'Number', 'Accounting'],
  voided: ['DocumentId'],
  fiscalVoided: ['DocumentId', 'WasAcceptedByDGII', 'CreditNoteId'],
  status: ['DocumentId', 'StatusId'],
  customer: ['CustomerId', 'LegalName', 'TaxIdentification'],
  supplier: ['SupplierId', 'LegalName', 'TaxIdentification'],
  product: ['ProductId', 'Code', 'Description'],
  customerOff: ['CustomerId'],
  supplierOff: ['SupplierId'],
  productOff: ['ProductId'],
} as const satisfies Record<string, readonly string[]>

interface Row {
  readonly kind: string
  readonly group: Group
  readonly fields: readonly string[]
  readonly emittedWhen: Text
  /** `dgii.*` only: the one StatusId that the event reports (States and transitions). */
  readonly statusId?: 5 | 6 | 7 | 8
}

const ROWS = [
  {
    kind: 'cotizacion.created',
    group: 'quotations',
    fields: LISTS.quotation,
    emittedWhen: text('a quotation is created', 'se crea una cotización'),
  },
  {
    kind: 'cotizacion.updated',
    group: 'quotations',
    fields: LISTS.quotation,
    emittedWhen: text('a quotation is edited', 'se edita una cotización'),
  },
  {
    kind: 'cotizacion.anulated',
    group: 'quotations',
    fields: LISTS.voided,
    emittedWhen: text('a quotation is voided', 'se anula una cotización'),
  },
  {
    kind: 'factura.created',
    group: 'invoices',
    fields: LISTS.invoiceCreated,
    emittedWhen: text(
      'an invoice of type E31, E32, E44, E45 or E46 is created',
      'se crea una factura de tipo E31, E32, E44, E45 o E46',
    ),
  },
  {
    kind: 'factura.updated',
    group: 'invoices',
    fields: LISTS.invoiceUpdated,
    emittedWhen: text(
      'an existing invoice is modified and saved from the app; the edit-amount and edit-text operations do not fire it, they issue a new note',
      'una factura existente se modifica y se guarda desde la aplicación; las operaciones edit-amount y edit-text no lo disparan, emiten una nota nueva',
    ),
  },
  {
    kind: 'factura.anulated',
    group: 'invoices',
    fields: LISTS.fiscalVoided,
    emittedWhen: text('an invoice is voided', 'se anula una factura'),
  },
  {
    kind: 'nota_credito.created',
    group: 'credit',
    fields: LISTS.note,
    emittedWhen: text(
      'a credit note (E34) is issued, including the one that edit-amount and edit-text generate on an invoice',
      'se emite una nota de crédito (E34), incluida la que generan edit-amount y edit-text sobre una factura',
    ),
  },
  {
    kind: 'nota_credito.updated',
    group: 'credit',
    fields: LISTS.note,
    emittedWhen: text('an existing credit note is modified', 'se modifica una nota de crédito existente'),
  },
  {
    kind: 'nota_credito.anulated',
    group: 'credit',
    fields: LISTS.voided,
    emittedWhen: text('a credit note is voided', 'se anula una nota de crédito'),
  },
  {
    kind: 'nota_debito.created',
    group: 'debit',
    fields: LISTS.note,
    emittedWhen: text(
      'a debit note (E33) is issued, including the one that edit-amount and edit-text generate on an expense, purchase or foreign payment',
      'se emite una nota de débito (E33), incluida la que generan edit-amount y edit-text sobre un gasto, una compra o un pago al exterior',
    ),
  },
  {
    kind: 'nota_debito.updated',
    group: 'debit',
    fields: LISTS.note,
    emittedWhen: text('an existing debit note is modified', 'se modifica una nota de débito existente'),
  },
  {
    kind: 'nota_debito.anulated',
    group: 'debit',
    fields: LISTS.voided,
    emittedWhen: text('a debit note is voided', 'se anula una nota de débito'),
  },
  {
    kind: 'gasto.created',
    group: 'expenses',
    fields: LISTS.expenseCreated,
    emittedWhen: text(
      'a minor expense (E43), purchase (E41) or foreign payment (E47) is registered',
      'se registra un gasto menor (E43), una compra (E41) o un pago al exterior (E47)',
    ),
  },
  {
    kind: 'gasto.updated',
    group: 'expenses',
    fields: LISTS.expenseUpdated,
    emittedWhen: text('an existing expense is modified', 'se modifica un gasto existente'),
  },
  {
    kind: 'gasto.anulated',
    group: 'expenses',
    fields: LISTS.fiscalVoided,
    emittedWhen: text('an expense is voided', 'se anula un gasto'),
  },
  {
    kind: 'dgii.aprobado',
    group: 'dgii',
    fields: LISTS.status,
    statusId: 5,
    emittedWhen: text(
      'the authority accepted the receipt in full (StatusId 5)',
      'la DGII aceptó el comprobante por completo (StatusId 5)',
    ),
  },
  {
    kind: 'dgii.rechazado',
    group: 'dgii',
    fields: LISTS.status,
    statusId: 6,
    emittedWhen: text(
      'the authority rejected it (StatusId 6); the persisted reason is read with a GET on the resource',
      'la DGII lo rechazó (StatusId 6); el motivo guardado se lee con un GET sobre el recurso',
    ),
  },
  {
    kind: 'dgii.en_proceso',
    group: 'dgii',
    fields: LISTS.status,
    statusId: 7,
    emittedWhen: text(
      'the authority is still evaluating (StatusId 7); polling continues',
      'la DGII sigue evaluando (StatusId 7); la consulta continúa',
    ),
  },
  {
    kind: 'dgii.aceptado_condicional',
    group: 'dgii',
    fields: LISTS.status,
    statusId: 8,
    emittedWhen: text(
      'accepted with observations (StatusId 8); the receiver should log it',
      'aceptado con observaciones (StatusId 8); el receptor debería registrarlo',
    ),
  },
  {
    kind: 'customer.created',
    group: 'contacts',
    fields: LISTS.customer,
    emittedWhen: text('a customer is registered', 'se registra un cliente'),
  },
  {
    kind: 'customer.updated',
    group: 'contacts',
    fields: LISTS.customer,
    emittedWhen: text('a customer is updated', 'se actualiza un cliente'),
  },
  {
    kind: 'customer.deactivated',
    group: 'contacts',
    fields: LISTS.customerOff,
    emittedWhen: text('a customer is deactivated', 'se desactiva un cliente'),
  },
  {
    kind: 'product.created',
    group: 'catalog',
    fields: LISTS.product,
    emittedWhen: text('a product is added', 'se agrega un producto'),
  },
  {
    kind: 'product.updated',
    group: 'catalog',
    fields: LISTS.product,
    emittedWhen: text('a product is updated', 'se actualiza un producto'),
  },
  {
    kind: 'product.deactivated',
    group: 'catalog',
    fields: LISTS.productOff,
    emittedWhen: text('a product is deactivated', 'se desactiva un producto'),
  },
  {
    kind: 'supplier.created',
    group: 'contacts',
    fields: LISTS.supplier,
    emittedWhen: text('a supplier is registered', 'se registra un suplidor'),
  },
  {
    kind: 'supplier.updated',
    group: 'contacts',
    fields: LISTS.supplier,
    emittedWhen: text('a supplier is updated', 'se actualiza un suplidor'),
  },
  {
    kind: 'supplier.deactivated',
    group: 'contacts',
    fields: LISTS.supplierOff,
    emittedWhen: text('a supplier is deactivated', 'se desactiva un suplidor'),
  },
] as const satisfies readonly Row[]

export type Kind = (typeof ROWS)[number]['kind']

export interface KindSpec extends Row {
  readonly kind: Kind
}

/** The 28 kinds in the order of the specification's table (Events). */
export const KINDS: readonly KindSpec[] = ROWS

const BY_NAME: ReadonlyMap<string, KindSpec> = new Map(KINDS.map((k) => [k.kind, k]))

/** The kind of that exact name, or undefined: names are case-sensitive identifiers. */
export const kindSpec = (name: string): KindSpec | undefined => BY_NAME.get(name)

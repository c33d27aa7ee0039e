/** An independent copy of the specification's tables, written out from its text: a slip in src/catalog cannot repeat itself here. */
const split = (names: string): string[] => names.split(', ')

const NOTE = split(
  'DocumentId, SequenceTypeId, StatusId, Number, Lines, CustomerId, SupplierId, CurrencyId, AmountDue, ModifiedReferenceId, ReferenceSecuence, ModificationCode, CustomerName, CustomerTaxId, CustomerPhone, CustomerEmail, CustomerAddress, SupplierName, SupplierTaxId, SupplierPhone, SupplierEmail, SupplierAddress, Accounting',
)
const QUOTATION = split('DocumentId, SequenceTypeId, StatusId')
const STATUS = split('DocumentId, StatusId')
const FISCAL_VOID = split('DocumentId, WasAcceptedByDGII, CreditNoteId')

/** "Fields of data per event", each event by itself. */
export const FIELDS_OF_DATA: Readonly<Record<string, readonly string[]>> = {
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

export const LINES = split(
  'LineId, ProductId, ProductVariantId, WarehouseId, Code, Order, Description, IsService, IsExempt, Quantity, UnitId, UnitPrice, Discount, DiscountPercentage, Recharge, NetAmount, TotalDiscount, TotalTax, TotalWithholdings, Subtotal, Taxes, Withholdings',
)

export const ACCOUNTING = split(
  'DocumentTypeId, BranchId, SequenceTypeId, IssuedAt, LimitDate, PaymentTermId, CurrencyCode, CurrencyRate, TaxableAmount, ExemptAmount, TotalDiscount, DiscountPercentage, TotalTaxes, TotalWithholdings, Total, AmountDue, Freight, Tip, TratamientoItbis, TipoBienServicioComprado, AwaitsFiscalValidation',
)

/** "Events": name, group and the sentence under "Emitted when", in the order of the table. */
export const EVENTS: readonly (readonly [kind: string, group: string, emittedWhen: string])[] = [
  ['cotizacion.created', 'Quotations', 'a quotation is created'],
  ['cotizacion.updated', 'Quotations', 'a quotation is edited'],
  ['cotizacion.anulated', 'Quotations', 'a quotation is voided'],
  ['factura.created', 'Invoices', 'an invoice of type E31, E32, E44, E45 or E46 is created'],
  [
    'factura.updated',
    'Invoices',
    'an existing invoice is modified and saved from the app; the edit-amount and edit-text operations do not fire it, they issue a new note',
  ],
  ['factura.anulated', 'Invoices', 'an invoice is voided'],
  [
    'nota_credito.created',
    'Credit notes',
    'a credit note (E34) is issued, including the one that edit-amount and edit-text generate on an invoice',
  ],
  ['nota_credito.updated', 'Credit notes', 'an existing credit note is modified'],
  ['nota_credito.anulated', 'Credit notes', 'a credit note is voided'],
  [
    'nota_debito.created',
    'Debit notes',
    'a debit note (E33) is issued, including the one that edit-amount and edit-text generate on an expense, purchase or foreign payment',
  ],
  ['nota_debito.updated', 'Debit notes', 'an existing debit note is modified'],
  ['nota_debito.anulated', 'Debit notes', 'a debit note is voided'],
  [
    'gasto.created',
    'Expenses',
    'a minor expense (E43), purchase (E41) or foreign payment (E47) is registered',
  ],
  ['gasto.updated', 'Expenses', 'an existing expense is modified'],
  ['gasto.anulated', 'Expenses', 'an expense is voided'],
  ['dgii.aprobado', 'Tax authority status', 'the authority accepted the receipt in full (StatusId 5)'],
  [
    'dgii.rechazado',
    'Tax authority status',
    'the authority rejected it (StatusId 6); the persisted reason is read with a GET on the resource',
  ],
  [
    'dgii.en_proceso',
    'Tax authority status',
    'the authority is still evaluating (StatusId 7); polling continues',
  ],
  [
    'dgii.aceptado_condicional',
    'Tax authority status',
    'accepted with observations (StatusId 8); the receiver should log it',
  ],
  ['customer.created', 'Contacts', 'a customer is registered'],
  ['customer.updated', 'Contacts', 'a customer is updated'],
  ['customer.deactivated', 'Contacts', 'a customer is deactivated'],
  ['product.created', 'Catalog', 'a product is added'],
  ['product.updated', 'Catalog', 'a product is updated'],
  ['product.deactivated', 'Catalog', 'a product is deactivated'],
  ['supplier.created', 'Contacts', 'a supplier is registered'],
  ['supplier.updated', 'Contacts', 'a supplier is updated'],
  ['supplier.deactivated', 'Contacts', 'a supplier is deactivated'],
]

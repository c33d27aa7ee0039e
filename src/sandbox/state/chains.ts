import type { Kind } from '#catalog/kinds.ts'

/** One step: an operation, and the parameter that takes the id which the step before gave. */
export type Step = readonly [operation: string, takesIdAs?: 'id' | 'documentId']

const QUOTATION: Step = ['create-quotation']
const INVOICE: Step = ['create-invoice']
const EXPENSE: Step = ['create-expense']
const SUBMITTED: readonly Step[] = [INVOICE, ['submit', 'id']]
const CREDIT_NOTE: readonly Step[] = [INVOICE, ['create-credit-note', 'documentId']]
const DEBIT_NOTE: readonly Step[] = [EXPENSE, ['create-debit-note', 'documentId']]

/** The shortest chain of operations that ends in an event of the kind, from new documents, contacts and products on. */
export const CHAINS: Readonly<Record<Kind, readonly Step[]>> = {
  'cotizacion.created': [QUOTATION],
  'cotizacion.updated': [QUOTATION, ['edit-quotation', 'id']],
  'cotizacion.anulated': [QUOTATION, ['void-quotation', 'id']],
  'factura.created': [INVOICE],
  'factura.updated': [INVOICE, ['edit-invoice', 'id']],
  'factura.anulated': [INVOICE, ['void-invoice', 'id']],
  'nota_credito.created': CREDIT_NOTE,
  'nota_credito.updated': [...CREDIT_NOTE, ['edit-credit-note', 'id']],
  'nota_credito.anulated': [...CREDIT_NOTE, ['void-credit-note', 'id']],
  'nota_debito.created': DEBIT_NOTE,
  'nota_debito.updated': [...DEBIT_NOTE, ['edit-debit-note', 'id']],
  'nota_debito.anulated': [...DEBIT_NOTE, ['void-debit-note', 'id']],
  'gasto.created': [EXPENSE],
  'gasto.updated': [EXPENSE, ['edit-expense', 'id']],
  'gasto.anulated': [EXPENSE, ['void-expense', 'id']],
  'dgii.aprobado': [...SUBMITTED, ['approve', 'id']],
  'dgii.rechazado': [...SUBMITTED, ['reject', 'id']],
  'dgii.en_proceso': [...SUBMITTED, ['poll', 'id']],
  'dgii.aceptado_condicional': [...SUBMITTED, ['accept-conditionally', 'id']],
  'customer.created': [['create-customer']],
  'customer.updated': [['create-customer'], ['edit-customer', 'id']],
  'customer.deactivated': [['create-customer'], ['deactivate-customer', 'id']],
  'product.created': [['create-product']],
  'product.updated': [['create-product'], ['edit-product', 'id']],
  'product.deactivated': [['create-product'], ['deactivate-product', 'id']],
  'supplier.created': [['create-supplier']],
  'supplier.updated': [['create-supplier'], ['edit-supplier', 'id']],
  'supplier.deactivated': [['create-supplier'], ['deactivate-supplier', 'id']],
}

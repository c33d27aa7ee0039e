import type { Kind } from '#catalog/kinds.ts'
import { documentData } from '../domain/projection.ts'
import type { Document, Family, Status } from '../domain/records.ts'
import { codesOf, EXPENSE_WEIGHTS, INVOICE_WEIGHTS, QUOTATION, receipt } from '../domain/records.ts'
import {
  isAccepted,
  mustAwaitAnswer,
  mustBeEditable,
  mustBeSubmittable,
  mustBeVoidable,
} from '../domain/rules.ts'
import type { Change } from '../state/transactions.ts'
import { findDocument, tell } from './find.ts'
import { ISSUE_PARAMETERS, issue, LINE_PARAMETERS, pay, saveEdited } from './issue.ts'
import { voidAccepted, voidNote } from './notes.ts'
import { choice, decimal, documentId, moment, operation, uuid } from './operation.ts'

const party = (of: string) => uuid(`${of}; any fitting one when absent`).exactOptional()
const receiptType = (codes: readonly string[]) =>
  choice('type of receipt; drawn when absent', codes).exactOptional()

const drawn = (change: Change, codes: readonly string[], weights: readonly number[]): string =>
  codes[change.random.weighted(weights)] ?? codes[0] ?? ''

const INVOICES = codesOf('invoice')
const EXPENSES = codesOf('expense')

function editing(name: string, summary: string, family: Family) {
  return operation(name, summary, { id: documentId, ...LINE_PARAMETERS }, (change, args) => {
    const document = findDocument(change, args.id, [family])
    mustBeEditable(document)
    return saveEdited(change, document, args)
  })
}

function voided(change: Change, document: Document, issued: number | undefined): string {
  mustBeVoidable(document)
  if (document.family.endsWith('-note')) return voidNote(change, document)
  if (document.family === 'invoice' && isAccepted(document))
    return voidAccepted(change, document, issued ?? change.issueInstant())
  tell(change, 'anulated', { ...document, anulated: true, updatedAt: change.now })
  return document.id
}

const noteDate = moment(
  'issue date of the credit note that voiding an accepted invoice produces',
).exactOptional()

function voiding(name: string, summary: string, families: readonly Family[]) {
  return operation(name, summary, { id: documentId, issuedAt: noteDate }, (change, args) => {
    return voided(change, findDocument(change, args.id, families), args.issuedAt)
  })
}

export const DOCUMENT_OPERATIONS = [
  operation(
    'create-quotation',
    'Creates a quotation',
    { customerId: party('the customer'), ...ISSUE_PARAMETERS },
    (change, args) => issue(change, QUOTATION, args.customerId, args),
  ),
  editing('edit-quotation', 'Edits a quotation', 'quotation'),
  voiding('void-quotation', 'Voids a quotation', ['quotation']),
  operation(
    'create-invoice',
    'Creates an invoice',
    { type: receiptType(INVOICES), customerId: party('the customer'), ...ISSUE_PARAMETERS },
    (change, args) =>
      issue(change, receipt(args.type ?? drawn(change, INVOICES, INVOICE_WEIGHTS)), args.customerId, args),
  ),
  editing(
    'edit-invoice',
    'Edits an invoice that the authority has not accepted; a rejected one may then be submitted again',
    'invoice',
  ),
  voiding('void-invoice', 'Voids an invoice; an accepted one by a credit note', ['invoice']),
  operation(
    'create-expense',
    'Registers a purchase, minor expense or foreign payment',
    { type: receiptType(EXPENSES), supplierId: party('the supplier'), ...ISSUE_PARAMETERS },
    (change, args) =>
      issue(change, receipt(args.type ?? drawn(change, EXPENSES, EXPENSE_WEIGHTS)), args.supplierId, args),
  ),
  editing('edit-expense', 'Edits an expense', 'expense'),
  voiding('void-expense', 'Voids an expense', ['expense']),
  voiding('void-credit-note', 'Voids a credit note', ['credit-note']),
  voiding('void-debit-note', 'Voids a debit note', ['debit-note']),
  voiding('void', 'Voids any document', ['quotation', 'invoice', 'expense', 'credit-note', 'debit-note']),
  operation(
    'register-payment',
    'Registers a payment: it changes the amount due, without an event',
    {
      id: documentId,
      amount: decimal('amount; all that is due when absent').exactOptional(),
      method: choice('1 cash, 2 transfer, 3 card', [1, 2, 3]).exactOptional(),
    },
    (change, args) => {
      const document = findDocument(change, args.id, ['invoice', 'expense', 'credit-note', 'debit-note'])
      return pay(change, document, args.method ?? 2, args.amount)
    },
  ),
]

function answer(name: string, summary: string, kind: Kind, status: Status) {
  return operation(name, summary, { id: documentId }, (change, args) => {
    const document = findDocument(change, args.id)
    mustAwaitAnswer(document)
    const answered = { ...document, status, pending: status === 7, updatedAt: change.now }
    change.store.putDocument(answered)
    change.emit(kind, document.id, documentData(kind, answered))
    return document.id
  })
}

export const AUTHORITY_OPERATIONS = [
  operation(
    'submit',
    'Submits an invoice to the tax authority, without an event',
    { id: documentId },
    (change, args) => {
      const document = findDocument(change, args.id)
      mustBeSubmittable(document)
      change.store.putDocument({ ...document, pending: true, updatedAt: change.now })
      return document.id
    },
  ),
  answer('poll', 'The authority is still evaluating', 'dgii.en_proceso', 7),
  answer('approve', 'The authority accepts in full', 'dgii.aprobado', 5),
  answer('reject', 'The authority rejects', 'dgii.rechazado', 6),
  answer('accept-conditionally', 'The authority accepts with observations', 'dgii.aceptado_condicional', 8),
]

import { codesOf, EXPENSE_WEIGHTS, INVOICE_WEIGHTS, QUOTATION, receipt } from '../../domain/receipts.ts'
import type { Document, Family } from '../../domain/records.ts'
import { isAccepted, mustBe, mustBeEditable, mustBeVoidable } from '../../domain/rules.ts'
import type { Change } from '../change.ts'
import { findDocument, tell } from '../find.ts'
import { ISSUE_PARAMETERS, issue, pay, saveEdited } from '../issue.ts'
import { LINE_PARAMETERS } from '../lines.ts'
import { voidAccepted, voidNote } from '../notes.ts'
import { ID, ISSUED_AT, issueInstant, operation } from '../parameters.ts'

const party = (name: string, of: string) =>
  ({ name, type: 'uuid', required: false, summary: `${of}; any fitting one when absent` }) as const

const typeOf = (codes: readonly string[]) =>
  ({
    name: 'type',
    type: 'string',
    required: false,
    summary: 'type of receipt; drawn when absent',
    values: codes,
  }) as const

const drawn = (change: Change, codes: readonly string[], weights: readonly number[]): string =>
  codes[change.random.weighted(weights)] ?? codes[0] ?? ''

const INVOICES = codesOf('invoice')
const EXPENSES = codesOf('expense')

function editing(name: string, summary: string, family: Family) {
  return operation(name, summary, [ID, ...LINE_PARAMETERS], (change, args) => {
    const document = findDocument(change, args.id)
    mustBe(document, [family])
    mustBeEditable(document)
    return saveEdited(change, document, args)
  })
}

function voided(change: Change, document: Document, issuedAt: string | undefined): string {
  mustBeVoidable(document)
  if (document.family.endsWith('-note')) return voidNote(change, document)
  if (document.family === 'invoice' && isAccepted(document))
    return voidAccepted(change, document, issueInstant(change, issuedAt))
  tell(change, 'anulated', { ...document, anulated: true, updatedAt: change.now })
  return document.id
}

const NOTE_DATE = {
  ...ISSUED_AT,
  summary: 'issue date of the credit note that voiding an accepted invoice produces',
} as const

function voiding(name: string, summary: string, families: readonly Family[]) {
  return operation(name, summary, [ID, NOTE_DATE], (change, args) => {
    const document = findDocument(change, args.id)
    mustBe(document, families)
    return voided(change, document, args.issuedAt)
  })
}

export const DOCUMENT_OPERATIONS = [
  operation(
    'create-quotation',
    'Creates a quotation',
    [party('customerId', 'the customer'), ...ISSUE_PARAMETERS],
    (change, args) => issue(change, QUOTATION, args.customerId, args),
  ),
  editing('edit-quotation', 'Edits a quotation', 'quotation'),
  voiding('void-quotation', 'Voids a quotation', ['quotation']),
  operation(
    'create-invoice',
    'Creates an invoice',
    [typeOf(INVOICES), party('customerId', 'the customer'), ...ISSUE_PARAMETERS],
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
    [typeOf(EXPENSES), party('supplierId', 'the supplier'), ...ISSUE_PARAMETERS],
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
    'Registers a payment: it changes the amount due, and no event tells of it',
    [
      ID,
      { name: 'amount', type: 'decimal', required: false, summary: 'amount; all that is due when absent' },
      {
        name: 'method',
        type: 'integer',
        required: false,
        summary: '1 cash, 2 transfer, 3 card',
        values: ['1', '2', '3'],
      },
    ],
    (change, args) => {
      const document = findDocument(change, args.id)
      mustBe(document, ['invoice', 'expense', 'credit-note', 'debit-note'])
      return pay(change, document, args.method ?? 2, args.amount)
    },
  ),
]

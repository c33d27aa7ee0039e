import type { Document } from '../../domain/records.ts'
import { mustBe, mustStand, mustTakeNotes } from '../../domain/rules.ts'
import { SandboxError } from '../../world.ts'
import type { Change } from '../change.ts'
import { findDocument } from '../find.ts'
import { type Correction, drawCorrection, issueNote, saveEditedNote } from '../notes.ts'
import { ID, ISSUED_AT, issueInstant, operation } from '../parameters.ts'

const AMOUNT = {
  name: 'amount',
  type: 'decimal',
  required: false,
  summary: 'sum of the correction, tax included; drawn when absent',
} as const
const TEXT = { name: 'text', type: 'string', required: false, summary: 'the corrected text' } as const
const DOCUMENT_ID = { ...ID, name: 'documentId', summary: 'the document that it corrects' } as const

const FIXES = [
  'Corrección de la descripción',
  'Corrección del nombre del cliente',
  'Corrección de la dirección',
]

/** A credit note on an invoice, a debit note on an expense, purchase or foreign payment (Events, nota_credito.created, nota_debito.created). */
const noteFamily = (document: Document) => (document.family === 'invoice' ? 'credit-note' : 'debit-note')

function correctable(change: Change, id: string): Document {
  const document = findDocument(change, id)
  mustBe(document, ['invoice', 'expense'])
  mustTakeNotes(document)
  return document
}

function correctionOf(amount: number | undefined, text: string | undefined): Correction | undefined {
  if (amount !== undefined && text !== undefined)
    throw new SandboxError(400, 'bad-parameter', 'Either amount or text: a note corrects one of them.')
  return amount !== undefined ? { worth: amount } : text !== undefined ? { text } : undefined
}

function editing(name: string, summary: string, family: 'credit-note' | 'debit-note') {
  return operation(name, summary, [ID, AMOUNT, TEXT], (change, args) => {
    const note = findDocument(change, args.id)
    mustBe(note, [family])
    mustStand(note)
    return saveEditedNote(change, note, correctionOf(args.amount, args.text))
  })
}

export const NOTE_OPERATIONS = [
  operation(
    'edit-amount',
    'Corrects the amount of an invoice by a credit note, of an expense by a debit note; gives the note',
    [ID, AMOUNT, ISSUED_AT],
    (change, args) => {
      const document = correctable(change, args.id)
      const family = noteFamily(document)
      const correction = correctionOf(args.amount, undefined) ?? drawCorrection(change, family, document)
      return issueNote(change, family, document, correction, issueInstant(change, args.issuedAt))
    },
  ),
  operation(
    'edit-text',
    'Corrects a text of an invoice by a credit note, of an expense by a debit note; gives the note',
    [ID, TEXT, ISSUED_AT],
    (change, args) => {
      const document = correctable(change, args.id)
      const text = args.text ?? change.random.pick(FIXES)
      return issueNote(change, noteFamily(document), document, { text }, issueInstant(change, args.issuedAt))
    },
  ),
  operation(
    'create-credit-note',
    'Issues a credit note on an invoice',
    [DOCUMENT_ID, AMOUNT, ISSUED_AT],
    (change, args) => {
      const document = correctable(change, args.documentId)
      mustBe(document, ['invoice'])
      const correction =
        correctionOf(args.amount, undefined) ?? drawCorrection(change, 'credit-note', document)
      return issueNote(change, 'credit-note', document, correction, issueInstant(change, args.issuedAt))
    },
  ),
  editing('edit-credit-note', 'Edits a credit note', 'credit-note'),
  operation(
    'create-debit-note',
    'Issues a debit note on an invoice or expense',
    [DOCUMENT_ID, AMOUNT, ISSUED_AT],
    (change, args) => {
      const document = correctable(change, args.documentId)
      const correction =
        correctionOf(args.amount, undefined) ?? drawCorrection(change, 'debit-note', document)
      return issueNote(change, 'debit-note', document, correction, issueInstant(change, args.issuedAt))
    },
  ),
  editing('edit-debit-note', 'Edits a debit note', 'debit-note'),
]

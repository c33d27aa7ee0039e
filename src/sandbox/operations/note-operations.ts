import type { Document } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import { mustBe, mustStand, mustTakeNotes } from '../domain/rules.ts'
import type { Change } from '../state/transactions.ts'
import { findDocument } from './find.ts'
import { type Correction, drawCorrection, issueNote, saveEditedNote } from './notes.ts'
import { decimal, documentId, issuedAt, operation, text, uuid } from './operation.ts'

const amount = decimal('sum of the correction, tax included; drawn when absent').optional()
const textGiven = text('the corrected text').optional()
const originalId = uuid('the document that it corrects')

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

function correctionOf(amount: number | undefined, correctedText?: string): Correction | undefined {
  if (amount !== undefined && correctedText !== undefined)
    throw bad('amount-or-text', 'Either amount or text: a note corrects one of them.')
  return amount !== undefined
    ? { worth: amount }
    : correctedText === undefined
      ? undefined
      : { text: correctedText }
}

function editing(name: string, summary: string, family: 'credit-note' | 'debit-note') {
  return operation(name, summary, { id: documentId, amount, text: textGiven }, (change, args) => {
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
    { id: documentId, amount, issuedAt },
    (change, args) => {
      const document = correctable(change, args.id)
      const family = noteFamily(document)
      const correction = correctionOf(args.amount) ?? drawCorrection(change, family, document)
      return issueNote(change, family, document, correction, args.issuedAt ?? change.issueInstant())
    },
  ),
  operation(
    'edit-text',
    'Corrects a text of an invoice by a credit note, of an expense by a debit note; gives the note',
    { id: documentId, text: textGiven, issuedAt },
    (change, args) => {
      const document = correctable(change, args.id)
      const correction = { text: args.text ?? change.random.pick(FIXES) }
      return issueNote(
        change,
        noteFamily(document),
        document,
        correction,
        args.issuedAt ?? change.issueInstant(),
      )
    },
  ),
  operation(
    'create-credit-note',
    'Issues a credit note on an invoice',
    { documentId: originalId, amount, issuedAt },
    (change, args) => {
      const document = correctable(change, args.documentId)
      mustBe(document, ['invoice'])
      const correction = correctionOf(args.amount) ?? drawCorrection(change, 'credit-note', document)
      return issueNote(change, 'credit-note', document, correction, args.issuedAt ?? change.issueInstant())
    },
  ),
  editing('edit-credit-note', 'Edits a credit note', 'credit-note'),
  operation(
    'create-debit-note',
    'Issues a debit note on an invoice or expense',
    { documentId: originalId, amount, issuedAt },
    (change, args) => {
      const document = correctable(change, args.documentId)
      const correction = correctionOf(args.amount) ?? drawCorrection(change, 'debit-note', document)
      return issueNote(change, 'debit-note', document, correction, args.issuedAt ?? change.issueInstant())
    },
  ),
  editing('edit-debit-note', 'Edits a debit note', 'debit-note'),
]

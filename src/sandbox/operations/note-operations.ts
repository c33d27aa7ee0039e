import type { Document } from '../domain/records.ts'
import { bad } from '../domain/refusal.ts'
import { mustBe, mustStand, mustTakeNotes } from '../domain/rules.ts'
import type { Change } from '../state/transactions.ts'
import { findDocument } from './find.ts'
import { drawCorrection, issueNote, type NoteFamily, saveEditedNote } from './notes.ts'
import { decimal, documentId, issuedAt, operation, text, uuid } from './operation.ts'

const amount = decimal('sum of the correction, tax included; drawn when absent').exactOptional()
const textGiven = text('the corrected text').exactOptional()
const originalId = uuid('the document that it corrects')

const FIXES = [
  'Corrección de la descripción',
  'Corrección del nombre del cliente',
  'Corrección de la dirección',
]

/** A credit note on an invoice, a debit note on an expense, purchase or foreign payment (Events, nota_credito.created, nota_debito.created). */
const noteFamily = (document: Document) => (document.family === 'invoice' ? 'credit-note' : 'debit-note')

function correctable(change: Change, id: string): Document {
  const document = findDocument(change, id, ['invoice', 'expense'])
  mustTakeNotes(document)
  return document
}

function editing(name: string, summary: string, family: NoteFamily) {
  return operation(
    name,
    summary,
    { id: documentId, amount, text: textGiven },
    (change, { id, amount, text }) => {
      const note = findDocument(change, id, [family])
      mustStand(note)
      if (amount === undefined) return saveEditedNote(change, note, text === undefined ? undefined : { text })
      if (text === undefined) return saveEditedNote(change, note, { worth: amount })
      throw bad('amount-or-text', 'Either amount or text: a note corrects one of them.')
    },
  )
}

/** Issues a note of the given amount, or of a random one. */
function corrected(
  change: Change,
  document: Document,
  family: NoteFamily,
  { amount: worth, issuedAt: at = change.issueInstant() }: { amount?: number; issuedAt?: number },
): string {
  const correction = worth === undefined ? drawCorrection(change, family, document) : { worth }
  return issueNote(change, family, document, correction, at)
}

export const NOTE_OPERATIONS = [
  operation(
    'edit-amount',
    'Corrects the amount of an invoice by a credit note, of an expense by a debit note; gives the note',
    { id: documentId, amount, issuedAt },
    (change, args) => {
      const document = correctable(change, args.id)
      return corrected(change, document, noteFamily(document), args)
    },
  ),
  operation(
    'edit-text',
    'Corrects a text of an invoice by a credit note, of an expense by a debit note; gives the note',
    { id: documentId, text: textGiven, issuedAt },
    (change, args) => {
      const document = correctable(change, args.id)
      const correction = { text: args.text ?? change.random.pick(FIXES) }
      const at = args.issuedAt ?? change.issueInstant()
      return issueNote(change, noteFamily(document), document, correction, at)
    },
  ),
  operation(
    'create-credit-note',
    'Issues a credit note on an invoice',
    { documentId: originalId, amount, issuedAt },
    (change, args) => {
      const document = correctable(change, args.documentId)
      mustBe(document, ['invoice'])
      return corrected(change, document, 'credit-note', args)
    },
  ),
  editing('edit-credit-note', 'Edits a credit note', 'credit-note'),
  operation(
    'create-debit-note',
    'Issues a debit note on an invoice or expense',
    { documentId: originalId, amount, issuedAt },
    (change, args) => corrected(change, correctable(change, args.documentId), 'debit-note', args),
  ),
  editing('edit-debit-note', 'Edits a debit note', 'debit-note'),
]

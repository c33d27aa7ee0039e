import { fixedLine, linesWorth, lineTotal, lineWorth, paid, totalsOf } from '../domain/amounts.ts'
import { type Document, documentNumber, type Line, type Modification } from '../domain/records.ts'
import { bad, badAmount, refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { decimal, documentId, issuedAt, operation, text, uuid } from './operation.ts'
import { findDocument, mustBe, mustStand, mustTakeNotes, tell } from './subjects.ts'

export type Correction = { readonly worth: number } | { readonly text: string }

/** Amount that the party has paid in excess, and that the company owes back. */
const overpaid = (document: Document): number =>
  Math.min(paid(document), Math.max(0, paid(document) + document.credited - document.owed))

const creditable = (original: Document): number => totalsOf(original).lines - original.credited

const textLine = (change: Change, line: Line, text: string): Line => ({
  ...fixedLine(line, 0, 0),
  id: change.newId(),
  productId: null,
  code: 'TXT',
  description: text,
  rate: 0,
})

function firstLine(document: Document): Line {
  const [first] = document.lines
  if (!first) throw refused('no-lines', `${document.number} has no lines.`)
  return first
}

type NoteFamily = 'credit-note' | 'debit-note'

function noteLines(
  change: Change,
  family: NoteFamily,
  original: Document,
  correction: Correction,
): readonly Line[] {
  const first = firstLine(original)
  if ('text' in correction) return [textLine(change, first, correction.text)]
  const most = family === 'credit-note' ? creditable(original) : lineTotal(first) * 10
  if (correction.worth < 1 || correction.worth > most) throw badAmount((most / 100).toFixed(2))
  if (family === 'credit-note')
    return linesWorth(original.lines, original.credited, correction.worth, () => change.newId())
  const adjusted = { ...first, id: change.newId(), description: `Ajuste: ${first.description}` }
  return [lineWorth(adjusted, correction.worth)]
}

const worthOf = (note: Document): number => totalsOf(note).lines

/** Subtracts a credit note's sum from the original. Its amount due changes without an event. */
const credit = (change: Change, original: Document, by: number): Document => ({
  ...original,
  credited: original.credited + by,
  updatedAt: change.now,
})

function owedOn(note: Document, before: Document, after: Document): number {
  return note.family === 'credit-note' ? overpaid(after) - overpaid(before) : totalsOf(note).total
}

function newNote(
  change: Change,
  family: NoteFamily,
  original: Document,
  lines: readonly Line[],
  code: Modification['code'],
  issuedAt: number,
): Document {
  const type = family === 'credit-note' ? 34 : 33
  return {
    ...original,
    id: change.newId(),
    family,
    type,
    number: documentNumber(`E${type}`, change.store.nextSerial(`E${type}`)),
    status: 1,
    pending: false,
    issuedAt,
    limitAt: issuedAt + (original.limitAt - original.issuedAt),
    updatedAt: change.now,
    offset: change.offset,
    lines,
    withholding: { itbis: 0, isr: 0 },
    freight: code === 1 ? original.freight : 0,
    tip: code === 1 ? original.tip : 0,
    owed: 0,
    payments: [],
    credited: 0,
    modifies: { id: original.id, number: original.number, code },
    creditNoteId: null,
  }
}

function issueNote(
  change: Change,
  family: NoteFamily,
  original: Document,
  correction: Correction,
  issuedAt: number,
): string {
  const lines = noteLines(change, family, original, correction)
  const note = newNote(change, family, original, lines, 'text' in correction ? 2 : 3, issuedAt)
  const after = family === 'credit-note' ? credit(change, original, worthOf(note)) : original
  if (after !== original) change.store.putDocument(after)
  tell(change, 'created', { ...note, owed: owedOn(note, original, after) })
  return note.id
}

/** Voids an accepted invoice, by a note (code 1) over the amount that earlier notes left, if any. */
export function voidAccepted(change: Change, original: Document, issuedAt: number): string {
  const left = creditable(original)
  if (left + original.freight + original.tip === 0) {
    tell(change, 'anulated', { ...original, anulated: true, updatedAt: change.now })
    return original.id
  }
  const taken = linesWorth(original.lines, original.credited, left, () => change.newId())
  const lines = taken.length > 0 ? taken : [textLine(change, firstLine(original), 'Flete y propina')]
  const note = newNote(change, 'credit-note', original, lines, 1, issuedAt)
  tell(change, 'created', { ...note, owed: paid(original) - overpaid(original) })
  tell(change, 'anulated', { ...original, anulated: true, creditNoteId: note.id, updatedAt: change.now })
  return original.id
}

function originalOf(change: Change, note: Document): Document {
  const original = findDocument(change, note.modifies?.id ?? '')
  if (original.anulated)
    throw refused('voided', `${original.number}, which ${note.number} corrects, is voided.`)
  return original
}

function saveEditedNote(change: Change, note: Document, given: Correction | undefined): string {
  if (note.modifies?.code === 1)
    throw refused('voids-another', `${note.number} voids ${note.modifies.number}: that cannot be changed.`)
  const original = originalOf(change, note)
  if (note.payments.length > 0)
    throw refused('has-payments', `${note.number} has payments: it cannot be edited.`)
  const isCredit = note.family === 'credit-note'
  const without = isCredit ? credit(change, original, -worthOf(note)) : original
  const correction = given ?? drawn(change, note, without)
  const lines = noteLines(change, isCredit ? 'credit-note' : 'debit-note', without, correction)
  const code = 'text' in correction ? 2 : 3
  const modifies = { id: original.id, number: original.number, code } as const
  const edited: Document = { ...note, lines, modifies, updatedAt: change.now }
  const after = isCredit ? credit(change, without, worthOf(edited)) : original
  if (isCredit) change.store.putDocument(after)
  tell(change, 'updated', { ...edited, owed: owedOn(edited, without, after) })
  return note.id
}

function drawn(change: Change, note: Document, original: Document): Correction {
  if (note.modifies?.code === 2) return { text: `${firstLine(note).description} (corregido)`.slice(-1000) }
  return drawCorrection(change, note.family === 'credit-note' ? 'credit-note' : 'debit-note', original)
}

export function voidNote(change: Change, note: Document): string {
  if (note.family === 'credit-note') {
    const original = change.store.document(note.modifies?.id ?? '')
    if (original && !original.anulated) change.store.putDocument(credit(change, original, -worthOf(note)))
  }
  tell(change, 'anulated', { ...note, anulated: true, updatedAt: change.now })
  return note.id
}

/** Draws the amount of a correction without one: 5 to 40 % of the greatest, as most real corrections are partial. */
function drawCorrection(change: Change, family: NoteFamily, original: Document): Correction {
  const most = family === 'credit-note' ? creditable(original) : lineTotal(firstLine(original))
  if (most < 1) throw refused('nothing-left', 'That document has nothing left to correct.')
  return { worth: Math.max(1, Math.floor((most * change.random.int(5, 40)) / 100)) }
}

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

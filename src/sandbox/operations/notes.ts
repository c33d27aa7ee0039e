import { fixedLine, linesWorth, lineTotal, lineWorth, paid, totalsOf } from '../domain/amounts.ts'
import type { Document, Line, Modification } from '../domain/records.ts'
import { documentNumber } from '../domain/records.ts'
import { badAmount, refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'
import { findDocument, tell } from './find.ts'

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

export type NoteFamily = 'credit-note' | 'debit-note'

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

export function issueNote(
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

export function saveEditedNote(change: Change, note: Document, given: Correction | undefined): string {
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
export function drawCorrection(change: Change, family: NoteFamily, original: Document): Correction {
  const most = family === 'credit-note' ? creditable(original) : lineTotal(firstLine(original))
  if (most < 1) throw refused('nothing-left', 'That document has nothing left to correct.')
  return { worth: Math.max(1, Math.floor((most * change.random.int(5, 40)) / 100)) }
}

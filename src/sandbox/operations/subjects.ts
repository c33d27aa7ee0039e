import type { PartyClass } from '../data/parties.ts'
import { documentData } from '../domain/projection.ts'
import {
  CASH,
  type Document,
  type Family,
  type Party,
  type PartyRole,
  type Product,
} from '../domain/records.ts'
import { notFound, type Refusal, refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'

const missing = (what: string, id: string): Refusal => notFound(`There is no ${what} ${id}.`)

/** @throws Refusal (404 for an unknown id, 409 for another family) */
export function findDocument(change: Change, id: string, families?: readonly Family[]): Document {
  const document = change.store.document(id)
  if (!document) throw missing('document', id)
  if (families) mustBe(document, families)
  return document
}

/** @throws Refusal (404 for an unknown id or the other role, 409 for a deactivated party) */
export function activeParty(change: Change, role: PartyRole, id: string): Party {
  const party = change.store.party(id)
  if (party?.role !== role) throw missing(role, id)
  if (!party.active) throw refused('inactive', `${party.name} is deactivated.`)
  return party
}

/** @throws Refusal (404 for an unknown id, 409 for a deactivated product) */
export function activeProduct(change: Change, id: string): Product {
  const product = change.store.product(id)
  if (!product) throw missing('product', id)
  if (!product.active) throw refused('inactive', `Product ${product.code} is deactivated.`)
  return product
}

/** Draws an active party of one of these classes. */
export function anyParty({ store, random }: Change, role: PartyRole, classes: readonly PartyClass[]): Party {
  const party = store.anyParty(role, classes, random)
  if (party) return party
  throw refused('no-party', `There is no active ${role} (${classes.join(' or ')}): create one first.`)
}

export function anyProduct({ store, random }: Change): Product {
  const product = store.anyProduct(random)
  if (product) return product
  throw refused('no-product', 'There is no active product: create one first.')
}

const PREFIXES = {
  quotation: 'cotizacion',
  invoice: 'factura',
  'credit-note': 'nota_credito',
  'debit-note': 'nota_debito',
  expense: 'gasto',
} as const satisfies Record<Family, string>

export function tell(change: Change, what: 'created' | 'updated' | 'anulated', document: Document): void {
  change.store.putDocument(document)
  const kind = `${PREFIXES[document.family]}.${what}` as const
  change.emit(kind, document.id, documentData(kind, document))
}

const FAMILY: Readonly<Record<Family, string>> = {
  quotation: 'a quotation',
  invoice: 'an invoice',
  'credit-note': 'a credit note',
  'debit-note': 'a debit note',
  expense: 'an expense',
}

export function mustBe(document: Document, families: readonly Family[]): void {
  if (families.includes(document.family)) return
  const wanted = families.map((family) => FAMILY[family]).join(' or ')
  throw refused('wrong-family', `${document.number} is ${FAMILY[document.family]}; this takes ${wanted}.`)
}

export function mustStand(document: Document): void {
  if (document.anulated) throw refused('voided', `${document.number} is voided and cannot be changed.`)
}

export const isAccepted = (document: Document): boolean => document.status === 5 || document.status === 8

const mustNotBePending = (document: Document): void => {
  if (document.pending)
    throw refused('pending', `${document.number} lies with the tax authority: wait for its answer.`)
}

/** An edit needs a document that the authority has not accepted, without notes, and without payments unless its term is cash. */
export function mustBeEditable(document: Document): void {
  mustStand(document)
  mustNotBePending(document)
  const { number } = document
  if (isAccepted(document))
    throw refused(
      'accepted',
      `${number} was accepted by the tax authority: correct it with edit-amount or edit-text.`,
    )
  if (document.credited > 0) throw refused('has-notes', `${number} has credit notes: void them first.`)
  if (document.payments.length > 0 && document.term !== CASH)
    throw refused('has-payments', `${number} has payments: correct it with edit-amount or edit-text.`)
}

/** A note needs a document that is neither voided, rejected nor pending at the authority. */
export function mustTakeNotes(document: Document): void {
  mustStand(document)
  mustNotBePending(document)
  if (document.status === 6)
    throw refused(
      'rejected',
      `${document.number} was rejected by the tax authority: edit it and submit it again.`,
    )
}

export function mustBeVoidable(document: Document): void {
  mustStand(document)
  mustNotBePending(document)
  if (document.modifies?.code === 1)
    throw refused(
      'voids-another',
      `${document.number} voids ${document.modifies.number}: this cannot be undone.`,
    )
  if (document.family.endsWith('-note') && document.payments.length > 0)
    throw refused('has-payments', `${document.number} has payments: it cannot be voided.`)
  if (document.family === 'invoice' && !isAccepted(document) && document.credited > 0)
    throw refused('has-notes', `${document.number} has credit notes: void them first.`)
}

export function mustBeSubmittable(document: Document): void {
  mustBe(document, ['invoice'])
  mustStand(document)
  mustNotBePending(document)
  if (isAccepted(document)) throw refused('accepted', `${document.number} was accepted already.`)
  if (document.status === 6)
    throw refused('rejected', `${document.number} was rejected: edit it before it is submitted again.`)
}

/** An answer of the authority needs a submitted invoice without a final answer. */
export function mustAwaitAnswer(document: Document): void {
  mustBe(document, ['invoice'])
  mustStand(document)
  if (!document.pending)
    throw refused('not-submitted', `${document.number} does not lie with the tax authority: submit it first.`)
}

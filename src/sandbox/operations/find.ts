import type { PartyClass } from '../data/parties.ts'
import { documentData } from '../domain/projection.ts'
import type { Document, Family, Party, PartyRole, Product } from '../domain/records.ts'
import { notFound, type Refusal, refused } from '../domain/refusal.ts'
import { mustBe } from '../domain/rules.ts'
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

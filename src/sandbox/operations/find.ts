import type { Kind } from '#catalog/kinds.ts'
import type { PartyClass } from '../data/parties.ts'
import { documentData } from '../domain/projection.ts'
import type { Document, Family, Party, PartyRole, Product } from '../domain/records.ts'
import { Refusal, refused } from '../domain/refusal.ts'
import type { Change } from '../state/transactions.ts'

const missing = (what: string, id: string): Refusal =>
  new Refusal(404, 'not-found', `There is no ${what} ${id}.`)

/** @throws Refusal (404) */
export function findDocument(change: Change, id: string): Document {
  const document = change.store.document(id)
  if (!document) throw missing('document', id)
  return document
}

/** @throws Refusal (404, also when it has the other role) */
export function findParty(change: Change, role: PartyRole, id: string): Party {
  const party = change.store.party(id)
  if (party?.role !== role) throw missing(role, id)
  return party
}

/** @throws Refusal (404) */
export function findProduct(change: Change, id: string): Product {
  const product = change.store.product(id)
  if (!product) throw missing('product', id)
  return product
}

/** The active party named, or any that such a receipt is written for. */
export function activeParty(
  change: Change,
  role: PartyRole,
  classes: readonly PartyClass[],
  id: string | undefined,
): Party {
  const party =
    id === undefined ? change.store.anyParty(role, classes, change.random) : findParty(change, role, id)
  if (!party)
    throw refused('no-party', `There is no active ${role} (${classes.join(' or ')}): create one first.`)
  if (!party.active) throw refused('inactive', `${party.name} is deactivated.`)
  return party
}

export function activeProduct(change: Change, id: string | undefined): Product {
  const product = id === undefined ? change.store.anyProduct(change.random) : findProduct(change, id)
  if (!product) throw refused('no-product', 'There is no active product: create one first.')
  if (!product.active) throw refused('inactive', `Product ${product.code} is deactivated.`)
  return product
}

const KINDS: Readonly<Record<Family, { created: Kind; updated: Kind; anulated: Kind }>> = {
  quotation: {
    created: 'cotizacion.created',
    updated: 'cotizacion.updated',
    anulated: 'cotizacion.anulated',
  },
  invoice: { created: 'factura.created', updated: 'factura.updated', anulated: 'factura.anulated' },
  'credit-note': {
    created: 'nota_credito.created',
    updated: 'nota_credito.updated',
    anulated: 'nota_credito.anulated',
  },
  'debit-note': {
    created: 'nota_debito.created',
    updated: 'nota_debito.updated',
    anulated: 'nota_debito.anulated',
  },
  expense: { created: 'gasto.created', updated: 'gasto.updated', anulated: 'gasto.anulated' },
}

export function tell(change: Change, what: 'created' | 'updated' | 'anulated', document: Document): void {
  change.store.putDocument(document)
  const kind = KINDS[document.family][what]
  change.emit(kind, document.id, documentData(kind, document))
}

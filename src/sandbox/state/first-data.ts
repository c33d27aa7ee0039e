import { createParty, type PartyClass } from '../data/parties.ts'
import { FIRST_PRODUCTS } from '../data/products.ts'
import type { PartyRole } from '../domain/records.ts'
import type { Change } from './change.ts'

/** Enough of each class that every type of receipt finds somebody. */
const PARTIES: readonly (readonly [PartyRole, PartyClass, number])[] = [
  ['customer', 'company', 12],
  ['customer', 'person', 12],
  ['customer', 'government', 3],
  ['customer', 'free-zone', 2],
  ['customer', 'foreign', 3],
  ['supplier', 'company', 8],
  ['supplier', 'person', 5],
  ['supplier', 'foreign', 4],
]

/** What a new workspace holds before its first operation: contacts and products, of which no event tells. */
export function putFirstData(change: Change): void {
  for (const [role, kind, count] of PARTIES)
    for (let made = 0; made < count; made++) {
      const party = createParty(change.random, kind)
      change.store.putParty({ ...party, id: change.newId(), role, class: kind, active: true })
    }
  for (const product of FIRST_PRODUCTS)
    change.store.putProduct({ ...product, id: change.newId(), active: true })
}

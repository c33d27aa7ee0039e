import { FINGERPRINT_FIELDS, likeness } from '#core/reconcile/fingerprint.ts'
import type { Statements } from '../sql/connection.ts'
import type { Agreement } from './agrees.ts'
import type { Scope } from './captured-side.ts'
import { pairedFingerprints } from './comparing-sql.ts'

/** A field in which every document differs, and one of these documents. */
export interface SharedField {
  readonly field: string
  readonly documents: number
  readonly item: number
  readonly delivery: number
}

/** In fewer documents it may as well be that each of them was updated. */
const LEAST_DOCUMENTS = 10
/** Items that are looked at first: where one of them agrees in a field, not every document differs in it. */
const SAMPLE = 64

/**
 * Fields in which every document differs that has a value on both sides, which is a difference of representation or meaning (readings,
 * accounting-sync). They must be at least ten, and half of the documents compared.
 */
export function sharedFields(
  statements: Statements,
  first: number,
  last: number,
  scope: Scope,
  agreement: Agreement,
): readonly SharedField[] {
  const highest = statements
    .get('SELECT max(id) AS id FROM sweep_item WHERE id BETWEEN ? AND ?')
    .get(first, last)
  if (typeof highest?.id !== 'number') return []
  const step = (highest.id - first) / SAMPLE
  const sampled = Array.from({ length: SAMPLE + 1 }, (_, nth) => Math.round(first + nth * step))
  const few = counted(`i.id IN (${sampled.map(() => '?').join(', ')})`, sampled, FINGERPRINT_FIELDS)
  const suspects = few.fields.filter(({ field }) => !agreement.excluded.has(field)).map(({ field }) => field)
  if (suspects.length === 0) return []
  const { fields, compared } = counted('i.id BETWEEN ? AND ?', [first, last], suspects)
  return fields.filter(({ documents }) => documents >= LEAST_DOCUMENTS && documents * 2 >= compared)

  /** Of the fields named, those that differ wherever two values that are not null stand. */
  function counted(ids: string, values: readonly number[], names: readonly string[]) {
    const { sql, params } = pairedFingerprints(ids, scope)
    const open = new Map<number, SharedField>()
    const agreed = new Set<number>()
    const slots = names.map((name) => FINGERPRINT_FIELDS.indexOf(name))
    let compared = 0
    for (const { id, ours, theirs, delivery } of statements.get(sql).iterate(...params, ...values)) {
      if (!(ours instanceof Uint8Array) || !(theirs instanceof Uint8Array)) continue
      compared += 1
      for (const slot of slots) {
        if (agreed.has(slot)) continue
        const one = likeness(ours, theirs, slot, agreement.zone)
        if (one === 'alike') agreed.add(slot)
        else if (one === 'unlike') {
          const known = open.get(slot) ?? { item: Number(id), delivery: Number(delivery), documents: 0 }
          open.set(slot, { ...known, field: FINGERPRINT_FIELDS[slot] ?? '', documents: known.documents + 1 })
        }
      }
    }
    return { compared, fields: [...open].flatMap(([slot, field]) => (agreed.has(slot) ? [] : [field])) }
  }
}

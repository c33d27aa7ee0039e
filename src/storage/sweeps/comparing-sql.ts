import type { DatabaseSync } from 'node:sqlite'
import { FINGERPRINT_FIELDS, likeness, PART_AT } from '#core/reconcile/fingerprint.ts'
import { STEP } from '../analyst/documents.ts'
import { oneOf, raw, type Sql, type Statements, sql } from '../sql/connection.ts'
import { type Scope, type Span, scopeSql } from './captured-side.ts'
import { firstItem, inSweep } from './items.ts'

/** Byte ranges of a fingerprint that cover all fields except the excluded ones; adjacent fields are merged. */
function stretches(excluded: ReadonlySet<string>) {
  const found: { readonly from: number; length: number }[] = []
  for (const [slot, name] of FINGERPRINT_FIELDS.entries()) {
    if (excluded.has(name)) continue
    const [from = 0, to = 0] = [PART_AT[slot], PART_AT[slot + 1]]
    const last = found.at(-1)
    if (last && last.from + last.length === from) last.length += to - from
    else found.push({ from, length: to - from })
  }
  return found
}

/**
 * Items of a sweep that are not plainly matched, to be judged one by one. It skips an item only when no rule could find
 * anything. When fingerprints are not equal bytes, `agrees` decides: it ignores a field that one side lacks, and dates may be less exact.
 */
export function doubtfulItems(sweep: number, scope: Scope, excluded: ReadonlySet<string>): Sql {
  const among = scopeSql(scope)
  const own = sql`FROM analysis b CROSS JOIN document_event f ON f.delivery_id = b.delivery_id
    WHERE b.document_key = i.key AND ${raw(among.text.replaceAll('e.', 'f.'), among.values)}`
  const counted = stretches(excluded).map(({ from, length }) => ({
    bytes: `${from + 1}, ${length}`,
    none: `x'${'00'.repeat(length)}'`,
  }))
  const equal = counted.map(
    ({ bytes }) => `substr(e.fingerprint, ${bytes}) = substr(i.fingerprint, ${bytes})`,
  )
  const anyValue = counted.map(({ bytes, none }) => `substr(i.fingerprint, ${bytes}) <> ${none}`)
  const all = (parts: readonly string[]) => raw(parts.length > 0 ? `(${parts.join(' AND ')})` : 'TRUE')
  const any = (parts: readonly string[]) => raw(parts.length > 0 ? `(${parts.join(' OR ')})` : 'FALSE')
  const latestAgrees = sql`(SELECT agrees(f.fingerprint, i.fingerprint) ${own} AND f.fingerprint IS NOT NULL
    ORDER BY f.instant DESC, f.delivery_id DESC LIMIT 1)`
  // Rarely needed conditions are subqueries, which run only when the conditions before them do not decide.
  return sql`SELECT i.* FROM (SELECT i.id AS id FROM sweep_item i LEFT JOIN analysis a ON a.document_key = i.key
      LEFT JOIN document_event e ON e.delivery_id = a.delivery_id AND ${among}
      WHERE ${inSweep('i.id', sweep)} GROUP BY i.id HAVING NOT (
        count(CASE WHEN e.step = ${STEP.created} THEN 1 END) > 0
        AND (i.voided IS NULL OR i.voided = (count(CASE WHEN e.step = ${STEP.anulated} THEN 1 END) > 0))
        AND (i.status_id IS NULL OR i.status_id NOT BETWEEN 5 AND 8 OR count(CASE WHEN e.step = i.status_id THEN 1 END) > 0
          OR NOT EXISTS (SELECT 1 ${own} AND (f.step > 4 OR f.kind GLOB 'factura.*')))
        AND ((count(e.fingerprint) > 0 AND ${any(anyValue)}
            AND count(e.fingerprint) = count(CASE WHEN e.fingerprint IS NOT NULL AND (e.fingerprint = i.fingerprint OR ${all(equal)}) THEN 1 END))
          OR coalesce(${latestAgrees}, 0))
      )) doubtful CROSS JOIN sweep_item i ON i.id = doubtful.id`
}

/** Items with their fingerprint (`theirs`), and the latest captured one (`ours`) with its delivery. @param ids condition on `i.id` */
export const pairedFingerprints = (ids: Sql, scope: Scope): Sql =>
  sql`SELECT p.id AS id, p.theirs AS theirs, p.delivery AS delivery, e.fingerprint AS ours FROM (
      SELECT i.id AS id, i.fingerprint AS theirs, (SELECT e.delivery_id FROM analysis a CROSS JOIN document_event e ON e.delivery_id = a.delivery_id
        WHERE a.document_key IN (SELECT i.key UNION ALL SELECT l.document_key FROM temp.link l WHERE l.item = i.id)
        AND ${scopeSql(scope)} AND e.fingerprint IS NOT NULL ORDER BY e.instant DESC, e.delivery_id DESC LIMIT 1) AS delivery
      FROM sweep_item i WHERE i.fingerprint IS NOT NULL AND ${ids}
    ) p JOIN document_event e ON e.delivery_id = p.delivery`

/** Captured documents in a range of issue dates (or of instants, without a date) that the sweep does not list. */
export function unlistedDocuments(sweep: number, { from, to }: Span, linked: boolean): Sql {
  const also = linked
    ? sql`AND NOT EXISTS (SELECT 1 FROM temp.link l WHERE l.document_key = e.document_key AND ${inSweep('l.item', sweep)})`
    : sql``
  return sql`SELECT DISTINCT e.document_key AS key FROM document_event e
    WHERE coalesce(e.issued_at, e.instant) BETWEEN ${from} AND ${to}
    AND NOT EXISTS (SELECT 1 FROM sweep_item i WHERE i.key = e.document_key AND ${inSweep('i.id', sweep)}) ${also}`
}

export interface Agreement {
  readonly excluded: ReadonlySet<string>
  /** IANA time zone of dates without an offset. */
  readonly zone: string
}

/** Registers the SQL function `agrees(a, b)`: two fingerprints share a field that counts, and differ in none. @returns its configuration */
export function provideAgrees(db: DatabaseSync): (agreement: Agreement) => void {
  let counted: readonly number[] = []
  let zone = 'UTC'
  db.function('agrees', { deterministic: false, directOnly: true }, (a, b) => {
    if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return 0
    let agrees = 0
    for (const slot of counted) {
      const one = likeness(a, b, slot, zone)
      if (one === 'unlike') return 0
      if (one !== 'none') agrees = 1
    }
    return agrees
  })
  return (agreement) => {
    zone = agreement.zone
    counted = FINGERPRINT_FIELDS.flatMap((name, slot) => (agreement.excluded.has(name) ? [] : [slot]))
  }
}

/** A field in which every document differs, and an example. */
export interface SharedField {
  readonly field: string
  readonly documents: number
  readonly item: number
  readonly delivery: number
}

/** With fewer documents, each one may simply have been updated. */
const LEAST_DOCUMENTS = 10
/** Items to try first: if one of them agrees in a field, not every document differs in it. */
const SAMPLE = 64

/** Fields in which all documents with both values differ: a difference of representation or meaning (readings, accounting-sync). */
export function sharedFields(statements: Statements, sweep: number, scope: Scope, agreement: Agreement) {
  const highest = statements.value`SELECT max(id) FROM sweep_item WHERE ${inSweep('id', sweep)}`
  if (typeof highest !== 'number') return []
  const first = firstItem(sweep)
  const step = (highest - first) / SAMPLE
  const sampled = Array.from({ length: SAMPLE + 1 }, (_, nth) => Math.round(first + nth * step))
  const few = counted(sql`i.id IN ${oneOf(sampled)}`, FINGERPRINT_FIELDS)
  const suspects = few.fields.filter(({ field }) => !agreement.excluded.has(field)).map(({ field }) => field)
  if (suspects.length === 0) return []
  const { fields, compared } = counted(inSweep('i.id', sweep), suspects)
  return fields.filter(({ documents }) => documents >= LEAST_DOCUMENTS && documents * 2 >= compared)

  /** The named fields that differ in every pair with two values. */
  function counted(ids: Sql, names: readonly string[]) {
    const open = new Map<number, SharedField>()
    const agreed = new Set<number>()
    const slots = names.map((name) => FINGERPRINT_FIELDS.indexOf(name))
    let compared = 0
    for (const { id, ours, theirs, delivery } of statements.each`${pairedFingerprints(ids, scope)}`) {
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

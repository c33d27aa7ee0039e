import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { PART_BYTES } from '#core/reconcile/fingerprint.ts'
import { STEP } from '../analyst/document-events.ts'
import type { Scope } from './captured-side.ts'
import { scopeSql } from './captured-side.ts'

interface Query {
  readonly sql: string
  readonly params: readonly (string | number)[]
}

const EVENTS =
  'analysis a ON a.document_key = i.key LEFT JOIN document_event e ON e.delivery_id = a.delivery_id'

/** Equality of two fingerprints in all but the ignored fields. */
function alike(a: string, b: string, ignored: ReadonlySet<string>): string {
  const parts: string[] = []
  let from = 0
  const names = [...ACCOUNTING_FIELDS.keys()]
  for (let slot = 0; slot <= names.length; slot++) {
    const name = names[slot]
    if (name !== undefined && !ignored.has(name)) continue
    if (slot > from) {
      const span = `${from * PART_BYTES + 1}, ${(slot - from) * PART_BYTES}`
      parts.push(`substr(${a}, ${span}) = substr(${b}, ${span})`)
    }
    from = slot + 1
  }
  return parts.length > 0 ? `(${parts.join(' AND ')})` : 'TRUE'
}

/**
 * Items of a sweep that are not plainly matched, with their events grouped: each of these is then judged. An item is passed over only
 * where no rule could find anything: it was created, a voided one voided, a status of the tax authority told, and the latest projection
 * has no other value (`unlike` decides for those that are not equal byte for byte, since a field that one side lacks says nothing).
 */
export function doubtfulItems(
  first: number,
  last: number,
  scope: Scope,
  ignored: ReadonlySet<string>,
): Query {
  const { sql, params } = scopeSql(scope)
  const own = `FROM analysis b CROSS JOIN document_event f ON f.delivery_id = b.delivery_id
    WHERE b.document_key = i.key AND ${sql.replaceAll('e.', 'f.')}`
  const equal = `(e.fingerprint = i.fingerprint OR ${alike('e.fingerprint', 'i.fingerprint', ignored)})`
  const unlikeLatest = `(SELECT unlike(f.fingerprint, i.fingerprint) ${own} AND f.fingerprint IS NOT NULL
    ORDER BY f.instant DESC, f.delivery_id DESC LIMIT 1)`
  // What is rarely asked for stands in subqueries, which run only where the conditions before them leave it open.
  return {
    sql: `SELECT i.* FROM (SELECT i.id AS id FROM sweep_item i LEFT JOIN ${EVENTS} AND ${sql}
      WHERE i.id BETWEEN ? AND ? GROUP BY i.id HAVING NOT (
        count(CASE WHEN e.step = ${STEP.created} THEN 1 END) > 0
        AND (i.voided IS NOT 1 OR count(CASE WHEN e.step = ${STEP.anulated} THEN 1 END) > 0)
        AND (i.status_id IS NULL OR i.status_id NOT BETWEEN 5 AND 8 OR count(CASE WHEN e.step = i.status_id THEN 1 END) > 0
          OR NOT EXISTS (SELECT 1 ${own} AND (f.step > 4 OR f.kind GLOB 'factura.*')))
        AND (i.fingerprint IS NULL OR count(e.fingerprint) = count(CASE WHEN ${equal} THEN 1 END) OR NOT ${unlikeLatest})
      )) doubtful CROSS JOIN sweep_item i ON i.id = doubtful.id`,
    params: [...params, first, last, ...params, ...params],
  }
}

/** Documents heard of in a range of issue dates (or of instants, where no date was told) that the sweep does not list. */
export function unlistedDocuments(
  first: number,
  last: number,
  range: { readonly from: number; readonly to: number },
  linked: boolean,
): Query {
  const also = linked
    ? 'AND NOT EXISTS (SELECT 1 FROM temp.link l WHERE l.document_key = e.document_key AND l.item BETWEEN ? AND ?)'
    : ''
  return {
    sql: `SELECT DISTINCT e.document_key AS key FROM document_event e
      WHERE coalesce(e.issued_at, e.instant) BETWEEN ? AND ?
      AND NOT EXISTS (SELECT 1 FROM sweep_item i WHERE i.key = e.document_key AND i.id BETWEEN ? AND ?) ${also}`,
    params: [range.from, range.to, first, last, ...(linked ? [first, last] : [])],
  }
}

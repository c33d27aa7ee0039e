import { MATCHES_TEXT } from '../sql/columns.ts'
import type { Selection } from './selection.ts'

const INNER = 'analysis a JOIN delivery d ON d.id = a.delivery_id'

/*
 * The same ids from fewer tables: an index alone then answers, where each member would be looked up in tables that are hundreds of
 * megabytes large. It holds only while analysis and the text index know of every deletion.
 */

/** For whatever needs nothing but ids. */
export function lean(selection: Selection): Selection {
  return selection.from === INNER && selection.where === MATCHES_TEXT
    ? { ...selection, from: 'search', id: 'search.rowid', where: 'search MATCH ?' }
    : withoutDelivery(selection)
}

/** For whatever needs nothing but ids and what analysis says. */
export function withoutDelivery(selection: Selection): Selection {
  if (selection.from !== INNER) return selection
  // Joined by these two.
  const where = selection.where.replaceAll('d.id ', 'a.delivery_id ')
  return /\bd\./.test(where) ? selection : { ...selection, from: 'analysis a', where }
}

/** Bounds the look-ups of text in a condition to some ids: without that each of them gathers the whole of what the index has. */
export function boundedText(where: string, low: number, high: number): string {
  const bounds = `rowid BETWEEN ${low} AND ${high}`
  return where.replace(
    /IN \(SELECT rowid FROM search WHERE search MATCH \?\)/g,
    (found) => `${found.slice(0, -1)} AND ${bounds})`,
  )
}

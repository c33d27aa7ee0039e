import { type Place, placeFinder } from '#core/json/place.ts'
import { type JsonReason, scanJson } from '#core/json/scan.ts'
import { codeOf, OBJECT } from '#core/json/tree.ts'

/** What can be said of the data of an event before it is published (Endpoints, plugins/events: an optional object). */
export type DataCheck =
  | { readonly is: 'none' }
  | { readonly is: 'object'; readonly bytes: number }
  | { readonly is: 'no-object'; readonly place: Place }
  | {
      readonly is: 'no-json'
      readonly reason: JsonReason
      readonly place: Place
      /** The character that cannot stand there; empty at the end. */
      readonly found: string
    }

/** Reads data as it stands in the editor, by the scanner that the host refuses by. Nothing but white space: no data. */
export function checkData(text: string): DataCheck {
  if (text.trim() === '') return { is: 'none' }
  const scanned = scanJson(text)
  if ('problem' in scanned) {
    const at = scanned.offset
    const point = text.codePointAt(at)
    return {
      ...{ is: 'no-json', reason: scanned.problem, place: placeFinder(text)(at) },
      found: point === undefined ? '' : String.fromCodePoint(point),
    }
  }
  if (codeOf(scanned, 0) !== OBJECT)
    return { is: 'no-object', place: placeFinder(text)(text.length - text.trimStart().length) }
  return { is: 'object', bytes: new TextEncoder().encode(text).length }
}

import type { Finding, Verdict } from '#contract/delivery.ts'
import { analyse } from '#core/checks/analyse.ts'
import { type Place, placeFinder } from '#core/json/place.ts'
import { type JsonReason, scanJson } from '#core/json/scan.ts'

/** What is known of a body before it is sent: it cannot be (no JSON), or what the checks would say of it. */
export type BodyCheck =
  | {
      readonly json: false
      readonly reason: JsonReason | 'surrogate' | 'long'
      readonly place: Place
      readonly found: string
    }
  | {
      readonly json: true
      readonly verdict: Verdict
      readonly findings: readonly Finding[]
      readonly count: number
      /** `Event` as written; null when there is none. */
      readonly event: string | null
    }

/** Of a body that is sent as written, in UTF-16 units. */
export const LONGEST_BODY = 524_288

/** Reads a body as it stands in the editor, by the same scanner and the same checks that judge a delivery. */
export function checkBody(text: string): BodyCheck {
  const refused = (reason: 'surrogate' | 'long', at: number): BodyCheck => ({
    ...{ json: false, reason, place: placeFinder(text)(at), found: '' },
  })
  if (text.length > LONGEST_BODY) return refused('long', LONGEST_BODY)
  const half = /\p{Cs}/u.exec(text)
  if (half) return refused('surrogate', half.index)
  const scanned = scanJson(text)
  if ('problem' in scanned) {
    const at = scanned.problem === 'empty' ? 0 : scanned.offset
    const point = text.codePointAt(at)
    return {
      json: false,
      reason: scanned.problem,
      place: placeFinder(text)(at),
      found: point === undefined ? '' : String.fromCodePoint(point),
    }
  }
  const { verdict, findings, findingCount, event } = analyse({
    method: 'POST',
    contentType: 'application/json',
    body: { bytes: new TextEncoder().encode(text) },
  })
  return { json: true, verdict, findings, count: findingCount, event }
}

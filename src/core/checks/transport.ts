import { DELIVERY_METHODS } from '#catalog/service.ts'
import type { Findings } from './findings.ts'
import { shorten } from './shorten.ts'

/** Method other than GET, PUT, POST: a warning. Methods are case-sensitive (RFC 9110, 9.1). */
export function checkMethod(method: string, findings: Findings): void {
  if (DELIVERY_METHODS.some((documented) => documented === method)) return
  findings.delivery('method-not-documented', {
    found: shorten(method),
    expected: DELIVERY_METHODS.join(', '),
  })
}

const JSON_TYPE = /^\s*[\w!#$&^.+-]{1,100}\/(?:json|[\w!#$&^.-]{1,100}\+json)\s*(?:;|$)/i
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * A Content-Type that is not JSON's, or names another charset than UTF-8, disagrees with the body promised: a note. No Content-Type says
 * nothing and so disagrees with nothing.
 */
export function checkContentType(contentType: string | null, findings: Findings): void {
  if (contentType === null) return
  // The common values, without a regular expression.
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return
  const value = contentType.slice(0, 1_000)
  const charset = CHARSET.exec(value)?.[1]
  if (JSON_TYPE.test(value) && (charset === undefined || /^utf-?8$/i.test(charset))) return
  findings.delivery('content-type', { found: shorten(contentType) })
}

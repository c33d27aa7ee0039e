import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Connection } from '#contract/connection.ts'
import { headerOf } from '#contract/headers.ts'
import type { Answer } from '#core/replay/ports.ts'
import { parseAddress } from './address.ts'

export type Reached = Pick<Connection, 'baseUrl' | 'timeouts' | 'acceptAnyCertificate'>

/** Headers of a request for JSON, as a flat list. @param own credential and further headers of the route */
export function requestHeaders(url: string, ...own: readonly string[]): readonly string[] {
  const parsed = parseAddress(url)
  const host = 'address' in parsed ? parsed.address.authority : ''
  const usual = ['Accept', 'application/json', 'Accept-Encoding', 'identity', 'User-Agent', 'Acuse']
  return ['Host', host, ...own, ...usual]
}

/** Maximum decoded bytes of an answer. */
const DECODED_AT_MOST = 100 * 1024 * 1024

/** Body without its Content-Encoding; null when decoding fails. We request none, but gateways may add one. */
export function decodedBody(answer: Answer): Uint8Array | null {
  const coding = headerOf(answer.headers, 'content-encoding')?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return answer.body
  try {
    return DECODERS.get(coding)?.(answer.body, { maxOutputLength: DECODED_AT_MOST }) ?? null
  } catch {
    return null
  }
}

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** Beginning of an answer's body as text. @param credential masked, in case the service returns it */
export function bodyText(answer: Answer, credential: string, most: number): string {
  const bytes = decodedBody(answer) ?? answer.body
  // Masks before the cut, so that no part of a credential remains at the end.
  const beginning = Buffer.from(bytes.subarray(0, most * 4 + credential.length * 3)).toString('latin1')
  const clean = Buffer.from(covered(beginning, credential), 'latin1')
  return new TextDecoder().decode(clean).slice(0, most).toWellFormed()
}

/** Masks a credential, also in its JSON and URL encodings. @param text bytes as Latin-1 */
export function covered(text: string, credential: string): string {
  if (credential === '') return text
  const plain = [credential, JSON.stringify(credential).slice(1, -1), encodeURIComponent(credential)]
  const spellings = [...plain, ...plain.map((one) => Buffer.from(one).toString('latin1'))]
  return [...new Set(spellings)].reduce((clean, spelling) => clean.replaceAll(spelling, '***'), text)
}

/** Shortens a text to one line for a message. */
export function shortLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > 300 ? `${line.slice(0, 300).toWellFormed()}…` : line
}
export const quoted = (text: string): string =>
  shortLine(text) === '' ? 'an empty body' : `"${shortLine(text)}"`

/** Delay that the service requests, milliseconds (RFC 9110, Retry-After: seconds or a date); null when absent or unreadable. */
export function retryAfter(answer: Answer, now: number): number | null {
  const value = headerOf(answer.headers, 'retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000
  const at = /^[A-Za-z]{3,9},? /.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

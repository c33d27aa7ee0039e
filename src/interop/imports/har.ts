import { badRecord } from '#contract/errors.ts'
import { microsOf } from '../records.ts'
import { entriesOf } from './pieces.ts'
import { type Found, fromRecord, fromRequest, type ImportedDelivery, type ImportFile } from './record.ts'

type Json = Readonly<Record<string, unknown>>
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : [])
const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Header bytes as Latin-1: browsers write headers as Unicode text. */
const latin1 = (text: string): string =>
  /^[\0-\u{ff}]*$/u.test(text) ? text : Buffer.from(text).toString('latin1')

/** HTTP/2 has pseudo-headers instead of a request line; and Chromium joins headers of one name by line feeds. */
const headersOf = (value: unknown): string[] =>
  listOf(value).flatMap(({ name, value: content }) => {
    const plain = textOf(name)
    if (plain === '' || plain.startsWith(':') || plain.includes('\n')) return []
    return textOf(content)
      .split('\n')
      .flatMap((one) => [latin1(plain), latin1(one)])
  })

function contentOf({ text, encoding, _encoding, params }: Json): Uint8Array {
  if (typeof text === 'string')
    return Buffer.from(text, (encoding ?? _encoding) === 'base64' ? 'base64' : 'utf8')
  const pairs = listOf(params).map(({ name, value }): [string, string] => [textOf(name), textOf(value)])
  return Buffer.from(new URLSearchParams(pairs).toString())
}

function targetOf(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^(?:https?|wss?):$/.test(url.protocol)) return null
  // As written, not normalised: everything after the host.
  const [, target = '/'] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text) ?? []
  return target.startsWith('/') ? target : `/${target}`
}

function found(place: string, entry: Json, file: ImportFile): Found {
  const request = objectOf(entry.request)
  const body = contentOf(objectOf(request.postData))
  const ours = objectOf(entry._acuse)
  if (typeof ours.receivedAt === 'string')
    return fromRecord(place, ours, file, ours.bodyState === 'left-out' ? undefined : body)
  const method = textOf(request.method)
  if (!/^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(method))
    return { place, reason: badRecord('wrong', { path: 'request.method' }) }
  const url = targetOf(textOf(request.url))
  if (url === null) return { place, reason: badRecord('url', { path: 'request.url' }) }
  const at = microsOf(textOf(entry.startedDateTime))
  if (at === null) return { place, reason: badRecord('time', { path: 'startedDateTime' }) }
  const httpVersion = textOf(request.httpVersion).replace(/^(?:http\/?|h)/i, '') || '1.1'
  const made = fromRequest(
    { method, url: url.toWellFormed(), httpVersion, headers: headersOf(request.headers), body },
    file,
    at,
  )
  return { place, imported: { ...made, ...answerOf(entry, made) } }
}

function answerOf(entry: Json, { delivery }: ImportedDelivery): Partial<ImportedDelivery> {
  const response = objectOf(entry.response)
  const status = numberOf(response.status)
  if (!Number.isInteger(status) || status < 100 || status > 999) return {}
  const answer = { status, headers: headersOf(response.headers), body: contentOf(objectOf(response.content)) }
  const tookUs = Math.round(numberOf(entry.time) * 1_000)
  return { delivery: { ...delivery, answer }, tookUs: tookUs >= 0 && tookUs < 1e12 ? tookUs : null }
}

/** Reads HTTP Archives of Acuse, browsers and proxies. */
export async function* readHar(file: ImportFile): AsyncGenerator<Found> {
  const entries = entriesOf(file.pieces())
  for (let number = 1; ; number++) {
    const next = await entries.next()
    const place = `entry ${number}`
    if (next.done) {
      if (next.value === 'none') yield { place: 'file', reason: badRecord('no-har') }
      if (next.value === 'cut') yield { place, reason: badRecord('cut') }
      return
    }
    if (next.value === null) yield { place, reason: badRecord('too-large') }
    else
      try {
        yield found(place, objectOf(JSON.parse(Buffer.from(next.value).toString())), file)
      } catch {
        yield { place, reason: badRecord('not-json') }
      }
  }
}

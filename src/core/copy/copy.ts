import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { shownValue } from '#contract/headers.ts'
import { MASKED, MOST_COPIED_BODY } from '#contract/values.ts'
import type { Deliveries } from '../ports.ts'

export interface Copied {
  readonly detail: DeliveryDetail
  readonly body: Uint8Array | null
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @returns the bytes as UTF-8 text; null when they contain NUL or are not valid UTF-8 */
export function exactText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return btoa(parts.join(''))
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  // Ten times as fast as `Uint8Array.from`, which exports notice.
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

const shown = (one: Header) => [one.name, shownValue(one)]

/** One line of JSON; a body that is not text is in base64. */
export function jsonOf({ detail, body }: Copied): string {
  const text = body && exactText(body)
  return JSON.stringify({
    id: detail.id,
    receivedAt: new Date(detail.receivedAt / 1_000).toISOString(),
    endpoint: detail.endpoint,
    method: detail.method,
    url: detail.url,
    event: detail.event,
    documentId: detail.documentId,
    number: detail.number,
    statusId: detail.statusId,
    timestamp: detail.timestamp,
    verdict: detail.verdict,
    marks: detail.marks,
    rejected: detail.rejected,
    malformed: detail.malformed,
    answer: detail.answer,
    tookUs: detail.tookUs,
    size: detail.size,
    headers: detail.headers.map(shown),
    ...(detail.trailers.length > 0 ? { trailers: detail.trailers.map(shown) } : {}),
    ...(body === null
      ? { body: null, bodyLeftOut: `${detail.size} bytes are too many for a copy` }
      : text === null
        ? { bodyBase64: base64Of(body) }
        : { body: text }),
  })
}

/** Linux limits one argument of a program to 128 KiB; text that the shell itself prints has no such limit. */
const MOST_ARGUMENT = 100_000
/** Placeholder for a masked secret. */
const SECRET = 'YOUR-SECRET'
/** Headers of the connection, which curl sets itself. */
const OWN: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'proxy-connection',
])
/** Headers that curl adds unless told not to. */
const BY_ITSELF = ['User-Agent', 'Accept', 'Content-Type', 'Expect'] as const

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Quotes a header as a word for a UTF-8 shell. @param latin1 the header's bytes as Latin-1 */
function word(latin1: string): string {
  const bytes = Uint8Array.from(latin1, (char) => char.charCodeAt(0))
  const text = exactText(bytes)
  if (text !== null) return quoted(text)
  const escaped = Array.from(bytes, (byte) =>
    byte > 0x20 && byte < 0x7f && !'\\%"$`'.includes(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  )
  return `"$(printf '%b' ${quoted(escaped.join('').replaceAll(/\\([0-7]{3})/g, '\\0$1'))})"`
}

function headerWord({ name, value, masked }: Header): string {
  const sent = masked ? SECRET : value
  // curl removes a header given as `Name:` and sends an empty one given as `Name;`.
  return `--header ${sent === '' ? word(`${name};`) : word(`${name}: ${sent}`)}`
}

function targetOf(masked: string, base: string): string[] {
  const url = masked.replaceAll(MASKED, SECRET)
  // Sends the target as it arrived: no globbing, path normalisation or encoding.
  const plain = /^\/[\x21\x22\x24-\x7e]*$/.test(url)
  if (plain) return ['--globoff', '--path-as-is', `--url ${quoted(base + url)}`]
  return ['--globoff', `--request-target ${word(url)}`, `--url ${quoted(`${base}/`)}`]
}

/**
 * Builds a POSIX shell command that sends a delivery again, byte for byte; curl sets Host and the framing headers itself. Returns a shell
 * comment with the reason when that is impossible.
 * @param base origin to send to, without a path; null: the host named in the delivery
 */
export function curlOf({ detail, body }: Copied, base: string | null): string {
  const { id, headers, malformed, method } = detail
  if (malformed === 'unparseable' || malformed === 'connect')
    return `# Delivery ${id} is not a request that curl can send: ${malformed === 'connect' ? 'it asks for a tunnel (CONNECT)' : 'it was not HTTP'}.`
  if (body === null)
    return `# Delivery ${id}: its body of ${detail.size} bytes is too long to be copied. "acuse show ${id} --json" prints all of it.`
  const named = headers.find(({ name }) => name.toLowerCase() === 'host')?.value
  const sent = headers.filter(({ name }) => !OWN.has(name.toLowerCase()))
  const has = (name: string) => sent.some((one) => one.name.toLowerCase() === name.toLowerCase())
  const text = exactText(body)
  const piped = body.length > 0 && (text === null || body.length > MOST_ARGUMENT)
  const words = [
    method === 'HEAD' ? '--head' : `--request ${quoted(method)}`,
    ...(detail.httpVersion === '1.0' ? ['--http1.0'] : []),
    ...targetOf(detail.url, base ?? `http://${named ?? 'localhost'}`),
    ...sent.map(headerWord),
    ...BY_ITSELF.filter((name) => !has(name)).map((name) => `--header '${name}:'`),
    ...(piped ? ['--data-binary @-'] : body.length > 0 ? [`--data-raw ${quoted(text ?? '')}`] : []),
  ]
  const line = `curl ${words.join(' \\\n  ')}`
  const notes = [
    ...(sent.some(({ masked }) => masked) || detail.url.search(MASKED) >= 0
      ? [`# A secret is masked: put it in the place of ${SECRET}.`]
      : []),
    ...(malformed === null
      ? []
      : [`# Delivery ${id} did not come whole (${malformed}): this sends the part that arrived.`]),
    ...(detail.trailers.length > 0 ? ['# Its trailers are left out: curl cannot send them.'] : []),
  ]
  if (!piped) return [...notes, line].join('\n')
  if (text !== null) return [...notes, `printf '%s' ${quoted(text)} | ${line}`].join('\n')
  const binary = '# The body is no text: it stands in base64 here, and goes out as it came.'
  return [...notes, binary, `printf '%s' '${base64Of(body)}' | base64 -d | ${line}`].join('\n')
}

const MOST_TEXT = 2_000_000

/** Copies deliveries in the order of the ids, up to the size limit of an answer. @param deliveries masked @param all unmasked */
export async function copyDeliveries(
  deliveries: Deliveries,
  all: Deliveries,
  mask: (detail: DeliveryDetail) => DeliveryDetail,
  { ids, as, base, reveal }: Params<'deliveries.copy'>,
): Promise<Result<'deliveries.copy'>> {
  const texts: string[] = []
  let length = 0
  let taken = 0
  let tooLong = 0
  for (const id of ids) {
    if (length > MOST_TEXT) break
    taken += 1
    const detail = await deliveries.get(id)
    if (!detail) continue
    const copied = {
      detail: reveal ? detail : mask(detail),
      body: await bodyOf(reveal ? all : deliveries, detail),
    }
    if (copied.body === null) tooLong += 1
    const text = as === 'json' ? jsonOf(copied) : curlOf(copied, base ?? null)
    texts.push(text)
    length += text.length
  }
  return { texts, taken, tooLong }
}

async function bodyOf(deliveries: Deliveries, { id, size }: DeliveryDetail): Promise<Uint8Array | null> {
  if (size > MOST_COPIED_BODY) return null
  const slice = await deliveries.body(id, 'raw', 0, MOST_COPIED_BODY)
  return slice ? bytesOf(slice.bytesBase64) : new Uint8Array()
}

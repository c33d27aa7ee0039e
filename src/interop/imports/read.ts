import { createTarDecoder } from 'modern-tar'
import { badRecord } from '#contract/errors.ts'
import type { IMPORT_FORMATS } from '#contract/transfer.ts'
import { decodeText } from '#core/json/decode.ts'
import { scanJson } from '#core/json/scan.ts'
import { RECORD_KEY } from '../formats/raw.ts'
import { microsOf } from '../records.ts'
import { asUtf8, beginning, entriesOf, lines, MOST_RECORD, MOST_UNPACKED, unpacked } from './pieces.ts'
import { type Found, fromRecord, fromRequest, type ImportedDelivery, type ImportFile } from './record.ts'
import { headEnd, looksRaw, requestsIn } from './requests.ts'

/** One file of an archive. Those that Acuse wrote have a record beside the request. */
function* member(
  name: string,
  bytes: Buffer,
  pax: Readonly<Record<string, string>>,
  file: ImportFile,
  at: number,
) {
  const written = pax[RECORD_KEY]
  if (!written?.startsWith('{')) {
    yield* requestsIn(name, bytes, file, at)
    return
  }
  try {
    const record: unknown = JSON.parse(written)
    const { malformed = null, headers = [], bodyState = '' } = Object(record)
    const headless = malformed !== null && Array.isArray(headers) && headers.length === 0
    const from = headless ? 0 : headEnd(bytes)
    if (from < 0) yield { place: name, reason: badRecord('no-head-end') }
    else yield fromRecord(name, record, file, bodyState === 'left-out' ? undefined : bytes.subarray(from))
  } catch {
    yield { place: name, reason: badRecord('record-not-json') }
  }
}

async function feed(
  pieces: AsyncIterable<Uint8Array>,
  into: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  try {
    for await (const piece of pieces) await into.write(piece)
    await into.close()
  } catch {
    // The decoder reports the damage to its reader.
  }
}

/** Reads a tar archive of requests. */
async function* readTar(file: ImportFile): AsyncGenerator<Found> {
  const { readable, writable } = createTarDecoder()
  const entries = readable.getReader()
  const fed = feed(file.pieces(), writable.getWriter())
  let count = 0
  try {
    for (;;) {
      const { done, value } = await entries.read()
      if (done) break
      const { header, body } = value
      if (header.type !== 'file' || header.size > MOST_RECORD) {
        await body.cancel()
        if (header.size > MOST_RECORD) yield { place: header.name, reason: badRecord('too-large') }
        continue
      }
      count += 1
      const bytes = Buffer.from(await new Response(body).arrayBuffer())
      const at = microsOf(header.mtime?.toISOString() ?? '') ?? file.at
      yield* member(header.name, bytes, header.pax ?? {}, file, at)
    }
  } catch {
    yield { place: `after file ${count}`, reason: badRecord('archive-damaged') }
  } finally {
    await entries.cancel().catch(() => undefined)
    await fed
  }
}

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

const isBase64 = ({ encoding, _encoding }: Json): boolean => (encoding ?? _encoding) === 'base64'

function contentOf(content: Json): Uint8Array {
  const { text, params } = content
  if (typeof text === 'string') return Buffer.from(text, isBase64(content) ? 'base64' : 'utf8')
  const pairs = listOf(params).map(({ name, value }): [string, string] => [textOf(name), textOf(value)])
  return Buffer.from(new URLSearchParams(pairs).toString())
}

/** A HAR holds bodies decoded, but for bytes that proxies write as base64: a coding that is removed must not be stated. */
const plainOf = (headers: readonly string[]): string[] =>
  headers.filter((_, i) => headers[i - (i % 2)]?.toLowerCase() !== 'content-encoding')

function targetOf(text: string): string | null {
  const url = URL.parse(text)
  if (!url || !/^(?:https?|wss?):$/.test(url.protocol)) return null
  // As written, not normalised: everything after the host.
  const [, target = '/'] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text) ?? []
  return target.startsWith('/') ? target : `/${target}`
}

function found(place: string, entry: Json, file: ImportFile): Found {
  const request = objectOf(entry.request)
  const posted = objectOf(request.postData)
  const body = contentOf(posted)
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
  const stated = headersOf(request.headers)
  const headers = isBase64(posted) ? stated : plainOf(stated)
  const made = fromRequest({ method, url: url.toWellFormed(), httpVersion, headers, body }, file, at)
  return { place, imported: { ...made, ...answerOf(entry, made) } }
}

function answerOf(entry: Json, { delivery }: ImportedDelivery): Partial<ImportedDelivery> {
  const response = objectOf(entry.response)
  const status = numberOf(response.status)
  if (!Number.isInteger(status) || status < 100 || status > 999) return {}
  const headers = plainOf(headersOf(response.headers))
  const answer = { status, headers, body: contentOf(objectOf(response.content)) }
  const tookUs = Math.round(numberOf(entry.time) * 1_000)
  return { delivery: { ...delivery, answer }, tookUs: tookUs >= 0 && tookUs < 1e12 ? tookUs : null }
}

/** Reads HTTP Archives of Acuse, browsers and proxies. */
async function* readHar(file: ImportFile): AsyncGenerator<Found> {
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

export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** An archive without files is two empty blocks. */
const isTar = (head: Buffer): boolean =>
  head.toString('latin1', 257, 262) === 'ustar' || (head.length >= 1_024 && head.every((byte) => byte === 0))

/** Recognises a file by its content, and by its name where several formats fit. */
async function formatOf(file: ImportFile): Promise<ImportFormat> {
  const head = await beginning(file.pieces())
  if (head.toString('latin1', 0, 16) === 'SQLite format 3\0') return 'session'
  if (isTar(head)) return 'raw'
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  if (/\.(?:ndjson|jsonl)$/i.test(file.name)) return 'ndjson'
  if (/\.har$/i.test(file.name) || /^\s*\{\s*"log"\s*:/.test(text)) return 'har'
  if (looksRaw(text)) return 'raw'
  const [first = ''] = text.split('\n', 1)
  return /"receivedAt"/.test(first) && !('problem' in scanJson(first)) ? 'ndjson' : 'json'
}

async function* readNdjson(file: ImportFile): AsyncGenerator<Found> {
  let number = 0
  for await (const line of lines(file.pieces())) {
    number += 1
    const place = `line ${number}`
    if (line === null) {
      yield { place, reason: badRecord('too-large') }
      continue
    }
    const text = line
      .toString()
      .replace(/^\ufeff/, '')
      .trim()
    if (text === '') continue
    try {
      yield fromRecord(place, JSON.parse(text), file)
    } catch {
      yield { place, reason: badRecord('not-json') }
    }
  }
}

async function whole(file: ImportFile): Promise<Buffer | null> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const piece of file.pieces()) {
    size += piece.length
    if (size > MOST_RECORD) return null
    parts.push(Uint8Array.from(piece))
  }
  return Buffer.concat(parts)
}

const MARK = Buffer.from('\ufeff')
const TOO_LARGE = { place: 'file', reason: badRecord('too-large') }

/** A file with one body, as if a sender had posted it. */
async function* readBody(file: ImportFile): AsyncGenerator<Found> {
  const body = await whole(file)
  if (body === null) {
    yield TOO_LARGE
    return
  }
  const decoded = decodeText(body)
  if (!('text' in decoded) || 'problem' in scanJson(decoded.text)) {
    yield { place: 'file', reason: badRecord('no-format') }
    return
  }
  const headers = ['Content-Type', 'application/json']
  const request = { method: 'POST', url: '/', httpVersion: '1.1', headers, body }
  yield { place: 'file', imported: fromRequest(request, file, file.at) }
}

async function* readRaw(file: ImportFile): AsyncGenerator<Found> {
  const head = await beginning(file.pieces())
  if (isTar(head)) {
    yield* readTar(file)
    return
  }
  const bytes = await whole(file)
  if (bytes === null) yield TOO_LARGE
  // Editors write a byte-order mark in front of the request line.
  else yield* requestsIn(null, bytes.subarray(MARK.compare(bytes, 0, 3) === 0 ? 3 : 0), file)
}

/** Readers of all formats but `session`, which SQLite reads by its path. They report what they cannot read and go on. */
const READERS: Readonly<
  Record<Exclude<ImportFormat, 'session'>, (file: ImportFile) => AsyncGenerator<Found>>
> = {
  ndjson: readNdjson,
  har: readHar,
  raw: readRaw,
  json: readBody,
}

const startsWith = (head: Buffer, ...bytes: readonly number[]) => bytes.every((byte, at) => head[at] === byte)

/**
 * Recognises a file, also one that is packed by gzip or written in UTF-16, such as by a shell of Windows.
 * @param most bytes that it may unpack to
 * @returns what it holds; null for a session, which is read by its path
 */
export async function opened(file: ImportFile, most = MOST_UNPACKED) {
  let damage: Found | undefined
  const packed = startsWith(await beginning(file.pieces()), 0x1f, 0x8b)
  async function* pieces() {
    let size = 0
    try {
      for await (const piece of unpacked(file.pieces(), most)) {
        size += piece.length
        yield piece
      }
    } catch (error) {
      const why = error instanceof RangeError ? 'too-large' : 'archive-damaged'
      damage = { place: `after unpacked byte ${size}`, reason: badRecord(why) }
    }
  }
  const plain = packed ? { ...file, name: file.name.replace(/\.gz$/i, ''), pieces } : file
  const head = await beginning(plain.pieces())
  const wide = startsWith(head, 0xff, 0xfe) ? 'utf-16le' : startsWith(head, 0xfe, 0xff) ? 'utf-16be' : null
  const text = wide ? { ...plain, pieces: () => asUtf8(plain.pieces(), wide) } : plain
  const format = await formatOf(text)
  if (format === 'session' && !packed) return { format, found: null }
  async function* found(): AsyncGenerator<Found> {
    if (format === 'session') yield { place: 'file', reason: badRecord('packed-session') }
    else yield* READERS[format](text)
    if (damage) yield damage
  }
  return { format, found: found() }
}

import { createTarDecoder } from 'modern-tar'
import { badRecord, type Refusal } from '#contract/errors.ts'
import { RECORD_KEY } from '../formats/raw.ts'
import { microsOf } from '../records.ts'
import { MOST_RECORD } from './pieces.ts'
import { type Found, fromRecord, fromRequest, type ImportFile, type Request } from './record.ts'

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,100}) (\S+(?: \S+)*) HTTP\/(\d(?:\.\d)?)$/

export const looksRaw = (text: string): boolean => REQUEST_LINE.test(text.split(/\r?\n/, 1)[0] ?? '')

/** Place after the empty line that ends a head; -1 without one. */
function headEnd(bytes: Buffer): number {
  const crlf = bytes.indexOf('\r\n\r\n')
  const lf = bytes.indexOf('\n\n')
  if (crlf >= 0 && (lf < 0 || crlf < lf)) return crlf + 4
  return lf < 0 ? -1 : lf + 2
}

function headersIn(lines: readonly string[]): string[] | Refusal {
  const headers: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && headers.length > 0) {
      headers[headers.length - 1] += ` ${line.trim()}`
      continue
    }
    const at = line.indexOf(':')
    if (at < 1) return badRecord('no-header', { line: line.slice(0, 60) })
    headers.push(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

/** Removes the chunked coding. @returns the body and the rest; null when the chunks are damaged */
function dechunked(bytes: Buffer): { readonly body: Buffer; readonly rest: Buffer } | null {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = /^[\da-f]{1,8}(?=\s*(?:;|$))/i.exec(bytes.toString('latin1', at, Math.max(at, end)))
    if (end < 0 || !size) return null
    const from = end + 2
    const to = from + Number.parseInt(size[0], 16)
    if (to === from) {
      const after = bytes.indexOf('\r\n', from)
      return after < 0 ? null : { body: Buffer.concat(parts), rest: bytes.subarray(after + 2) }
    }
    if (to + 2 > bytes.length) return null
    parts.push(bytes.subarray(from, to))
    at = to + 2
  }
}

/** Reads the first request of some bytes. @returns a reason when it is none */
function requestIn(bytes: Buffer): { readonly request: Request; readonly rest: Buffer } | Refusal {
  const end = headEnd(bytes)
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
  const [line = '', ...lines] = head.trimEnd().split(/\r?\n/)
  const [, method, url, httpVersion] = REQUEST_LINE.exec(line) ?? []
  if (method === undefined || url === undefined || httpVersion === undefined)
    return badRecord('no-request-line')
  const headers = headersIn(lines)
  if (!Array.isArray(headers)) return headers
  const headerValue = (wanted: string) =>
    headers.find((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === wanted)
  const after = end < 0 ? Buffer.alloc(0) : bytes.subarray(end)
  const request = (body: Uint8Array): Request => ({ method, url, httpVersion, headers, body })
  if (/chunked/i.test(headerValue('transfer-encoding') ?? '')) {
    const plain = dechunked(after)
    return plain ? { request: request(plain.body), rest: plain.rest } : badRecord('chunks')
  }
  const stated = headerValue('content-length')
  if (stated === undefined) return { request: request(after), rest: Buffer.alloc(0) }
  const length = /^\d{1,10}$/.test(stated) ? Number(stated) : Number.NaN
  if (!(length <= after.length))
    return badRecord('short-body', { size: after.length, stated: stated.slice(0, 30) })
  return { request: request(after.subarray(0, length)), rest: after.subarray(length) }
}

/** Reads requests as they are on the wire, one after the other. */
export function* requestsIn(name: string, bytes: Buffer, file: ImportFile, at = file.at): Generator<Found> {
  let rest = bytes
  for (let number = 1; rest.length > 0; number++) {
    const place = number === 1 ? name : `${name}, request ${number}`
    const read = requestIn(rest)
    if ('code' in read) {
      yield { place, reason: read }
      return
    }
    yield { place, imported: fromRequest(read.request, file, at) }
    rest = read.rest
    while (rest[0] === 10 || rest[0] === 13) rest = rest.subarray(1)
  }
}

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
export async function* readTar(file: ImportFile): AsyncGenerator<Found> {
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

import { badRecord, type Refusal } from '#contract/errors.ts'
import { type Found, fromRequest, type ImportFile, type Request } from './record.ts'

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,100}) (\S+(?: \S+)*) HTTP\/(\d(?:\.\d)?)$/

export const looksRaw = (text: string): boolean => REQUEST_LINE.test(text.split(/\r?\n/, 1)[0] ?? '')

/** Place after the empty line that ends a head; -1 without one. */
export function headEnd(bytes: Buffer): number {
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
      // The empty line behind the trailers; without one, it follows the last chunk's line.
      const after = bytes.indexOf('\r\n\r\n', end)
      return after < 0 ? null : { body: Buffer.concat(parts), rest: bytes.subarray(after + 4) }
    }
    if (to + 2 > bytes.length) return null
    parts.push(bytes.subarray(from, to))
    at = to + 2
  }
}

/** A line beyond this size begins no request. */
const LONGEST_LINE = 65_536

/** @param from the beginning of a line @returns the place of the first line from there on that begins a request; -1 without one */
function nextRequest(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const end = bytes.indexOf('\n', at)
    const line = bytes.toString('latin1', at, Math.min(end < 0 ? bytes.length : end, at + LONGEST_LINE))
    if (REQUEST_LINE.test(line.trimEnd())) return at
    if (end < 0) return -1
    at = end + 1
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
  if (stated === undefined) {
    const next = nextRequest(after, 0)
    if (next < 0) return { request: request(after), rest: Buffer.alloc(0) }
    let size = next
    while (after[size - 1] === 10 || after[size - 1] === 13) size -= 1
    return { request: request(after.subarray(0, size)), rest: after.subarray(next) }
  }
  const length = /^\d{1,10}$/.test(stated) ? Number(stated) : Number.NaN
  if (!(length <= after.length))
    return badRecord('short-body', { size: after.length, stated: stated.slice(0, 30) })
  return { request: request(after.subarray(0, length)), rest: after.subarray(length) }
}

/**
 * Reads requests as they are on the wire, one after the other. A body without a length, or a request that cannot be read, ends before the next
 * line that begins one.
 * @param name of the file in an archive
 */
export function* requestsIn(
  name: string | null,
  bytes: Buffer,
  file: ImportFile,
  at = file.at,
): Generator<Found> {
  let rest = bytes
  for (let number = 1; rest.length > 0; number++) {
    const nth = `request ${number}`
    const place = name === null ? nth : number === 1 ? name : `${name}, ${nth}`
    const read = requestIn(rest)
    if ('code' in read) {
      yield { place, reason: read }
      const next = nextRequest(rest, rest.indexOf('\n') + 1)
      if (next <= 0) return
      rest = rest.subarray(next)
      continue
    }
    yield { place, imported: fromRequest(read.request, file, at) }
    rest = read.rest
    while (rest[0] === 10 || rest[0] === 13) rest = rest.subarray(1)
  }
}

import { badRecord } from '#contract/errors.ts'
import type { IMPORT_FORMATS } from '#contract/transfer.ts'
import { decodeText } from '#core/json/decode.ts'
import { scanJson } from '#core/json/scan.ts'
import { readHar } from './har.ts'
import { lines, MOST_RECORD } from './pieces.ts'
import { looksRaw, readTar, requestsIn } from './raw.ts'
import { type Found, fromRecord, fromRequest, type ImportFile } from './record.ts'

export type ImportFormat = (typeof IMPORT_FORMATS)[number]

/** Bytes that decide a file's format. */
const HEAD = 64 * 1_024

async function beginning(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces) {
    parts.push(piece)
    size += piece.length
    if (size >= HEAD) break
  }
  return Buffer.concat(parts).subarray(0, HEAD)
}

/** An archive without files is two empty blocks. */
const isTar = (head: Buffer): boolean =>
  head.toString('latin1', 257, 262) === 'ustar' || (head.length >= 1_024 && head.every((byte) => byte === 0))

/** Recognises a file by its content, and by its name where several formats fit. */
export async function formatOf(file: ImportFile): Promise<ImportFormat> {
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
  else yield* requestsIn('request 1', bytes, file)
}

/** Readers of all formats but `session`, which SQLite reads by its path. They report what they cannot read and go on. */
export const READERS: Readonly<
  Record<Exclude<ImportFormat, 'session'>, (file: ImportFile) => AsyncGenerator<Found>>
> = {
  ndjson: readNdjson,
  har: readHar,
  raw: readRaw,
  json: readBody,
}

import { crc32 } from 'node:zlib'
import type { AnsweredBy } from '#contract/faults.ts'
import { FAULT_TYPES, MALFORMED } from '#contract/values.ts'
import type { MirroredRecord } from '#core/mirror.ts'
import type { LogRecord, NewDelivery } from '#core/ports.ts'

/** A delivery read from a record: decoded texts, and bytes as views into the record's memory. */
export interface DeliveryRecord
  extends Required<Omit<NewDelivery, 'headers' | 'trailers' | 'body' | 'answer'>> {
  readonly headers: Buffer
  readonly trailers: Buffer
  /** Null when the body is stored in chunks. */
  readonly body: Buffer | null
  readonly upload: string | null
  readonly answer: { readonly status: number; readonly headers: Buffer; readonly body: Buffer } | null
}

/*
 * Layout of a delivery in the log, little-endian:
 *   0 f64 receivedAt | 8 f64 receivingUs | 16 f64 bodySize | 24 u32 remotePort | 28 u16 answer status | 30 u8 flags | 31 u8 malformed
 *  32 ten u32 lengths, then the ten parts in the order of `partsOf`; an imported delivery ends with f64 importedAt.
 */
const PARTS = 10
const HEAD = 32 + PARTS * 4
const REJECTED = 1
const ANSWERED = 2
const UPLOADED = 4
const SYNTHETIC = 8
const AUTHENTICATED = 16
const IMPORTED = 32
const NOTHING: Uint8Array = new Uint8Array()

/** Names and values, one per line, in latin-1: HTTP/1.1 headers are bytes and cannot contain a line feed. */
export const packHeaders = (list: readonly string[]): Buffer => Buffer.from(list.join('\n'), 'latin1')

export function unpackHeaders(packed: Uint8Array | null): string[] {
  if (!packed || packed.byteLength === 0) return []
  return Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).toString('latin1').split('\n')
}

/**
 * Checksum of stored bytes.
 * @param place delivery's id, or `placeOf` a chunk: makes bytes of another row wrong too
 * @param parts bytes, or a column's value without any
 */
export function checksum(place: number | string, ...parts: readonly unknown[]): number {
  let crc = crc32(String(place))
  for (const part of parts) if (part instanceof Uint8Array && part.byteLength > 0) crc = crc32(part, crc)
  return crc
}

export const placeOf = (upload: string, seq: number): string => `${upload}/${seq}`

/** Texts are written directly into the batch, since a buffer per text costs twice as much. */
interface Part {
  readonly size: number
  readonly bytes: string | Uint8Array
  readonly encoding: 'utf8' | 'latin1'
}

const utf8 = (bytes: string): Part => ({ size: Buffer.byteLength(bytes), bytes, encoding: 'utf8' })
const whole = (bytes: Uint8Array): Part => ({ size: bytes.byteLength, bytes, encoding: 'latin1' })

/** Like `packHeaders`, as a part. */
function lines(list: readonly string[]): Part {
  const bytes = list.join('\n')
  return { size: bytes.length, bytes, encoding: 'latin1' }
}

const partsOf = (delivery: NewDelivery): readonly Part[] => [
  utf8(delivery.endpoint),
  utf8(delivery.method),
  utf8(delivery.url),
  utf8(delivery.httpVersion),
  utf8(delivery.remoteAddress),
  lines(delivery.headers),
  lines(delivery.trailers),
  'upload' in delivery.body ? utf8(delivery.body.upload) : whole(delivery.body),
  lines(delivery.answer?.headers ?? []),
  whole(delivery.answer?.body ?? NOTHING),
]

function writeDelivery(delivery: NewDelivery, parts: readonly Part[], into: Buffer, at: number): void {
  into.writeDoubleLE(delivery.receivedAt, at)
  into.writeDoubleLE(delivery.receivingUs, at + 8)
  into.writeDoubleLE(delivery.bodySize, at + 16)
  into.writeUInt32LE(delivery.remotePort, at + 24)
  into.writeUInt16LE(delivery.answer?.status ?? 0, at + 28)
  into[at + 30] =
    (delivery.rejected ? REJECTED : 0) |
    (delivery.answer ? ANSWERED : 0) |
    ('upload' in delivery.body ? UPLOADED : 0) |
    (delivery.synthetic ? SYNTHETIC : 0) |
    (delivery.authenticated ? AUTHENTICATED : 0) |
    (delivery.importedAt ? IMPORTED : 0)
  into[at + 31] = delivery.malformed === null ? 0 : MALFORMED.indexOf(delivery.malformed) + 1
  let place = at + HEAD
  let length = at + 32
  for (const { size, bytes, encoding } of parts) {
    length = into.writeUInt32LE(size, length)
    // `set` copies to shared memory byte by byte.
    if (typeof bytes !== 'string') into.fill(bytes, place, place + size)
    else if (size > 0) into.write(bytes, place, size, encoding)
    place += size
  }
  if (delivery.importedAt) into.writeDoubleLE(delivery.importedAt, place)
}

/** Arrival of a record's delivery, in microseconds since the epoch; null for one that was not received here, or an incomplete record. */
export function arrivalOf(bytes: Buffer): number | null {
  return bytes.byteLength >= HEAD && (bytes.readUInt8(30) & (SYNTHETIC | IMPORTED)) === 0
    ? bytes.readDoubleLE(0)
    : null
}

/** Whether a record's delivery was rebuilt instead of received. */
export const isSynthetic = (bytes: Buffer): boolean =>
  bytes.byteLength >= HEAD && (bytes.readUInt8(30) & SYNTHETIC) !== 0

/**
 * Reads a record back.
 * @throws RangeError when the lengths do not fit the bytes
 */
export function readRecord(bytes: Buffer): DeliveryRecord {
  let place = HEAD
  let length = 32
  const next = (): Buffer => {
    const size = bytes.readUInt32LE(length)
    if (place + size > bytes.byteLength) throw new RangeError('a part reaches beyond its record')
    const part = bytes.subarray(place, place + size)
    length += 4
    place += size
    return part
  }
  const text = () => next().toString('utf8')
  const flags = bytes.readUInt8(30)
  const status = bytes.readUInt16LE(28)
  const base = {
    receivedAt: bytes.readDoubleLE(0),
    receivingUs: bytes.readDoubleLE(8),
    bodySize: bytes.readDoubleLE(16),
    remotePort: bytes.readUInt32LE(24),
    rejected: (flags & REJECTED) !== 0,
    authenticated: (flags & AUTHENTICATED) !== 0,
    synthetic: (flags & SYNTHETIC) !== 0,
    malformed: MALFORMED[bytes.readUInt8(31) - 1] ?? null,
    endpoint: text(),
    method: text(),
    url: text(),
    httpVersion: text(),
    remoteAddress: text(),
    headers: next(),
    trailers: next(),
  }
  const body = next()
  const answerHeaders = next()
  const answerBody = next()
  const uploaded = (flags & UPLOADED) !== 0
  return {
    ...base,
    body: uploaded ? null : body,
    upload: uploaded ? body.toString('utf8') : null,
    answer: (flags & ANSWERED) !== 0 ? { status, headers: answerHeaders, body: answerBody } : null,
    importedAt: (flags & IMPORTED) !== 0 ? bytes.readDoubleLE(place) : null,
  }
}

/**
 * Kinds of log records. `mirrored`: a record of a shared log, with its id there, its kind and the id before it. `annotation`, in a shared log only: a change of
 * a note, a tag or a pin. `old` kinds come from a spill journal of version 0.1, with its number and the offset after the entry.
 */
export const KIND = {
  delivery: 1,
  piece: 2,
  abandoned: 3,
  oldDelivery: 4,
  oldPiece: 5,
  mirrored: 6,
  annotation: 7,
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export function deliveryRecord(delivery: NewDelivery): LogRecord {
  const parts = partsOf(delivery)
  const size = parts.reduce((sum, part) => sum + part.size, HEAD + (delivery.importedAt ? 8 : 0))
  const write: LogRecord['write'] = (into, at) => writeDelivery(delivery, parts, bufferOf(into), at)
  return { kind: KIND.delivery, numbered: true, size, write }
}

/** A record of raw bytes after a short header of ours. */
export function rawRecord(kind: number, words: Uint8Array, bytes = NOTHING, numbered = false): LogRecord {
  return {
    kind,
    numbered,
    size: words.byteLength + bytes.byteLength,
    write(into, at) {
      into.set(words, at)
      into.set(bytes, at + words.byteLength)
    },
  }
}

export interface Piece {
  readonly upload: string
  readonly seq: number
  readonly bytes: Uint8Array
}

export const pieceRecord = ({ upload, seq, bytes }: Piece): LogRecord =>
  rawRecord(KIND.piece, Buffer.from(`${upload}\n${seq}\n`), bytes)

export function readPiece(payload: Buffer): Piece {
  const first = payload.indexOf(10)
  const second = payload.indexOf(10, first + 1)
  return {
    upload: payload.toString('utf8', 0, first),
    seq: Number(payload.toString('utf8', first + 1, second)),
    bytes: payload.subarray(second + 1),
  }
}

/** Size of the header of an old record: number of its journal, offset after its entry. */
export const OLD_HEAD = 16

export function oldRecord(isDelivery: boolean, journal: number, end: number, entry: Buffer): LogRecord {
  const head = Buffer.alloc(OLD_HEAD)
  head.writeDoubleLE(journal, 0)
  head.writeDoubleLE(end, 8)
  return rawRecord(isDelivery ? KIND.oldDelivery : KIND.oldPiece, head, entry, isDelivery)
}

export const readOldHead = (payload: Buffer): { readonly journal: number; readonly end: number } => ({
  journal: payload.readDoubleLE(0),
  end: payload.readDoubleLE(8),
})

const MIRROR_HEAD = 20

/** @param after id of the record before it in the other log, 0 for none */
export function mirroredRecord({ id, kind, payload }: MirroredRecord, after: number): LogRecord {
  const head = Buffer.alloc(MIRROR_HEAD)
  head.writeDoubleLE(id, 0)
  head.writeUInt32LE(kind, 8)
  head.writeDoubleLE(after, 12)
  return rawRecord(KIND.mirrored, head, payload)
}

export const readMirrored = (payload: Buffer) => ({
  id: payload.readDoubleLE(0),
  kind: payload.readUInt32LE(8),
  after: payload.readDoubleLE(12),
  payload: payload.subarray(MIRROR_HEAD),
})

/** `fault:hang`, `target:name`: readable for users who open the database. */
export function packAnsweredBy(by: AnsweredBy | null): string | null {
  if (!by) return null
  return by.by === 'fault' ? `fault:${by.effect}` : `target:${by.target}`
}

/** @returns null when the endpoint itself answered, and for an unknown value */
export function unpackAnsweredBy(packed: unknown): AnsweredBy | null {
  if (typeof packed !== 'string') return null
  const at = packed.indexOf(':')
  const [by, value] = [packed.slice(0, at), packed.slice(at + 1)]
  if (by === 'target') return { by, target: value }
  const effect = FAULT_TYPES.find((known) => known === value)
  return by === 'fault' && effect ? { by, effect } : null
}

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Finding } from '#contract/delivery.ts'
import { AcuseError, refused } from '#contract/errors.ts'
import { FINDINGS_KEPT, LEVELS } from '#contract/values.ts'
import type { SqlRow, Statements } from '../sql/connection.ts'
import { checksum, placeOf } from '../wire/record.ts'

/** A test of each member of T; one that may be absent accepts undefined. */
export type Shape<T> = { readonly [M in keyof T]-?: (value: unknown) => boolean }

/** Whether parsed JSON has this shape. The threads that always run have no schemas: zod takes some 8 MB in each of them. */
export const fits = <T>(shape: Shape<T>, value: unknown): value is T =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).every((name) => Object.hasOwn(shape, name)) &&
  Object.entries<(value: unknown) => boolean>(shape).every(([name, holds]) => holds(Reflect.get(value, name)))

/** Where a body is stored: in the payload row, or in chunks under an upload id. */
export interface BodyPlace {
  readonly id: number
  readonly upload: string | null
}

/** Largest stored body in bytes that checks and searches read into memory. */
export const READ_LIMIT = 32 * 1024 * 1024

/**
 * Whether the bytes of a row match their checksum; null for a row stored by a version without checksums.
 * @param row a chunk when it has `upload` and `seq`, else a payload; null headers mean that the payload is missing
 */
export function isSound(id: number, row: SqlRow): boolean | null {
  if (row.headers === null) return false
  if (row.crc === null) return null
  const place = row.seq === undefined ? id : placeOf(String(row.upload), Number(row.seq))
  return row.crc === checksum(place, row.headers, row.trailers, row.body)
}

/** @param row as for `isSound` @returns the bytes in `body` @throws AcuseError `damaged` when they have changed */
export function soundBody(id: number, row: SqlRow | undefined): Buffer {
  if (row && isSound(id, row) === false) throw refused('damaged', 'bytes-changed', { id })
  return asBuffer(row?.body)
}

/** @returns null when the stored bytes have changed */
export function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof AcuseError && error.code === 'damaged') return null
    throw error
  }
}

const inlineBody = (statements: Statements, id: number): Buffer =>
  soundBody(
    id,
    statements.one`SELECT headers, trailers, body, crc FROM delivery d LEFT JOIN payload ON delivery_id = d.id WHERE d.id = ${id}`,
  )

const pieceOf = (statements: Statements, id: number, { id: piece }: SqlRow): Buffer =>
  soundBody(id, statements.one`SELECT upload, seq, bytes AS body, crc FROM chunk WHERE id = ${Number(piece)}`)

/** Reads a whole body. @throws AcuseError `damaged`, like every read of a body */
export function readBody(statements: Statements, place: BodyPlace): Buffer {
  if (place.upload === null) return inlineBody(statements, place.id)
  const { size } =
    statements.one`SELECT sum(length(bytes)) AS size FROM chunk WHERE upload = ${place.upload}` ?? { size: 0 }
  const body = Buffer.allocUnsafeSlow(Number(size))
  let at = 0
  for (const piece of storedPieces(statements, place)) at += piece.copy(body, at)
  return body
}

/** Reads a body piece by piece. No statement stays open between two pieces. */
export function* storedPieces(statements: Statements, { id, upload }: BodyPlace): Generator<Buffer> {
  if (upload === null) {
    yield inlineBody(statements, id)
    return
  }
  const pieces = statements.all`SELECT id FROM chunk WHERE upload = ${upload} ORDER BY seq`
  for (const piece of pieces) yield pieceOf(statements, id, piece)
}

/** Whether this body ended the analyst thread so often that nothing decodes it any more. */
export function isTooExpensive(statements: Statements, id: number): boolean {
  return statements.has`SELECT 1 FROM too_expensive WHERE delivery_id = ${id}`
}

/** Reads a slice of a body, from the chunks that it touches only. @returns the slice, and the body's length */
export function readSlice(statements: Statements, { id, upload }: BodyPlace, from: number, length: number) {
  if (upload === null) {
    const body = inlineBody(statements, id)
    return { bytes: body.subarray(from, from + length), total: body.byteLength }
  }
  const pieces = statements.all`SELECT id, length(bytes) AS size FROM chunk WHERE upload = ${upload} ORDER BY seq`
  const found: Buffer[] = []
  let total = 0
  for (const piece of pieces) {
    const begin = total
    total += Number(piece.size)
    if (total <= from || begin >= from + length) continue
    found.push(pieceOf(statements, id, piece).subarray(Math.max(0, from - begin), from + length - begin))
  }
  return { bytes: Buffer.concat(found), total }
}

/** Converts a BLOB of node:sqlite; empty for NULL. */
export function asBuffer(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.alloc(0)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** Shorter findings are stored as JSON: compression would take a fifth of their analysis and save few bytes. */
const COMPRESSED_FROM = 256

/** Compresses findings for storage: the deliveries of a service repeat the same dozens of notes, which shrink to a tenth. */
export function packFindings(findings: readonly Finding[]): Uint8Array {
  const text = Buffer.from(JSON.stringify(findings))
  return text.byteLength < COMPRESSED_FROM ? text : zstdCompressSync(text)
}

export function unpackFindings(packed: unknown): readonly Finding[] {
  return packed === null ? [] : (JSON.parse(findingsText(packed)) as Finding[])
}

/** JSON begins with a bracket, compressed data with zstd's magic number. */
function findingsText(packed: unknown, options?: { readonly maxOutputLength: number }): string {
  const bytes = asBuffer(packed)
  return (bytes[0] === 0x5b ? bytes : zstdDecompressSync(bytes, options)).toString()
}

/** Findings packed 500 at most, some hundred bytes each. */
const MOST_FINDINGS = 16 * 1024 * 1024

const isText = (value: unknown): boolean => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const FINDING: Shape<Finding> = {
  level: (value) => LEVELS.some((level) => level === value),
  code: isText,
  pointer: isText,
  params: (value) => isWords(value),
  rule: isText,
  line: (value) => value === undefined || isCount(value),
  column: (value) => value === undefined || isCount(value),
}
const isFinding = (value: unknown): value is Finding => fits(FINDING, value)
const isWords = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((word) => typeof word === 'string' || Number.isFinite(word))

/** Unpacks findings of a file that may come from anyone. @returns null when they are none */
export function foreignFindings(packed: unknown): readonly Finding[] | null {
  if (packed === null) return []
  try {
    const findings: unknown = JSON.parse(findingsText(packed, { maxOutputLength: MOST_FINDINGS }))
    return Array.isArray(findings) && findings.length <= FINDINGS_KEPT && findings.every(isFinding)
      ? findings
      : null
  } catch {
    return null
  }
}

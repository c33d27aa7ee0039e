import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Finding } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { SqlRow, Statements } from '../sql/connection.ts'
import { checksum, placeOf } from '../wire/record.ts'

/** Where the bytes of a body lie: in the payload row, or piece by piece under an upload. */
export interface BodyPlace {
  readonly id: number
  readonly upload: string | null
}

/** The most bytes of a stored body that checks and searches read at once. */
export const READ_LIMIT = 32 * 1024 * 1024

/**
 * Whether the bytes of a row are those that were stored in its place; null for one that was stored before there was a checksum.
 * @param row with `upload` and `seq` a piece, else a payload, whose headers are null where it is missing
 */
export function isSound(id: number, row: SqlRow): boolean | null {
  if (row.headers === null) return false
  if (row.crc === null) return null
  const place = row.seq === undefined ? id : placeOf(String(row.upload), Number(row.seq))
  return row.crc === checksum(place, asBuffer(row.headers), asBuffer(row.trailers), asBuffer(row.body))
}

/** @param row as for `isSound` @returns the bytes in `body` @throws AcuseError `damaged` where they have changed */
export function soundBody(id: number, row: SqlRow | undefined): Buffer {
  if (row && isSound(id, row) === false)
    throw new AcuseError(
      'damaged',
      `The stored bytes of delivery ${id} are not those that Acuse received: the disk or another program changed them.`,
      { id },
    )
  return asBuffer(row?.body)
}

/** @returns null where the stored bytes have changed */
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

/** @throws AcuseError `damaged`, as all that reads a body */
export function readBody(statements: Statements, place: BodyPlace): Buffer {
  if (place.upload === null) return inlineBody(statements, place.id)
  const { size } =
    statements.one`SELECT sum(length(bytes)) AS size FROM chunk WHERE upload = ${place.upload}` ?? { size: 0 }
  const body = Buffer.allocUnsafeSlow(Number(size))
  let at = 0
  for (const piece of storedPieces(statements, place)) at += piece.copy(body, at)
  return body
}

/** The body piece by piece. Between two of them nothing of the database is held. */
export function* storedPieces(statements: Statements, { id, upload }: BodyPlace): Generator<Buffer> {
  if (upload === null) {
    yield inlineBody(statements, id)
    return
  }
  const pieces = statements.all`SELECT id FROM chunk WHERE upload = ${upload} ORDER BY seq`
  for (const piece of pieces) yield pieceOf(statements, id, piece)
}

/** Whether reading this body ended the analysis so often that nothing reads it whole any more. */
export function isTooExpensive(statements: Statements, id: number): boolean {
  return statements.has`SELECT 1 FROM too_expensive WHERE delivery_id = ${id}`
}

/** A slice of the body and its whole length; only the pieces it touches are read. */
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

/** A BLOB as node:sqlite gives it; nothing for NULL. */
export function asBuffer(value: unknown): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.alloc(0)
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** Findings as they are stored: every delivery of a service has the same dozens of notes; compressed they take a tenth. */
export function packFindings(findings: readonly Finding[]): Uint8Array {
  return zstdCompressSync(JSON.stringify(findings))
}

export function unpackFindings(packed: unknown): readonly Finding[] {
  return packed === null ? [] : (JSON.parse(zstdDecompressSync(asBuffer(packed)).toString()) as Finding[])
}

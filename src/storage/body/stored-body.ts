import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Finding } from '#contract/delivery.ts'
import type { Statements } from '../sql/connection.ts'

/** Where the bytes of a body lie: in the payload row, or piece by piece under an upload. */
export interface BodyPlace {
  readonly id: number
  readonly upload: string | null
}

/** The most bytes of a stored body that checks and searches read at once. */
export const READ_LIMIT = 32 * 1024 * 1024

export function readBody(statements: Statements, place: BodyPlace): Buffer {
  if (place.upload === null)
    return asBuffer(statements.value`SELECT body FROM payload WHERE delivery_id = ${place.id}`)
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
    yield asBuffer(statements.value`SELECT body FROM payload WHERE delivery_id = ${id}`)
    return
  }
  const pieces = statements.all`SELECT id FROM chunk WHERE upload = ${upload} ORDER BY seq`
  for (const piece of pieces)
    yield asBuffer(statements.value`SELECT bytes FROM chunk WHERE id = ${piece.id ?? 0}`)
}

/** Whether reading this body ended the analysis so often that nothing reads it whole any more. */
export function isTooExpensive(statements: Statements, id: number): boolean {
  return statements.has`SELECT 1 FROM too_expensive WHERE delivery_id = ${id}`
}

/** A slice of the body and its whole length; only the pieces it touches are read. */
export function readSlice(
  statements: Statements,
  { id, upload }: BodyPlace,
  from: number,
  length: number,
): { bytes: Buffer; total: number } {
  if (upload === null) {
    const row = statements.one`SELECT length(body) AS total, substr(body, ${from + 1}, ${length}) AS slice
      FROM payload WHERE delivery_id = ${id}`
    return { bytes: asBuffer(row?.slice), total: Number(row?.total ?? 0) }
  }
  const pieces = statements.all`SELECT id, length(bytes) AS size FROM chunk WHERE upload = ${upload} ORDER BY seq`
  const found: Buffer[] = []
  let total = 0
  for (const piece of pieces) {
    const begin = total
    total += Number(piece.size)
    if (total <= from || begin >= from + length) continue
    const bytes = asBuffer(statements.value`SELECT bytes FROM chunk WHERE id = ${piece.id ?? 0}`)
    found.push(bytes.subarray(Math.max(0, from - begin), from + length - begin))
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

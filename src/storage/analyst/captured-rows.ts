import { codingsOf } from '../body/codings.ts'
import { asBuffer } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'

/** A delivery as analysis reads it. */
export interface CapturedRow {
  readonly id: number
  readonly receivedAt: number
  readonly endpoint: string
  readonly method: string
  readonly url: string
  readonly rejected: boolean
  readonly synthetic: boolean
  readonly malformed: boolean
  readonly upload: string | null
  readonly size: number
  /** Flat list. */
  readonly headers: readonly string[]
  /** Content-Encoding codings, outermost last. */
  readonly codings: readonly string[]
  readonly body: Buffer
}

/** Deliveries beyond an id, in order of arrival. */
export function* capturedRows(statements: Statements, after: number, limit: number): Generator<CapturedRow> {
  const rows = statements
    .get(
      `SELECT d.id, d.received_at, d.endpoint, d.method, d.url, d.rejected, d.synthetic, d.malformed, d.upload, d.size, p.headers, p.body
       FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?`,
    )
    .iterate(after, limit)
  for (const row of rows) {
    const headers = unpackHeaders(asBuffer(row.headers))
    yield {
      id: Number(row.id),
      receivedAt: Number(row.received_at),
      endpoint: String(row.endpoint),
      method: String(row.method),
      url: String(row.url),
      rejected: row.rejected === 1,
      synthetic: row.synthetic === 1,
      malformed: row.malformed !== null,
      upload: typeof row.upload === 'string' ? row.upload : null,
      size: Number(row.size),
      headers,
      codings: codingsOf(headers),
      body: asBuffer(row.body),
    }
  }
}

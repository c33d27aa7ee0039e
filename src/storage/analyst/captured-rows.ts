import { asBuffer } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'

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
  readonly headers: Uint8Array
  readonly body: Uint8Array
}

/** Deliveries beyond an id, in order of arrival. */
export function* capturedRows(statements: Statements, after: number, limit: number): Generator<CapturedRow> {
  const rows = statements
    .get(
      `SELECT d.id, d.received_at, d.endpoint, d.method, d.url, d.rejected, d.synthetic, d.malformed, d.upload, d.size, p.headers, p.body
       FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id > ? ORDER BY d.id LIMIT ?`,
    )
    .iterate(after, limit)
  for (const row of rows)
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
      headers: asBuffer(row.headers),
      body: asBuffer(row.body),
    }
}

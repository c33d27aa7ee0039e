import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { Statements } from '../sql/connection.ts'
import { readRecord } from '../wire/record.ts'
import { type Ringed, ringOf } from './rings.ts'

const INSERT_DELIVERY = `INSERT INTO delivery (id, received_at, receiving_us, endpoint, method, url, http_version, remote_address,
  remote_port, size, stored_bytes, answer_status, answer_id, rejected, malformed, upload, synthetic, authenticated)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Answers are few and repeat; this many are recognised without asking SQLite. */
const ANSWERS_REMEMBERED = 256
/** An answer longer than this is recognised by its hash, to keep the memory of the above small. */
const SHORT_ANSWER = 512

/** Puts deliveries into captured.db. Knows nothing of transactions, journals or threads. */
export class Intake {
  readonly #statements: Statements
  readonly #answers = new Map<string, number | bigint>()

  constructor(db: DatabaseSync) {
    this.#statements = new Statements(db)
  }

  /**
   * Inserts one packed record under `id`. @returns its place in a ring
   * @throws SQLite's error; nothing is cleaned up then: the caller's savepoint does that
   */
  insert(id: number, packed: Buffer): Ringed | null {
    const record = readRecord(packed)
    const { headers, trailers, body, answer, upload } = record
    const stored = headers.byteLength + trailers.byteLength + (body ? body.byteLength : record.bodySize)
    this.#statements
      .get(INSERT_DELIVERY)
      .run(
        id,
        record.receivedAt,
        record.receivingUs,
        record.endpoint,
        record.method,
        record.url,
        record.httpVersion,
        record.remoteAddress,
        record.remotePort,
        record.bodySize,
        stored,
        answer?.status ?? null,
        answer ? this.answerId(answer.headers, answer.body) : null,
        record.rejected ? 1 : 0,
        record.malformed,
        upload,
        record.synthetic ? 1 : 0,
        record.authenticated ? 1 : 0,
      )
    this.#statements
      .get('INSERT INTO payload (delivery_id, headers, trailers, body) VALUES (?, ?, ?, ?)')
      .run(id, headers, trailers.byteLength > 0 ? trailers : null, body)
    const ring = ringOf(record)
    return ring && [ring, stored + Buffer.byteLength(record.url)]
  }

  /** What was remembered inside a transaction that is rolled back never existed. */
  forget(): void {
    this.#answers.clear()
  }

  /** Keeps an answer, once however often it was given. @returns what `delivery.answer_id` says */
  answerId(headers: Buffer, body: Buffer): number | bigint {
    const length = headers.byteLength + body.byteLength
    const key =
      length <= SHORT_ANSWER
        ? `${headers.byteLength}:${headers.toString('latin1')}${body.toString('latin1')}`
        : this.#hash(headers, body).toString('base64')
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    const hash = this.#hash(headers, body)
    const found = this.#statements.get('SELECT id FROM answer WHERE hash = ?').get(hash)?.id
    const id =
      typeof found === 'number'
        ? found
        : this.#statements
            .get('INSERT INTO answer (hash, headers, body) VALUES (?, ?, ?)')
            .run(hash, headers, body).lastInsertRowid
    if (this.#answers.size >= ANSWERS_REMEMBERED) this.#answers.clear()
    this.#answers.set(key, id)
    return id
  }

  #hash(headers: Buffer, body: Buffer): Buffer {
    return createHash('sha256').update(`${headers.byteLength}:`).update(headers).update(body).digest()
  }
}

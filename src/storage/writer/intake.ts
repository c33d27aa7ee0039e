import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { raw, Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'
import { checksum, readRecord } from '../wire/record.ts'

/**
 * What any sender gets kept without being accepted; a sender that gave the endpoint's secret is not any sender. Each kind has a ring of its own, bounded in deliveries and in bytes, so that a flood
 * pushes out its own kind and never an accepted delivery. Pinned ones stay.
 */
export const RINGS = ['rejected', 'malformed'] as const
export type Ring = (typeof RINGS)[number]
export interface Quota {
  readonly deliveries: number
  readonly bytes: number
}
export type Quotas = Readonly<Record<Ring, Quota>>
export type RingCounts = Readonly<Record<Ring, Quota & { readonly evicted: number }>>
/** A delivery in a ring, with the bytes that count there. */
export type Ringed = readonly [ring: Ring, bytes: number]

/** A ring that is full is emptied by this part of it, so that a flood does not pay for a deletion with each delivery. */
const EVICTED_AT_ONCE = 1 / 20

const MEMBERS: Readonly<Record<Ring, string>> = {
  rejected: 'rejected = 1',
  malformed: 'malformed IS NOT NULL AND rejected = 0 AND authenticated = 0',
}
/** `stored_bytes` leaves out the request target, which may be as long as a head. */
const BYTES = 'stored_bytes + octet_length(url)'
/** Columns of a delivery that `ringed` reads. */
export const RING_COLUMNS = `stored_bytes, rejected, malformed, authenticated, ${BYTES} AS ring_bytes`

/** @param row with RING_COLUMNS */
export function ringed(row: Readonly<Record<string, unknown>>): Ringed | null {
  const { rejected, malformed, authenticated } = row
  const ring = ringOf({ rejected: rejected === 1, malformed, authenticated: authenticated === 1 })
  return ring && [ring, Number(row.ring_bytes)]
}

interface Standing {
  readonly rejected: boolean
  readonly malformed: unknown
  readonly authenticated: boolean
}

export function ringOf({ rejected, malformed, authenticated }: Standing): Ring | null {
  if (rejected) return 'rejected'
  return malformed === null || authenticated ? null : 'malformed'
}

/** How much the rings hold. */
export class Rings {
  readonly #statements: Statements
  readonly #counts: Record<Ring, RingCounts[Ring]>
  quotas: Quotas

  constructor(statements: Statements, quotas: Quotas) {
    this.#statements = statements
    this.quotas = quotas
    this.#counts = { rejected: this.#count('rejected'), malformed: this.#count('malformed') }
  }

  counts(): RingCounts {
    return { ...this.#counts }
  }

  /** @param by 1: they came in; -1: they went */
  change(members: readonly Ringed[], by: 1 | -1): void {
    for (const [ring, size] of members) {
      const { deliveries, bytes, evicted } = this.#counts[ring]
      this.#counts[ring] = { deliveries: deliveries + by, bytes: bytes + by * size, evicted }
    }
  }

  /** So many fell out of a ring; call it in their transaction. */
  evicted(ring: Ring, count: number): void {
    const evicted = this.#counts[ring].evicted + count
    this.#counts[ring] = { ...this.#counts[ring], evicted }
    writeMeta(this.#statements, `${ring}_evicted`, evicted)
  }

  /** The oldest of a ring that have to go, with a part more, once `added` are in it; none while it is not passed. */
  over(ring: Ring, added: readonly Ringed[]): readonly number[] {
    const { deliveries, bytes } = this.#counts[ring]
    const quota = this.quotas[ring]
    const own = added.filter(([into]) => into === ring)
    let tooMany = deliveries + own.length - quota.deliveries
    let tooLarge = bytes + own.reduce((sum, [, size]) => sum + size, 0) - quota.bytes
    if (tooMany <= 0 && tooLarge <= 0) return []
    if (tooMany > 0) tooMany = Math.max(tooMany, Math.ceil(quota.deliveries * EVICTED_AT_ONCE))
    if (tooLarge > 0) tooLarge = Math.max(tooLarge, Math.ceil(quota.bytes * EVICTED_AT_ONCE))
    const ids: number[] = []
    const oldest = this.#statements.get(
      `SELECT id, ${BYTES} AS bytes FROM delivery WHERE ${MEMBERS[ring]} AND id NOT IN (SELECT delivery_id FROM pin) ORDER BY id`,
    )
    for (const row of oldest.iterate()) {
      if (ids.length >= tooMany && tooLarge <= 0) break
      ids.push(Number(row.id))
      tooLarge -= Number(row.bytes)
    }
    return ids
  }

  #count(ring: Ring): RingCounts[Ring] {
    const row = this.#statements
      .one`SELECT count(*) AS n, coalesce(sum(${raw(BYTES)}), 0) AS bytes FROM delivery WHERE ${raw(MEMBERS[ring])}`
    const evicted = readMeta(this.#statements, `${ring}_evicted`)
    return { deliveries: Number(row?.n), bytes: Number(row?.bytes), evicted }
  }
}

const INSERT_DELIVERY = `INSERT INTO delivery (id, received_at, receiving_us, took_us, endpoint, method, url, http_version, remote_address,
  remote_port, size, stored_bytes, answer_status, answer_id, rejected, malformed, upload, synthetic, authenticated)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Answers are few and repeat; this many are recognised without asking SQLite. */
const ANSWERS_REMEMBERED = 256
/** An answer longer than this is recognised by its hash, to keep the memory of the above small. */
const SHORT_ANSWER = 512

/** Puts deliveries into captured.db. Knows nothing of transactions, the log or threads. */
export class Intake {
  readonly #statements: Statements
  readonly #answers = new Map<string, number | bigint>()

  constructor(db: DatabaseSync) {
    this.#statements = new Statements(db)
  }

  /**
   * Inserts one packed record under `id`. @param crc of what was stored before, where the record comes from a database @returns its place in a ring
   * @throws SQLite's error; nothing is cleaned up then: the caller's savepoint does that
   */
  insert(id: number, packed: Buffer, tookUs: number | null, crc?: number | null): Ringed | null {
    const record = readRecord(packed)
    const { headers, trailers, body, answer, upload } = record
    const stored = headers.byteLength + trailers.byteLength + (body ? body.byteLength : record.bodySize)
    this.#statements
      .get(INSERT_DELIVERY)
      .run(
        id,
        record.receivedAt,
        record.receivingUs,
        tookUs,
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
    const sum = crc === undefined ? checksum(id, headers, trailers, body ?? Buffer.alloc(0)) : crc
    this.#statements.run`INSERT INTO payload (delivery_id, headers, trailers, body, crc)
        VALUES (${id}, ${headers}, ${trailers.byteLength > 0 ? trailers : null}, ${body}, ${sum})`
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
    const found = this.#statements.one`SELECT id FROM answer WHERE hash = ${hash}`?.id
    const id =
      typeof found === 'number'
        ? found
        : this.#statements.run`INSERT INTO answer (hash, headers, body) VALUES (${hash}, ${headers}, ${body})`
            .lastInsertRowid
    if (this.#answers.size >= ANSWERS_REMEMBERED) this.#answers.clear()
    this.#answers.set(key, id)
    return id
  }

  #hash(headers: Buffer, body: Buffer): Buffer {
    return createHash('sha256').update(`${headers.byteLength}:`).update(headers).update(body).digest()
  }
}

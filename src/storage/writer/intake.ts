import { KnownBytes } from '../body/known-bytes.ts'
import { Queries, raw, type Statements } from '../sql/connection.ts'
import { readMeta, writeMeta } from '../sql/numbers.ts'
import { checksum, readRecord } from '../wire/record.ts'

/**
 * Rings limit the deliveries that any sender can store without the endpoint's secret. Each kind has its own ring, bounded in deliveries
 * and in bytes, so that a flood evicts its own kind and never an accepted delivery. Pinned deliveries stay.
 */
export const RINGS = ['rejected', 'malformed'] as const
export type Ring = (typeof RINGS)[number]
export interface Quota {
  readonly deliveries: number
  readonly bytes: number
}
export type Quotas = Readonly<Record<Ring, Quota>>
export type RingCounts = Readonly<Record<Ring, Quota & { readonly evicted: number }>>
/** A delivery's ring, and the bytes that it takes there. */
export type Ringed = readonly [ring: Ring, bytes: number]

/** Share of a full ring that one eviction frees, so that a flood does not cause a deletion per delivery. */
const EVICTED_AT_ONCE = 1 / 20

const MEMBERS: Readonly<Record<Ring, string>> = {
  rejected: 'rejected = 1 AND id NOT IN (SELECT delivery_id FROM imported)',
  malformed:
    'malformed IS NOT NULL AND rejected = 0 AND authenticated = 0 AND id NOT IN (SELECT delivery_id FROM imported)',
}
/** `stored_bytes` lacks the request target, which may be as long as a request head. */
const BYTES = 'stored_bytes + octet_length(url)'
/** The columns that `ringed` needs. */
export const RING_COLUMNS = `stored_bytes, rejected, malformed, authenticated, ${BYTES} AS ring_bytes,
  EXISTS (SELECT 1 FROM imported WHERE imported.delivery_id = id) AS imported`

/** @param row with RING_COLUMNS */
export function ringed(row: Readonly<Record<string, unknown>>): Ringed | null {
  const { rejected, malformed, authenticated, imported } = row
  const ring = ringOf({
    rejected: rejected === 1,
    malformed,
    authenticated: authenticated === 1,
    imported: imported === 1,
  })
  return ring && [ring, Number(row.ring_bytes)]
}

interface Standing {
  readonly rejected: boolean
  readonly malformed: unknown
  readonly authenticated: boolean
  readonly imported: boolean
}

export function ringOf({ rejected, malformed, authenticated, imported }: Standing): Ring | null {
  // The user chose to import it, so no sender can flood the store with such deliveries.
  if (imported) return null
  if (rejected) return 'rejected'
  return malformed === null || authenticated ? null : 'malformed'
}

/** Counts deliveries and bytes in the rings. */
export class Rings extends Queries {
  readonly #counts: Record<Ring, RingCounts[Ring]>
  quotas: Quotas

  constructor(statements: Statements, quotas: Quotas) {
    super(statements)
    this.quotas = quotas
    this.#counts = { rejected: this.#count('rejected'), malformed: this.#count('malformed') }
  }

  counts(): RingCounts {
    return { ...this.#counts }
  }

  /** @param by 1: added; -1: removed */
  change(members: readonly Ringed[], by: 1 | -1): void {
    for (const [ring, size] of members) {
      const { deliveries, bytes, evicted } = this.#counts[ring]
      this.#counts[ring] = { deliveries: deliveries + by, bytes: bytes + by * size, evicted }
    }
  }

  /** Counts evicted deliveries of a ring. Call it in the transaction that deletes them. */
  evicted(ring: Ring, count: number): void {
    const evicted = this.#counts[ring].evicted + count
    this.#counts[ring] = { ...this.#counts[ring], evicted }
    writeMeta(this.db, `${ring}_evicted`, evicted)
  }

  /** Ids of the oldest deliveries to evict, EVICTED_AT_ONCE at least, when `added` would exceed the quota; else empty. */
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
    const oldest = this.db.get(
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
    const row = this.db
      .one`SELECT count(*) AS n, coalesce(sum(${raw(BYTES)}), 0) AS bytes FROM delivery WHERE ${raw(MEMBERS[ring])}`
    const evicted = readMeta(this.db, `${ring}_evicted`)
    return { deliveries: Number(row?.n), bytes: Number(row?.bytes), evicted }
  }
}

/** Inserts deliveries into captured.db. The caller handles transactions. */
export class Intake extends Queries {
  readonly #answers = new KnownBytes()

  /**
   * Inserts one record under `id`. @param crc stored checksum, when the record comes from a database @returns its ring; null for none
   * @throws SQLite's error; the caller's savepoint must undo a partial insertion
   */
  insert(id: number, packed: Buffer, tookUs: number | null, crc?: number | null): Ringed | null {
    const { headers, trailers, body, answer, bodySize, importedAt, ...rest } = readRecord(packed)
    const storedBytes = headers.byteLength + trailers.byteLength + (body ? body.byteLength : bodySize)
    this.db.insert('INTO delivery', {
      ...rest,
      id,
      tookUs,
      size: bodySize,
      storedBytes,
      answerStatus: answer?.status ?? null,
      answerId: answer && this.answerId(answer.headers, answer.body),
      rejected: Number(rest.rejected),
      synthetic: Number(rest.synthetic),
      authenticated: Number(rest.authenticated),
    })
    const sum = crc === undefined ? checksum(id, headers, trailers, body) : crc
    this.db.run`INSERT INTO payload (delivery_id, headers, trailers, body, crc)
        VALUES (${id}, ${headers}, ${trailers.byteLength > 0 ? trailers : null}, ${body}, ${sum})`
    if (importedAt !== null) this.db.run`INSERT INTO imported (delivery_id, at) VALUES (${id}, ${importedAt})`
    const ring = ringOf({ ...rest, imported: importedAt !== null })
    return ring && [ring, storedBytes + Buffer.byteLength(rest.url)]
  }

  /** Call after a rollback: clears the cached ids of answers. */
  forget(): void {
    this.#answers.clear()
  }

  /** Stores an answer, unless it is stored already. Call it in a transaction. @returns the value for `delivery.answer_id` */
  answerId(headers: Buffer, body: Buffer): number {
    const bytes = Buffer.concat([Buffer.from(`${headers.byteLength}:`), headers, body])
    return this.#answers.idOf(bytes, (hash) => {
      const [found] = this.db.numbers`SELECT id FROM answer WHERE hash = ${hash}`
      return found ?? Number(this.db.insert('INTO answer', { hash, headers, body }).lastInsertRowid)
    })
  }
}

import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { AcuseError } from '#contract/errors.ts'
import { connectPrimary, end } from './database.ts'
import { copyRows, dateOf, type KeyedRecord } from './rows.ts'

/** A commit whose wait for the standby was cancelled ends with this notice, as if it had succeeded. */
export const NOT_REPLICATED = '01000'

/** One connection over which batches are stored, one at a time. After a failure the next batch gets a new connection. */
export class Lane {
  readonly #url: string
  readonly #name: string
  readonly #days = new Set<number>()
  #client: pg.Client | undefined
  #doubted = false

  constructor(url: string, name: string) {
    this.#url = url
    this.#name = name
  }

  /**
   * Stores records in one transaction, which returns once the synchronous standby has it.
   * @returns the place of each record @throws when it is not known to be durable; it may be stored all the same
   */
  store(records: readonly KeyedRecord[], timeoutMs: number): Promise<readonly bigint[]> {
    return this.#within(
      timeoutMs,
      async (client) => {
        const [, taken] = await many(client, `BEGIN; SELECT acuse.take(${records.length}) AS place`)
        const places = taken?.rows.map(({ place }): bigint => BigInt(place)) ?? []
        await copied(client, copyRows(records, places))
        await client.query('COMMIT')
        return places
      },
      records,
    )
  }

  /** Stores records of which some may be in the log already. */
  drain(records: readonly KeyedRecord[], timeoutMs: number): Promise<void> {
    return this.#within(
      timeoutMs,
      async (client) => {
        await client.query('BEGIN')
        await client.query(
          'CREATE TEMP TABLE IF NOT EXISTS draining (place bigint, day date, origin uuid, seq bigint, kind int, crc bigint, payload bytea) ON COMMIT DELETE ROWS',
        )
        const [taken] = await many(client, `SELECT acuse.take(${records.length}) AS place`)
        await copied(
          client,
          copyRows(records, taken?.rows.map(({ place }): bigint => BigInt(place)) ?? []),
          'draining',
        )
        await client.query(
          'INSERT INTO acuse.record SELECT * FROM draining ORDER BY place ON CONFLICT DO NOTHING',
        )
        // Without a write of its own, a transaction whose rows are all there commits without waiting for the standby.
        await client.query("SELECT pg_logical_emit_message(true, 'acuse', 'drained')")
        await client.query('COMMIT')
      },
      records,
    )
  }

  /**
   * Appends records that a follower may add; those that are there already are skipped. Read the log to learn that they are durable.
   * @returns the places of the new ones, in order
   */
  contribute(records: readonly KeyedRecord[], timeoutMs: number): Promise<readonly number[]> {
    return this.#within(
      timeoutMs,
      async (client) => {
        const { rows } = await client.query('SELECT acuse.contribute($1, $2, $3, $4, $5) AS place', [
          records.map(({ origin }) => origin),
          records.map(({ day }) => dateOf(day)),
          records.map(({ kind }) => kind),
          records.map(({ payload }) => crc32(payload)),
          records.map(({ payload }) => payload),
        ])
        return rows.map(({ place }) => Number(place)).toSorted((a, b) => a - b)
      },
      records,
    )
  }

  /** @throws when no primary is reached */
  async connect(): Promise<void> {
    await this.#connected()
  }

  close(): void {
    if (this.#client) end(this.#client)
    this.#client = undefined
  }

  async #within<T>(
    timeoutMs: number,
    work: (client: pg.Client) => Promise<T>,
    records: readonly KeyedRecord[],
  ): Promise<T> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () =>
        late.reject(
          new AcuseError('store-failed', `The shared log did not answer within ${timeoutMs / 1000} s.`),
        ),
      timeoutMs,
    )
    try {
      return await Promise.race([late.promise, this.#stored(work, records)])
    } catch (error) {
      this.#client?.connection.stream.destroy()
      this.close()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #stored<T>(work: (client: pg.Client) => Promise<T>, records: readonly KeyedRecord[]): Promise<T> {
    const client = await this.#connected()
    for (const { day } of records)
      if (!this.#days.has(day)) {
        await client.query('SELECT acuse.open_day($1)', [dateOf(day)])
        this.#days.add(day)
      }
    this.#doubted = false
    const done = await work(client)
    if (this.#doubted)
      throw new AcuseError(
        'store-failed',
        'The wait for the standby was cancelled, so the batch may be a single copy.',
      )
    return done
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = await connectPrimary(this.#url, this.#name)
    client.on('notice', ({ code }) => {
      if (code === NOT_REPLICATED) this.#doubted = true
    })
    await client.query('SET synchronous_commit = on')
    this.#client = client
    return client
  }
}

/** Results of several statements in one message. */
async function many(client: pg.Client, text: string): Promise<pg.QueryResult[]> {
  const results: pg.QueryResult | pg.QueryResult[] = await client.query(text)
  return Array.isArray(results) ? results : [results]
}

function copied(client: pg.Client, parts: readonly Buffer[], table = 'acuse.record'): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = client.query(copyFrom(`COPY ${table} FROM STDIN (FORMAT binary)`))
    stream.on('error', reject)
    stream.on('finish', resolve)
    stream.cork()
    for (const part of parts) stream.write(part)
    stream.end()
  })
}

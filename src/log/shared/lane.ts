import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { AcuseError } from '#contract/errors.ts'
import { abandon, connectPrimary, end, SHORT_SILENCE } from './database.ts'
import { copyMessages, dateOf, type KeyedRecord } from './rows.ts'

/** A commit whose wait for the standby was cancelled ends with this notice, as if it had succeeded. */
export const NOT_REPLICATED = '01000'

const INSERT_NEW = `INSERT INTO acuse.record (place, day, origin, seq, kind, crc, payload)
  SELECT taken.place, one.day, one.origin, one.seq, one.kind, one.crc, one.payload
  FROM unnest($1::date[], $2::uuid[], $3::bigint[], $4::int[], $5::bigint[], $6::bytea[])
    WITH ORDINALITY AS one (day, origin, seq, kind, crc, payload, number)
  JOIN (SELECT place, row_number() OVER (ORDER BY place) AS number FROM acuse.take(cardinality($1)) AS place) AS taken USING (number)
  ORDER BY taken.place ON CONFLICT DO NOTHING`

/** One connection over which batches are stored, one at a time. After a failure the next batch gets a new connection. */
export class Lane {
  readonly #url: string
  readonly #name: string
  readonly #days = new Set<number>()
  #client: pg.Client | undefined
  /** Counts connections that were given up. */
  #givenUp = 0
  #doubted = false

  constructor(url: string, name: string) {
    this.#url = url
    this.#name = name
  }

  /**
   * Stores records in one transaction, which returns once the synchronous standby has it. None proves that the log would take some.
   * @returns the place of each record @throws when it is not known to be durable; it may be stored all the same
   */
  async store(records: readonly KeyedRecord[], timeoutMs: number): Promise<readonly bigint[]> {
    if (records.length === 0) {
      await this.drain(records, timeoutMs)
      return []
    }
    return this.#within(
      timeoutMs,
      // One message, so one transaction without BEGIN and COMMIT.
      (client) => client.query(new PlacedCopy(records)).places,
      records,
    )
  }

  /** Stores records of which some may be in the log already. None proves that the log would take some. */
  drain(records: readonly KeyedRecord[], timeoutMs: number): Promise<void> {
    return this.#within(
      timeoutMs,
      async (client) => {
        await client.query('BEGIN')
        // No temporary table: its end is a commit of its own, for which a server that ends waits for the standby too.
        await client.query(INSERT_NEW, [
          records.map(({ day }) => dateOf(day)),
          records.map(({ origin }) => origin),
          records.map(({ seq }) => seq),
          records.map(({ kind }) => kind),
          records.map(({ payload }) => crc32(payload)),
          records.map(({ payload }) => payload),
        ])
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
    this.#forget()
  }

  #forget(): void {
    this.#givenUp += 1
    this.#client = undefined
    // The next connection may be to a server without them, and days are dropped.
    this.#days.clear()
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
      if (this.#client) abandon(this.#client)
      this.#forget()
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
    const givenUp = this.#givenUp
    const client = await connectPrimary(this.#url, this.#name, undefined, async (fresh) => {
      fresh.on('notice', ({ code }) => {
        if (code === NOT_REPLICATED) this.#doubted = true
      })
      await fresh.query(`SET synchronous_commit = on; ${SHORT_SILENCE}`)
      // Records that have waited too long are elsewhere by now.
      if (givenUp !== this.#givenUp) throw new AcuseError('store-failed', 'The connection came too late.')
    })
    // When the server ends an idle connection, the next batch must not fail for it.
    const forget = () => {
      if (this.#client === client) this.#forget()
    }
    client.on('error', forget).on('end', forget)
    this.#client = client
    return client
  }
}

/** Takes a place for each record and copies them, with one message there and one of rows: every write to the socket costs. */
class PlacedCopy implements pg.Submittable {
  readonly #records: readonly KeyedRecord[]
  readonly #places: bigint[] = []
  readonly #done = Promise.withResolvers<readonly bigint[]>()

  constructor(records: readonly KeyedRecord[]) {
    this.#records = records
  }

  /** The places, once the database has ended all that the message began. */
  get places(): Promise<readonly bigint[]> {
    return this.#done.promise
  }

  submit(connection: pg.Connection): void {
    connection.query(
      `SELECT acuse.take(${this.#records.length}); COPY acuse.record FROM STDIN (FORMAT binary)`,
    )
  }

  handleRowDescription(): void {}

  handleDataRow({ fields: [place] }: { readonly fields: readonly string[] }): void {
    this.#places.push(BigInt(place ?? 0))
  }

  handleCopyInResponse({ stream }: pg.Connection): void {
    try {
      stream.write(copyMessages(this.#records, this.#places))
    } catch (error) {
      // Thrown from here it would end the process. The lane cuts the connection, which rolls back.
      this.#done.reject(error)
    }
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#done.reject(error)
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#places)
  }
}

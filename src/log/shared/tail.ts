import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { AcuseError } from '#contract/errors.ts'
import type { CoverageSpan } from '#contract/status.ts'
import { BEAT_MS, CHANNEL } from './beat.ts'
import { ANSWER_MS, Connection, connectPrimary, shown } from './database.ts'
import { DAY_MS, dateOf } from './rows.ts'
import { demandSchema } from './schema.ts'

/** Longest silence of the server within its answer. The whole answer may take longer: records are large, and networks slow. */
const SILENCE_MS = 30_000
const READ_MS = 2 ** 31 - 1

/** A record of the shared log. */
export interface SharedEntry {
  readonly place: number
  readonly kind: number
  readonly payload: Buffer
  /** Whether the payload is what the receiver sent. */
  readonly whole: boolean
}

/** A read ends after the record that reaches so many bytes. */
const READ_BYTES = 16_000_000
/** Records without a limit of bytes would be half a gigabyte where bodies are large. */
const READ = `SELECT place, kind, crc, payload, before + octet_length(payload) AS upto FROM
    (SELECT place, kind, crc, payload, sum(octet_length(payload)) OVER (ORDER BY place) - octet_length(payload) AS before
      FROM (SELECT place, kind, crc, payload FROM acuse.record WHERE place > $1 AND place <= $2 ORDER BY place LIMIT $3) AS asked) AS measured
  WHERE before < ${READ_BYTES} ORDER BY place`

interface Horizon {
  readonly last: number
  readonly writers: readonly string[]
  readonly written: bigint
  readonly replicated: bigint
  readonly dropped: number
}

/** Places up to `last` are final once the writers have ended and the standbys have the log up to `written`, its end at that moment. */
interface Candidate extends Pick<Horizon, 'last' | 'writers'> {
  readonly written: bigint | undefined
}

/**
 * Reads a shared log in order of places, and misses none. Places do not commit in order, so the tail reads up to a place only when every
 * transaction that might hold an earlier one has ended, and the synchronous standbys have everything up to then: else a failover could
 * take back what was read.
 */
export class Tail {
  readonly #connection: Connection
  #after: number
  /** Places up to here are final. */
  #safe: number
  #candidate: Candidate | undefined
  #dropped = 0
  #lacks = false
  /** Whether records were announced since the last read. */
  #announced = false
  #wake: (() => void) | undefined

  /** @param after the last place to skip @param identity of the log that is meant; another one is refused */
  constructor(url: string, name: string, after: number, identity?: string) {
    this.#connection = new Connection(() =>
      connectPrimary(url, name, ANSWER_MS, async (client) => {
        // Transactions and write-ahead positions of one server mean nothing on another.
        this.#candidate = undefined
        await demandSchema(client)
        if (identity !== undefined && (await identityOf(client)) !== identity)
          throw new AcuseError(
            'conflict',
            `The data folder follows another shared log than ${shown(url)}. Say another folder with --data.`,
          )
        client.on('notification', () => this.wake())
        await client.query(`LISTEN ${CHANNEL}`)
      }),
    )
    this.#after = after
    this.#safe = after
  }

  /**
   * The place after which a first reading begins. @param from `newest`, or milliseconds since the epoch: the beginning of that day, UTC
   * @returns it with the log's identity
   */
  async begin(from: 'newest' | number): Promise<{ readonly identity: string; readonly after: number }> {
    const client = await this.#connection.client()
    const identity = await identityOf(client)
    if (from === 'newest') return { identity, after: (await horizon(client)).last }
    const found = await client.query('SELECT min(place) - 1 AS after FROM acuse.record WHERE day >= $1', [
      dateOf(Math.floor(from / DAY_MS)),
    ])
    const after = found.rows[0]?.after
    return { identity, after: after === null ? (await horizon(client)).last : Number(after) }
  }

  /** @param limit maximum of records @returns the next records; empty when there is none yet @throws when the log cannot be reached */
  async next(limit: number): Promise<readonly SharedEntry[]> {
    this.#announced = false
    try {
      const client = await this.#connection.client()
      // Before each read: a day may be dropped while records of it are still to be read.
      this.#advance(await horizon(client))
      if (!this.more) return []
      const asked = {
        text: READ,
        values: [this.#after, this.#safe, limit],
        query_timeout: READ_MS,
      }
      const { rows } = await whileHeard(client, client.query(asked))
      const last = rows.at(-1)
      const all = rows.length < limit && Number(last?.upto ?? 0) < READ_BYTES
      this.#after = all ? this.#safe : Number(last?.place)
      return rows.map(({ place, kind, crc, payload }) => ({
        place: Number(place),
        kind,
        payload,
        whole: crc32(payload) === Number(crc),
      }))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * When which receivers listened, and when none did, up to now: see `coverageOf`; and whether one listens now, by the database's clock.
   * @throws when the log cannot be reached
   */
  async coverage(): Promise<{ readonly spans: readonly CoverageSpan[]; readonly listening: boolean }> {
    const client = await this.#connection.client()
    const { rows } = await client.query(
      "SELECT name, since, until, until > now() - interval '10 seconds' AS fresh FROM acuse.listening JOIN acuse.receiver USING (origin)",
    )
    const spans = coverageOf(
      rows.map(({ name, since, until }) => ({ name, from: since.getTime(), to: until.getTime() + BEAT_MS })),
    )
    return { spans, listening: rows.some(({ fresh }) => fresh) }
  }

  /** Waits until a receiver announces records, but not longer than given. @returns whether one did since the last read */
  async announced(longestMs: number): Promise<boolean> {
    if (this.#announced) return true
    const woken = Promise.withResolvers<void>()
    this.#wake = woken.resolve
    const timer = setTimeout(woken.resolve, longestMs)
    await woken.promise
    clearTimeout(timer)
    return this.#announced
  }

  /** Ends a wait. */
  wake(): void {
    this.#announced = true
    this.#wake?.()
  }

  /** Reads again from a place on. */
  rewind(after: number): void {
    this.#after = after
  }

  close(): void {
    this.#connection.close()
  }

  /** Whether records can be read that are known to be final. */
  get more(): boolean {
    return this.#after < this.#safe
  }

  /** Whether days were dropped, since the last question, before all of them was read here. */
  lacks(): boolean {
    const lacks = this.#lacks
    this.#lacks = false
    return lacks
  }

  #advance({ last, writers, written, replicated, dropped }: Horizon): void {
    if (last < this.#after) {
      this.#safe = 0
      throw new AcuseError(
        'conflict',
        `The shared log ends at id ${last}, but was read up to ${this.#after}: it was restored to an earlier moment, and gives these ids again. Follow it into another folder with --data.`,
      )
    }
    if (dropped > this.#dropped) this.#lacks = dropped > this.#after
    this.#dropped = dropped
    const now = { last, writers, written: writers.length === 0 ? written : undefined }
    for (const one of [this.#candidate ?? now, now]) {
      const ended =
        one.written ?? (one.writers.some((writer) => writers.includes(writer)) ? undefined : written)
      this.#candidate = { ...one, written: ended }
      if (ended === undefined || replicated < ended) return
      this.#safe = Math.max(this.#safe, one.last)
    }
    this.#candidate = undefined
  }
}

interface Run {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The coverage of several receivers together. @param runs times in milliseconds since the epoch @returns spans in order, without gaps */
export function coverageOf(runs: readonly Run[]): readonly CoverageSpan[] {
  const edges = runs
    .flatMap(({ name, from, to }) => [
      { at: from, name, by: 1 },
      { at: to, name, by: -1 },
    ])
    .toSorted((a, b) => a.at - b.at)
  const up = new Map<string, number>()
  const spans: CoverageSpan[] = []
  for (const [index, { at, name, by }] of edges.entries()) {
    up.set(name, (up.get(name) ?? 0) + by)
    const to = edges[index + 1]?.at
    if (to === undefined || to === at) continue
    const receivers = [...up].flatMap(([one, count]) => (count > 0 ? [one] : [])).toSorted()
    const last = spans.at(-1)
    if (last?.receivers?.join('\n') === receivers.join('\n')) spans[spans.length - 1] = { ...last, to }
    else spans.push({ state: receivers.length > 0 ? 'listening' : 'off', from: at, to, receivers })
  }
  return spans
}

/** Waits for an answer while parts of it come; silence ends the connection. */
async function whileHeard<T>({ connection: { stream } }: pg.Client, answer: Promise<T>): Promise<T> {
  let isSilent = true
  const hear = () => {
    isSilent = false
  }
  stream.on('data', hear)
  const timer = setInterval(() => {
    if (isSilent)
      stream.destroy(new AcuseError('store-failed', `The shared log was silent for ${SILENCE_MS / 1000} s.`))
    isSilent = true
  }, SILENCE_MS)
  return answer.finally(() => {
    clearInterval(timer)
    stream.off('data', hear)
  })
}

async function identityOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query('SELECT id FROM acuse.identity')
  return String(rows[0]?.id)
}

async function horizon(client: pg.Client): Promise<Horizon> {
  const { rows } = await client.query('SELECT * FROM acuse.horizon()')
  const [{ last, writers, written, replicated, dropped }] = rows
  return {
    last: Number(last),
    writers,
    written: lsn(written),
    replicated: lsn(replicated),
    dropped: Number(dropped),
  }
}

/** @param text a position of the write-ahead log, as two hexadecimal numbers */
function lsn(text: string): bigint {
  const [high, low] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

import { uptime } from 'node:os'
import { ANSWER_MS, Connection, connectPrimary } from './database.ts'

/** A receiver that was killed listened for at most this long after its last beat. */
export const BEAT_MS = 1_000
/** After so many seconds without a call of `beat`, the process was stopped, or its machine slept. */
const ASLEEP_S = 10
/** Notifications on this channel wake followers that wait for records. */
export const CHANNEL = 'acuse'
/** A follower that read a record less than ten seconds ago polls anyway. */
const ANNOUNCE_MS = 1_000

/** What a receiver tells about itself. */
export interface Pulse {
  readonly origin: string
  readonly name: string
  /** Where it listens; null while it does not. */
  readonly address: string | null
  /** Records that only this machine has so far. */
  readonly singleCopies: number
  /** Whether it keeps old endpoints, because it cannot read the present ones. */
  readonly outdated: boolean
}

/**
 * Tells the shared log each second that a receiver runs, and since when it listens. The times of listening, of all receivers together,
 * are the coverage of the shared log.
 */
export class Beat {
  readonly #pulse: () => Pulse
  readonly #alone: (isAlone: boolean) => void
  readonly #connection: Connection
  /** By the clock of the database, like all times of beats: those of the receivers may differ. */
  #since: Date | null = null
  /** When it began to listen, by `performance.now`. */
  #began: number | null = null
  /** `uptime` of the last call of `beat`: unlike `performance.now`, it counts a sleep of the machine. */
  #called = uptime()
  #announced = Number.NEGATIVE_INFINITY
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> | undefined

  /** @param alone told at each beat whether the database has no synchronous standby */
  constructor(url: string, pulse: () => Pulse, alone: (isAlone: boolean) => void) {
    // A beat may be lost; it must not wait for the standby.
    this.#connection = new Connection(() =>
      connectPrimary(url, pulse().name, ANSWER_MS, (client) =>
        client.query('SET synchronous_commit = local'),
      ),
    )
    this.#pulse = pulse
    this.#alone = alone
    this.#timer = setInterval(() => void this.beat(), BEAT_MS)
  }

  /** Tells now; two beats at once are one. */
  beat(): Promise<void> {
    const now = uptime()
    if (now - this.#called > ASLEEP_S) this.#since = this.#began = null
    this.#called = now
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined
    })
    return this.#beating
  }

  /**
   * Tells the followers of new records, seldom. A batch does not notify in its own commit: a commit with NOTIFY has a lock of the whole
   * database until the standby has it, so batches would wait for each other.
   */
  announce(): void {
    if (performance.now() < this.#announced + ANNOUNCE_MS) return
    this.#announced = performance.now()
    this.#connection.present?.query(`NOTIFY ${CHANNEL}`).catch(() => {})
  }

  /** Tells for the last time. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#beat()
    this.#connection.close()
  }

  async #beat(): Promise<void> {
    const { origin, name, address, singleCopies, outdated } = this.#pulse()
    if (address === null) this.#since = this.#began = null
    else this.#began ??= performance.now()
    try {
      const client = await this.#connection.client()
      const { rows } = await client.query(
        `INSERT INTO acuse.receiver (origin, name, address, seen_at, single_copies, outdated)
          VALUES ($1, $2, $3, date_trunc('milliseconds', now()), $4, $5)
          ON CONFLICT (origin) DO UPDATE SET address = $3, seen_at = excluded.seen_at, single_copies = $4, outdated = $5
          RETURNING seen_at, current_setting('synchronous_standby_names') = '' AS alone`,
        [origin, name, address, singleCopies, outdated],
      )
      const [{ seen_at: now, alone }] = rows
      this.#alone(alone)
      if (this.#began === null) return
      // It may have listened before it first reached the database.
      this.#since ??= new Date(now.getTime() - Math.floor(performance.now() - this.#began))
      await client.query(
        `INSERT INTO acuse.listening (origin, since, until) VALUES ($1, $2, $3)
          ON CONFLICT (origin, since) DO UPDATE SET until = $3`,
        [origin, this.#since, now],
      )
    } catch {
      // The log tells that the database cannot be reached; the next beat extends the span over this time.
      this.#connection.close()
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { AcuseError } from '#contract/errors.ts'
import type { SharedWork } from '#contract/status.ts'
import type { Leases, WantedWork, WorkKey } from '#core/lease.ts'
import { ANSWER_MS, connectPrimary, reasonOf, SHORT_SILENCE } from './database.ts'
import { NOT_REPLICATED } from './lane.ts'
import { demandSchema, WORKING } from './schema.ts'

const BEAT_MS = 500
/** A holder stops this long after it sent its last answered beat; the server ends its session, and so its locks, only later. */
const HELD_MS = 2_000
/**
 * The server ends a session that is silent for three seconds: also that of a stopped process, whose kernel still acknowledges, and of a
 * machine that is gone.
 */
const SESSION = `SET synchronous_commit = on; SET idle_session_timeout = '3s'; ${SHORT_SILENCE}`

const MAY_WORK =
  "SELECT has_table_privilege('acuse.work', 'UPDATE') AND has_table_privilege('acuse.started', 'DELETE') AS may"

const LATE = 'The shared log did not answer in time.'
const NO_ROLE =
  'This user of the database may only read, so forwards, alerts and scheduled sweeps do not run here. Grant it the role acuse_work.'

/** A follower that takes part in the work. */
export interface Peer {
  readonly url: string
  /** Name of this machine, for the others. */
  readonly name: string
  /** Identity of this data folder. */
  readonly origin: string
}

export interface SharedLeasesOptions extends Peer {
  /** @param works everything that followers do by lease @param reason why this one cannot take part; null when it can */
  told?(works: readonly SharedWork[], reason: string | null): void
}

interface Held {
  readonly work: WantedWork
  readonly id: number
  readonly lease: string
  reached: number
}

interface Started {
  readonly id: number
  readonly lease: string
  readonly place: number
}

/**
 * Leases by advisory locks of one session, which a lost connection gives back. The lock alone proves nothing to a process that was stopped
 * and goes on: so each lease has a number, which every start of a delivery and every kept memory is checked against in its transaction.
 */
export class SharedLeases implements Leases {
  readonly #options: SharedLeasesOptions
  readonly #wanted = new Map<string, WantedWork>()
  readonly #held = new Map<string, Held>()
  readonly #ids = new Map<string, number>()
  /** Counters of memories kept by others, as last read. */
  readonly #kept = new Map<number, string>()
  readonly #started = new Map<string, Started>()
  #ends: (Started & { readonly sent: boolean })[] = []
  #client: pg.Client | undefined
  #mayWork = false
  #validUntil = 0
  #doubted = false
  /** The last statement: a connection takes one at a time. */
  #turn: Promise<unknown> = Promise.resolve()
  #flushing: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()
  readonly #running: Promise<void>

  constructor(options: SharedLeasesOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  want(kind: WorkKey['kind'], works: readonly WantedWork[]): void {
    for (const [key, work] of this.#wanted) if (work.kind === kind) this.#wanted.delete(key)
    for (const work of works) this.#wanted.set(keyOf(work), work)
  }

  holds(work: WorkKey): boolean {
    return performance.now() < this.#validUntil && this.#held.has(keyOf(work))
  }

  async start(deliveries: Parameters<Leases['start']>[0]): Promise<void> {
    const asked = performance.now()
    const starting = deliveries.map(({ work, id: place }) => {
      const held = this.holds(work) ? this.#held.get(keyOf(work)) : undefined
      if (!held) throw new AcuseError('conflict', 'Another follower of the shared log does this work now.')
      return { key: startKey(work, place), id: held.id, lease: held.lease, place }
    })
    for (const { key, ...one } of starting) this.#started.set(key, one)
    await this.#advance(starting)
    // A process that was stopped meanwhile has lost its lease.
    if (performance.now() - asked > HELD_MS || !deliveries.every(({ work }) => this.holds(work)))
      throw new AcuseError('conflict', LATE)
  }

  ended(work: WorkKey, place: number, sent: boolean): void {
    const key = startKey(work, place)
    const started = this.#started.get(key)
    if (!started) return
    this.#started.delete(key)
    this.#ends.push({ ...started, sent })
    // Soon, so that few are uncertain when this process is killed; with the next start if that comes first.
    this.#flushing ??= setTimeout(() => {
      this.#flushing = undefined
      void this.#advance([]).catch(() => {})
    }, 20)
  }

  async keep(work: WorkKey, memory: unknown): Promise<void> {
    const held = this.holds(work) ? this.#held.get(keyOf(work)) : undefined
    if (!held) throw new AcuseError('conflict', 'Another follower of the shared log does this work now.')
    const { rowCount } = await this.#ask(
      'UPDATE acuse.work SET memory = $3, kept = kept + 1, kept_at = now() WHERE id = $1 AND lease = $2',
      [held.id, held.lease, JSON.stringify({ origin: this.#options.origin, memory })],
    )
    if (rowCount === 1) return
    this.#lose()
    throw new AcuseError('conflict', LATE)
  }

  /** Gives the leases back at once. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
    clearTimeout(this.#flushing)
    if (this.#client && this.#ends.length > 0) await this.#advance([]).catch(() => {})
    await Promise.race([this.#client?.end(), pause(HELD_MS, undefined, { ref: false })]).catch(() => {})
    this.#lose()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        await this.#beat()
      } catch (error) {
        this.#lose()
        this.#options.told?.([], reasonOf(error))
      }
      await pause(BEAT_MS, undefined, { signal }).catch(() => {})
    }
  }

  async #beat(): Promise<void> {
    await this.#connected()
    if (!this.#mayWork) this.#mayWork = (await this.#ask(MAY_WORK, [])).rows[0]?.may === true
    const sent = performance.now()
    const { rows } = await this.#ask('SELECT * FROM acuse.work_state ORDER BY kind, name, destination', [])
    this.#validUntil = sent + HELD_MS
    this.#options.told?.(rows.map(workOf), this.#mayWork ? null : NO_ROLE)
    if (!this.#mayWork) return
    for (const row of rows) {
      const key = keyOf(row)
      this.#ids.set(key, row.id)
      const wanted = this.#wanted.get(key)
      if (!wanted || this.#kept.get(row.id) === row.kept) continue
      if (!this.#held.has(key)) wanted.kept?.(...this.#memoryOf(row.memory))
      this.#kept.set(row.id, row.kept)
    }
    for (const [key, held] of this.#held) {
      if (this.#wanted.get(key)?.by === held.work.by) await this.#reach(held)
      else await this.#give(key, held)
    }
    for (const [key, work] of [...this.#wanted])
      if (!this.#held.has(key) && (work.ready?.() ?? true)) await this.#take(key, work)
  }

  async #take(key: string, work: WantedWork): Promise<void> {
    const { after, fresh } = work.begin?.() ?? { after: 0, fresh: false }
    let id = this.#ids.get(key)
    if (id === undefined) {
      const { kind, name, destination } = work
      await this.#ask(
        'INSERT INTO acuse.work (kind, name, destination, upto) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [kind, name, destination, after],
      )
      const found = await this.#ask(
        'SELECT id FROM acuse.work WHERE kind = $1 AND name = $2 AND destination = $3',
        [kind, name, destination],
      )
      id = Number(found.rows[0]?.id)
      this.#ids.set(key, id)
    }
    const locked = await this.#ask('SELECT pg_try_advisory_lock($1, $2) AS got', [WORKING, id])
    if (locked.rows[0]?.got !== true) return
    await this.#advance([])
    // First the number, then what was started: nothing is started under an older number from then on.
    const { rows } = await this.#ask(
      `UPDATE acuse.work SET lease = lease + 1, holder = $2, origin = $3, upto = greatest(upto, $4)
        WHERE id = $1 RETURNING lease, upto, memory, (extract(epoch FROM kept_at) * 1000)::float8 AS kept_at`,
      [id, this.#options.name, this.#options.origin, fresh ? after : 0],
    )
    const left = await this.#ask(
      `WITH doubted AS (UPDATE acuse.started SET state = 'uncertain' WHERE work = $1 AND state = 'started' RETURNING place),
        counted AS (UPDATE acuse.work SET uncertain = uncertain + (SELECT count(*) FROM doubted) WHERE id = $1)
        SELECT place, place IN (SELECT place FROM doubted) AS uncertain FROM acuse.started WHERE work = $1 ORDER BY place`,
      [id],
    )
    const [{ lease, upto, memory, kept_at: keptAt }] = rows
    const [recalled, own] = this.#memoryOf(memory)
    const places = (of: readonly { readonly place: string }[]) => of.map(({ place }) => Number(place))
    this.#held.set(key, { work, id, lease, reached: Number(upto) })
    work.taken({
      upto: Number(upto),
      started: places(left.rows),
      uncertain: places(left.rows.filter(({ uncertain }) => uncertain)),
      memory: recalled,
      own,
      keptAt: Math.round(keptAt),
    })
  }

  #memoryOf(kept: { readonly origin: string; readonly memory: unknown } | null): [unknown, boolean] {
    return [kept?.memory ?? null, kept?.origin === this.#options.origin]
  }

  async #reach(held: Held): Promise<void> {
    const reached = held.work.reached?.() ?? 0
    if (reached <= held.reached) return
    await this.#advance([])
    await this.#ask(
      `WITH moved AS (UPDATE acuse.work SET upto = greatest(upto, $3) WHERE id = $1 AND lease = $2 RETURNING id)
        DELETE FROM acuse.started s USING moved WHERE s.work = moved.id AND s.place <= $3 AND s.state <> 'started'`,
      [held.id, held.lease, reached],
    )
    held.reached = reached
  }

  async #give(key: string, { work, id }: Held): Promise<void> {
    if (work.ready && !work.ready()) return
    this.#held.delete(key)
    work.lost()
    await this.#advance([])
    await this.#ask('SELECT pg_advisory_unlock($1, $2)', [WORKING, id])
  }

  async #advance(starting: readonly Started[]): Promise<void> {
    const ends = this.#ends.splice(0)
    if (ends.length + starting.length === 0) return
    try {
      await this.#ask('SELECT acuse.advance($1, $2, $3, $4, $5, $6, $7)', [
        ...columnsOf(ends),
        ends.map(({ sent }) => sent),
        ...columnsOf(starting),
      ])
    } catch (error) {
      this.#ends.unshift(...ends)
      throw error
    }
  }

  /** Any failure ends all leases, since it is unknown what the server did. */
  #ask(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const answer = this.#turn.then(() => this.#query(text, values))
    this.#turn = answer.catch(() => {})
    return answer
  }

  async #query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const client = this.#client
    if (!client) throw new AcuseError('store-failed', LATE)
    const late = new AbortController()
    try {
      this.#doubted = false
      const answer = await Promise.race([
        client.query(text, values),
        pause(HELD_MS, null, { signal: late.signal }),
      ])
      if (!answer || this.#doubted) throw new AcuseError('store-failed', LATE)
      return answer
    } catch (error) {
      if (this.#client === client) this.#lose()
      throw error
    } finally {
      late.abort()
    }
  }

  async #connected(): Promise<void> {
    if (this.#client) return
    const { url, name } = this.#options
    const client = await connectPrimary(url, `${name} works`, ANSWER_MS, async (fresh) => {
      await demandSchema(fresh)
      await fresh.query(SESSION)
    })
    client.on('notice', ({ code }) => {
      if (code === NOT_REPLICATED) this.#doubted = true
    })
    client.on('end', () => this.#client === client && this.#lose())
    this.#client = client
  }

  #lose(): void {
    this.#validUntil = 0
    this.#mayWork = false
    this.#client?.connection.stream.destroy()
    this.#client = undefined
    this.#ids.clear()
    const held = [...this.#held.values()]
    this.#held.clear()
    for (const { work } of held) work.lost()
  }
}

const keyOf = ({ kind, name, destination }: WorkKey): string => JSON.stringify([kind, name, destination])
const startKey = (work: WorkKey, place: number): string => `${place} ${keyOf(work)}`

const columnsOf = (list: readonly Started[]) => [
  list.map(({ id }) => id),
  list.map(({ lease }) => lease),
  list.map(({ place }) => place),
]

/** @param row of acuse.work_state */
export function workOf(row: Record<string, unknown>): SharedWork {
  return {
    kind: row.kind === 'alert' || row.kind === 'sweep' ? row.kind : 'forward',
    name: String(row.name),
    destination: String(row.destination),
    holder: row.held === true ? String(row.holder) : null,
    uncertain: Number(row.uncertain),
  }
}

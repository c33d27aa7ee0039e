import type pg from 'pg'
import type { SharedWork } from '#contract/status.ts'
import { workOf } from './leases.ts'
import { demandSchema, LOCKS, PRUNING } from './schema.ts'

export interface SharedStatus {
  /** Whether commits wait for a synchronous standby. */
  readonly replicated: boolean
  /** Those of the last day, the last seen first. */
  readonly receivers: readonly {
    readonly name: string
    /** Null while it does not listen. */
    readonly address: string | null
    /** Seen within the last seconds, and listening. */
    readonly up: boolean
    /** ISO 8601, UTC. */
    readonly seenAt: string
    /** Records that only its machine has. */
    readonly singleCopies: number
    /** Whether it keeps old endpoints, because it cannot read the present ones. */
    readonly outdated: boolean
  }[]
  readonly days: readonly SharedDay[]
  /** What followers do by lease. */
  readonly work: readonly SharedWork[]
}

interface SharedDay {
  readonly day: string
  /** By the statistics of the database, so not exact. */
  readonly records: number
  readonly bytes: number
}

/** @throws AcuseError when the database has no shared log of this version; PostgreSQL's error */
export async function statusOf(client: pg.Client): Promise<SharedStatus> {
  await demandSchema(client)
  const standbys = await client.query(
    "SELECT current_setting('synchronous_standby_names') <> '' AS replicated",
  )
  const receivers = await client.query(
    `SELECT name, address, address IS NOT NULL AND seen_at > now() - interval '5 seconds' AS up, seen_at, single_copies, outdated
      FROM acuse.receiver WHERE seen_at > now() - interval '1 day' ORDER BY seen_at DESC`,
  )
  return {
    replicated: standbys.rows[0]?.replicated === true,
    receivers: receivers.rows.map(({ name, address, up, seen_at, single_copies, outdated }) => ({
      name,
      address,
      up,
      seenAt: seen_at.toISOString(),
      singleCopies: Number(single_copies),
      outdated,
    })),
    days: (await daysOf(client)).map(({ attached: _, ...day }) => day),
    work: (await client.query('SELECT * FROM acuse.work_state ORDER BY kind, name, destination')).rows.map(
      workOf,
    ),
  }
}

/** The last place that the log gave. */
export async function lastPlace(client: pg.Client): Promise<number> {
  const { rows } = await client.query('SELECT last FROM acuse.horizon()')
  return Number(rows[0]?.last)
}

/** Drops the days before `before`, or only says what they hold. @param before such as 2026-11-27, UTC */
export async function dropDays(
  client: pg.Client,
  before: string,
  dryRun: boolean,
): Promise<{ readonly dropped: readonly string[]; readonly records: number; readonly bytes: number }> {
  await demandSchema(client)
  const days = (await daysOf(client)).filter(({ day }) => day < before)
  if (!dryRun) {
    await client.query(`SELECT pg_advisory_lock(${LOCKS}, ${PRUNING})`)
    for (const { day, attached } of await daysOf(client)) if (day < before) await drop(client, day, attached)
    await client.query(`SELECT pg_advisory_unlock(${LOCKS}, ${PRUNING})`)
  }
  return {
    dropped: days.map(({ day }) => day),
    records: days.reduce((sum, { records }) => sum + records, 0),
    bytes: days.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Takes the day off first, which waits for those who read it: to drop it at once would make receivers wait behind the readers. */
async function drop(client: pg.Client, day: string, attached: boolean | null): Promise<void> {
  const table = `acuse.record_${day.replaceAll('-', '')}`
  if (attached !== null)
    await client.query(
      `ALTER TABLE acuse.record DETACH PARTITION ${table} ${attached ? 'CONCURRENTLY' : 'FINALIZE'}`,
    )
  await client.query('BEGIN')
  await client.query(
    `INSERT INTO acuse.dropped SELECT '${day}', max(place) FROM ${table} HAVING max(place) IS NOT NULL
      ON CONFLICT (day) DO UPDATE SET upto = excluded.upto`,
  )
  await client.query(`DROP TABLE ${table}`)
  await client.query('COMMIT')
}

interface StoredDay extends SharedDay {
  /** False, or null for one already off: what a drop left that was killed. */
  readonly attached: boolean | null
}

async function daysOf(client: pg.Client): Promise<readonly StoredDay[]> {
  const { rows } = await client.query(
    `SELECT c.relname AS name, NOT i.inhdetachpending AS attached, greatest(coalesce(s.n_live_tup, 0), c.reltuples, 0)::bigint AS records, pg_total_relation_size(c.oid) AS bytes
      FROM pg_class c LEFT JOIN pg_inherits i ON c.oid = i.inhrelid LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
      WHERE c.relnamespace = 'acuse'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^record_\\d{8}$' ORDER BY c.relname`,
  )
  return rows.map(({ name, records, bytes, attached }) => ({
    attached,
    day: String(name).replace(/^record_(....)(..)(..)$/, '$1-$2-$3'),
    records: Number(records),
    bytes: Number(bytes),
  }))
}

import type { ClientBase } from 'pg'
import { AcuseError } from '#contract/errors.ts'

/** First key of the advisory locks of a shared log ("ACUS"); the second tells what the lock is for. */
export const LOCKS = 0x41_43_55_53
/** Held by a transaction from before it takes places until it ends. */
export const APPENDING = 1
export const MIGRATING = 2
export const PRUNING = 3
/** First key of the locks of works; the second is the work's id. */
export const WORKING = LOCKS + 1

/**
 * Makes the partition of a day, which a receiver calls before its first record of the day. That is the day of the record's first attempt,
 * so a record that waited in a spill may make a day again that was dropped. A day is made apart and attached, since
 * `PARTITION OF` waits for all who read the log, such as a backup, and receivers wait behind it.
 */
const OPEN_DAY = `
CREATE OR REPLACE FUNCTION acuse.open_day(wanted date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  named text := 'record_' || to_char(wanted, 'YYYYMMDD');
BEGIN
  IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass('acuse.' || named)) THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(${LOCKS}, ${MIGRATING});
  -- Not to_regclass, which remembers for the whole transaction that the table was missing before this one waited for the lock.
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'acuse'::regnamespace AND relname = named) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE acuse.%I (LIKE acuse.record INCLUDING ALL) WITH (toast_tuple_target = 8160)', named);
  EXECUTE format('ALTER TABLE acuse.record ATTACH PARTITION acuse.%I FOR VALUES FROM (%L) TO (%L)', named, wanted, wanted + 1);
END $$`

/**
 * What a reader has to know to miss nothing. \`last\`: the newest place taken. \`writers\`: transactions that may hold places up to it
 * without being visible yet. \`written\`: end of the write-ahead log, which contains every visible record. \`replicated\`: how far the
 * synchronous standbys have it; without any, the same. \`dropped\`: the newest place in a day that was dropped.
 */
const HORIZON = `
CREATE FUNCTION acuse.horizon(OUT last bigint, OUT writers text[], OUT written pg_lsn, OUT replicated pg_lsn, OUT dropped bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  names text := current_setting('synchronous_standby_names');
  wanted int := coalesce(substring(names FROM '^\\s*(?:ANY|FIRST)?\\s*(\\d+)\\s*\\(')::int, 1);
BEGIN
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM acuse.place;
  SELECT coalesce(array_agg(virtualtransaction), '{}') INTO writers FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS} AND objid = ${APPENDING} AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
  SELECT coalesce(max(upto), 0) INTO dropped FROM acuse.dropped;
  written := pg_current_wal_flush_lsn();
  IF names = '' THEN
    replicated := written;
  ELSE
    IF NOT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') THEN
      RAISE insufficient_privilege USING MESSAGE =
        format('The owner of the shared log cannot see its standbys. Let an administrator of the database run: GRANT pg_read_all_stats TO %I', current_user);
    END IF;
    SELECT flush_lsn INTO replicated FROM pg_stat_replication
      WHERE sync_state IN ('sync', 'quorum') AND flush_lsn IS NOT NULL
      ORDER BY flush_lsn DESC OFFSET wanted - 1 LIMIT 1;
    replicated := coalesce(replicated, '0/0');
  END IF;
END $$`

/**
 * Appends what a follower may: annotations (kind 7), and deliveries that are marked as rebuilt (kind 1 with flag 8). A record that is there
 * already is skipped.
 */
const CONTRIBUTE = `
CREATE FUNCTION acuse.contribute(origins uuid[], days date[], kinds int[], crcs bigint[], payloads bytea[]) RETURNS SETOF bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(kinds, payloads) AS one (kind, payload)
    WHERE (CASE WHEN kind = 7 THEN octet_length(payload) <= 100000
      WHEN kind = 1 AND octet_length(payload) > 72 THEN get_byte(payload, 30) & 8 <> 0 END) IS NOT TRUE) THEN
    RAISE insufficient_privilege USING MESSAGE = 'permission denied: a follower adds annotations and rebuilt events only';
  END IF;
  RETURN QUERY INSERT INTO acuse.record (place, day, origin, seq, kind, crc, payload)
    SELECT taken.place, one.day, one.origin, 0, one.kind, one.crc, one.payload
    FROM unnest(origins, days, kinds, crcs, payloads) WITH ORDINALITY AS one (origin, day, kind, crc, payload, number)
    JOIN (SELECT place, row_number() OVER (ORDER BY place) AS number FROM acuse.take(cardinality(origins)) AS place) AS taken USING (number)
    ORDER BY taken.place
    ON CONFLICT DO NOTHING RETURNING record.place;
END $$;
REVOKE EXECUTE ON FUNCTION acuse.contribute FROM PUBLIC`

/**
 * Records ends and starts of forwarded deliveries in one transaction. A start is refused when its lease is over, or when the delivery was
 * started before. Ends alone need no standby: a lost end leaves the delivery uncertain.
 */
const ADVANCE = `
CREATE FUNCTION acuse.advance(end_works int[], end_leases bigint[], end_places bigint[], end_sent boolean[], works int[], leases bigint[], places bigint[])
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  recorded int;
BEGIN
  DELETE FROM acuse.started s USING unnest(end_works, end_leases, end_places, end_sent) AS e (work, lease, place, sent)
    WHERE NOT e.sent AND s.work = e.work AND s.lease = e.lease AND s.place = e.place AND s.state = 'started';
  UPDATE acuse.started s SET state = 'ended' FROM unnest(end_works, end_leases, end_places, end_sent) AS e (work, lease, place, sent)
    WHERE e.sent AND s.work = e.work AND s.lease = e.lease AND s.place = e.place AND s.state = 'started';
  IF cardinality(works) = 0 THEN
    PERFORM set_config('synchronous_commit', 'off', true);
    RETURN;
  END IF;
  -- A new holder raises the number of the lease, so it waits for this transaction, or this one sees its number.
  PERFORM 1 FROM acuse.work WHERE id = ANY (works) FOR SHARE;
  INSERT INTO acuse.started (work, lease, place) SELECT w.id, w.lease, s.place
    FROM unnest(works, leases, places) AS s (work, lease, place) JOIN acuse.work w ON w.id = s.work AND w.lease = s.lease AND s.place > w.upto;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded <> cardinality(works) THEN RAISE EXCEPTION 'another follower has taken over the work'; END IF;
END $$`

const MIGRATIONS: readonly string[] = [
  `CREATE SEQUENCE acuse.place;
CREATE TABLE acuse.record (
  place bigint NOT NULL,
  day date NOT NULL,
  origin uuid NOT NULL,
  seq bigint NOT NULL,
  kind int NOT NULL,
  crc bigint NOT NULL,
  payload bytea NOT NULL,
  PRIMARY KEY (place, day),
  UNIQUE (origin, seq, day)
) PARTITION BY RANGE (day);
CREATE TABLE acuse.receiver (
  origin uuid PRIMARY KEY,
  name text NOT NULL,
  address text,
  seen_at timestamptz NOT NULL,
  single_copies bigint NOT NULL
);
CREATE TABLE acuse.listening (
  origin uuid NOT NULL REFERENCES acuse.receiver,
  since timestamptz NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (origin, since)
);
CREATE TABLE acuse.identity (id uuid NOT NULL DEFAULT gen_random_uuid());
INSERT INTO acuse.identity DEFAULT VALUES;
CREATE TABLE acuse.rules (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL,
  endpoints jsonb NOT NULL,
  former_secret_headers jsonb NOT NULL,
  sealed bytea NOT NULL
);
ALTER TABLE acuse.record ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE FUNCTION acuse.take(wanted int) RETURNS SETOF bigint LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT pg_advisory_xact_lock_shared(${LOCKS}, ${APPENDING});
  SELECT nextval('acuse.place') FROM generate_series(1, wanted)
$$`,
  CONTRIBUTE,
  `CREATE TABLE acuse.work (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  destination text NOT NULL,
  lease bigint NOT NULL DEFAULT 0,
  holder text,
  origin text,
  upto bigint NOT NULL,
  uncertain bigint NOT NULL DEFAULT 0,
  memory jsonb,
  kept bigint NOT NULL DEFAULT 0,
  kept_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (kind, name, destination)
);
CREATE TABLE acuse.started (
  work int NOT NULL REFERENCES acuse.work ON DELETE CASCADE,
  place bigint NOT NULL,
  lease bigint NOT NULL,
  state text NOT NULL DEFAULT 'started' CHECK (state IN ('started', 'ended', 'uncertain')),
  PRIMARY KEY (work, place)
);
CREATE VIEW acuse.work_state AS SELECT w.*, EXISTS (SELECT 1 FROM pg_locks l
  WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${WORKING} AND l.objid = w.id AND l.objsubid = 2
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held FROM acuse.work w;
${ADVANCE}`,
  `CREATE TABLE acuse.dropped (day date PRIMARY KEY, upto bigint NOT NULL);
DROP FUNCTION IF EXISTS acuse.horizon;
${HORIZON}`,
  'ALTER TABLE acuse.receiver ADD COLUMN outdated boolean NOT NULL DEFAULT false',
  OPEN_DAY,
]

/** Statements that make a role for each kind of user. They have no login: grant them to the users of the database. */
export const ROLES = `-- Receives: stores deliveries, reads the endpoints.
CREATE ROLE acuse_receive NOLOGIN;
GRANT USAGE ON SCHEMA acuse TO acuse_receive;
GRANT INSERT ON acuse.record TO acuse_receive;
GRANT SELECT ON acuse.migration, acuse.rules TO acuse_receive;
GRANT SELECT, INSERT, UPDATE ON acuse.receiver, acuse.listening TO acuse_receive;

-- Reads: follows the log; adds notes, tags, pins and rebuilt events.
CREATE ROLE acuse_read NOLOGIN;
GRANT USAGE ON SCHEMA acuse TO acuse_read;
GRANT SELECT ON ALL TABLES IN SCHEMA acuse TO acuse_read;
GRANT EXECUTE ON FUNCTION acuse.contribute TO acuse_read;

-- Works: follows the log, and takes part in forwards, alerts and scheduled sweeps.
CREATE ROLE acuse_work NOLOGIN;
GRANT acuse_read TO acuse_work;
GRANT INSERT, UPDATE ON acuse.work TO acuse_work;
GRANT INSERT, UPDATE, DELETE ON acuse.started TO acuse_work;

-- Administers: changes endpoints too. Dropping days needs the owner of the tables.
CREATE ROLE acuse_administer NOLOGIN;
GRANT acuse_work TO acuse_administer;
GRANT INSERT, UPDATE ON acuse.rules TO acuse_administer;
`

/** @throws AcuseError when the database has no shared log of this version */
export async function demandSchema(client: ClientBase): Promise<void> {
  const { rows } = await client.query("SELECT to_regclass('acuse.migration') IS NOT NULL AS there")
  const found = rows[0]?.there
    ? await client.query('SELECT max(number) AS number FROM acuse.migration')
    : undefined
  const number = Number(found?.rows[0]?.number ?? 0)
  if (number === MIGRATIONS.length) return
  throw new AcuseError(
    'store-failed',
    number > MIGRATIONS.length
      ? newer(number)
      : 'The database has no shared log of this version. Make it with "acuse shared init --log URL", as its owner.',
  )
}

const newer = (number: number): string =>
  `The shared log has version ${number}, and this Acuse knows versions up to ${MIGRATIONS.length}. Install the newer Acuse.`

/**
 * Creates the tables of a shared log, or brings them up to this version. Several programs may call it at once.
 * @throws AcuseError `newer-schema`; PostgreSQL's error
 */
export async function migrate(client: ClientBase): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCKS}, ${MIGRATING})`)
    await client.query('CREATE SCHEMA IF NOT EXISTS acuse')
    await client.query(
      'CREATE TABLE IF NOT EXISTS acuse.migration (number int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    )
    const { rows } = await client.query('SELECT coalesce(max(number), 0) AS number FROM acuse.migration')
    const done = Number(rows[0]?.number)
    if (done > MIGRATIONS.length) throw new AcuseError('newer-schema', newer(done))
    for (const [index, text] of MIGRATIONS.entries())
      if (index >= done) {
        await client.query(text)
        await client.query('INSERT INTO acuse.migration (number) VALUES ($1)', [index + 1])
      }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

import { DatabaseSync } from 'node:sqlite'
import { claimDatabase } from '../state/database.ts'

interface Trace {
  readonly kind: string
  readonly statusId: number | null
}

/**
 * Whether a later event of the same subject hides a lost one, so that nothing can prove the miss (reading
 * "Reconciling").
 * Creations, voids and deactivations are never hidden. The next edit hides an edit, since its content is newer. The next status hides a
 * status, and so does an event with another status.
 */
export function supersedes(lost: Trace, later: Trace): boolean {
  if (lost.kind.endsWith('.updated')) return later.kind === lost.kind
  if (!lost.kind.startsWith('dgii.')) return false
  return later.kind.startsWith('dgii.') || (later.statusId !== null && later.statusId !== lost.statusId)
}

/** Path of the records' database: a file of its own, so that the world's transactions and the log never wait for each other. */
export const recordsPath = (file: string): string =>
  file === ':memory:' ? file : `${file.replace(/\.(?:db|sqlite3?)$/, '')}.service.db`

const SCHEMA = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subscriptions (id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS plugins (
  id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, subject TEXT NOT NULL, status_id INTEGER, at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_of_subject ON events (subject, seq);
CREATE TABLE IF NOT EXISTS log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, run TEXT, seq INTEGER, kind TEXT NOT NULL, subject TEXT,
  status_id INTEGER, cause TEXT NOT NULL, target_id INTEGER NOT NULL, target_name TEXT NOT NULL, outcome TEXT NOT NULL,
  lost INTEGER NOT NULL, laboratory TEXT NOT NULL, error TEXT, error_code TEXT, at INTEGER NOT NULL, duration_ms REAL, method TEXT NOT NULL,
  url TEXT NOT NULL, request_head TEXT, request_body BLOB NOT NULL, answer_status INTEGER, answer_head TEXT, answer_body BLOB,
  answer_truncated INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS log_of_run ON log (run, id) WHERE run IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_of_event ON log (seq, target_id) WHERE seq IS NOT NULL;
CREATE INDEX IF NOT EXISTS log_of_lost ON log (id) WHERE lost;
`

export function openRecords(path: string): DatabaseSync {
  if (path !== ':memory:') claimDatabase(path)
  const db = new DatabaseSync(path)
  // NORMAL: a crash of the machine may lose the log's last entries, which nothing relies on.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000')
  db.exec(SCHEMA)
  // Version 0.1 wrote no such column.
  const columns = db.prepare(`SELECT name FROM pragma_table_info('log')`).all()
  if (!columns.some(({ name }) => name === 'error_code'))
    db.exec('ALTER TABLE log ADD COLUMN error_code TEXT')
  db.function('supersedes', { deterministic: true }, (lostKind, lostStatus, kind, status) =>
    Number(
      supersedes(
        { kind: String(lostKind), statusId: numberOrNull(lostStatus) },
        { kind: String(kind), statusId: numberOrNull(status) },
      ),
    ),
  )
  return db
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)

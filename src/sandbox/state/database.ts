import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, Refusal, refused } from '../domain/refusal.ts'

/**
 * Gives a database and its side files to this user alone: SQLite would make them readable for everybody. Never opens a file that exists,
 * since closing it would release every lock that SQLite holds on it in this process (sqlite.org/howtocorrupt.html, 2.2).
 * @throws Error when something else than a file has the name; the file system's error
 */
export function claimDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const found = lstatSync(path + suffix, { throwIfNoEntry: false })
    if (found && !found.isFile() && !found.isSymbolicLink())
      throw new Error(`${path}${suffix} is no ordinary file; take it away`)
    if (found) chmodSync(path + suffix, 0o600)
    else if (suffix === '') closeSync(openSync(path, 'wx', 0o600))
  }
}

const VERSION = 1

/**
 * `sync` and `payments` hold JSON ready to be sent, in front of `record`, so that a page is read without touching it; `due` is 0 for what is
 * no debt. The events' bodies are not kept: the execution log has what was sent, and 100,000 documents would store their lines twice more.
 */
const TABLES = `
CREATE TABLE documents (
  id TEXT PRIMARY KEY, family TEXT NOT NULL, type INTEGER NOT NULL, issued_at INTEGER NOT NULL, due INTEGER NOT NULL,
  sync TEXT, payments TEXT, record TEXT NOT NULL
) STRICT;
CREATE INDEX documents_issued ON documents (issued_at, id) WHERE sync IS NOT NULL;
CREATE INDEX documents_type ON documents (type, issued_at, id) WHERE sync IS NOT NULL;
CREATE INDEX documents_due ON documents (issued_at, id) WHERE due > 0;
CREATE INDEX documents_type_due ON documents (type, issued_at, id) WHERE due > 0;
CREATE TABLE parties (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, role TEXT NOT NULL, class TEXT NOT NULL, active INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX parties_active ON parties (role, class, place) WHERE active = 1;
CREATE TABLE products (
  place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, active INTEGER NOT NULL, record TEXT NOT NULL
) STRICT;
CREATE INDEX products_active ON products (place) WHERE active = 1;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, subject TEXT NOT NULL, cause TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE TABLE sequences (code TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT;
CREATE TABLE workspace (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`

function prepare(database: DatabaseSync): void {
  // EXCLUSIVE: a second sandbox on the same file would give the same ids and serials again. NORMAL: made-up data may lose its last
  // moments in a power cut, never its consistency.
  database.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;',
  )
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSION)
    throw refused('newer-schema', 'The sandbox’s file was written by a newer Acuse; nothing was changed.')
  if (version === 0) database.exec(`BEGIN; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT;`)
}

/** For this process alone. @throws Refusal (409) when it is no such file, a newer Acuse's, or another sandbox has it open */
export function openDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    if (file !== ':memory:') claimDatabase(file)
    database = new DatabaseSync(file)
    prepare(database)
    return database
  } catch (thrown) {
    database?.close()
    if (thrown instanceof Refusal) throw thrown
    const reason = messageOf(thrown)
    if (/locked/.test(reason))
      throw refused('in-use', `The sandbox’s file ${file} is open in another sandbox.`)
    throw refused('cannot-open', `The sandbox’s file ${file} cannot be opened: ${reason}.`)
  }
}

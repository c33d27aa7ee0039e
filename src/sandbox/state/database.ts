import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, Refusal, refused } from '../domain/refusal.ts'

/**
 * Makes a database and its side files private to this user; SQLite would let every user read them. Never opens an existing file,
 * since closing it would release every lock that SQLite holds on it in this process (sqlite.org/howtocorrupt.html, 2.2).
 * @throws Error when the path is not a file; the file system's error
 */
export function claimDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const found = lstatSync(path + suffix, { throwIfNoEntry: false })
    if (found && !found.isFile() && !found.isSymbolicLink())
      throw new Error(`${path}${suffix} is not a regular file; remove it`)
    if (found) chmodSync(path + suffix, 0o600)
    else if (suffix === '') closeSync(openSync(path, 'wx', 0o600))
  }
}

const VERSION = 1

/**
 * `sync` and `payments` hold JSON ready to send. They stand before `record`, so that reading a page does not load it. `due` is 0 for a
 * document without a debt. Bodies of events are not stored: the execution log has them, and 100,000 documents would store their lines twice more.
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
  // EXCLUSIVE: a second sandbox on the same file would issue the same ids and serials. NORMAL: a power cut may lose the last
  // transactions of this simulated data, but not its consistency.
  database.exec(
    'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA mmap_size = 268435456;',
  )
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > VERSION)
    throw refused('newer-schema', 'The sandbox’s file was written by a newer Acuse; nothing was changed.')
  if (version === 0) database.exec(`BEGIN; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT;`)
}

/** Opens the file with an exclusive lock. @throws Refusal (409): not a sandbox file, of a newer Acuse, or open in another sandbox */
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

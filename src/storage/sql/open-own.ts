import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AcuseError, refused } from '#contract/errors.ts'
import type { Incident } from '#contract/status.ts'
import { syncFolder } from '#log/disk.ts'
import {
  claimDatabase,
  closedOnFailure,
  DATABASE_SUFFIXES,
  failureOf,
  kindOf,
  OpenFiles,
  type StoreFiles,
  sizeOf,
  words,
} from '../disk/files.ts'
import { inTransaction, openForQueues, pragmaOf, Statements } from './connection.ts'

/** A database set aside, for the incident file. `files` is empty when no file was left. */
export interface SetAside extends Pick<Incident, 'at' | 'kind' | 'reason'> {
  readonly files: readonly string[]
}

/** Files that can hold rows; the -shm is only an index into the -wal. */
export const READABLE = /\.db(?:-wal)?$/

/** Long enough to outlast the lock of a backup tool, short enough to start receiving within three seconds. */
export const BUSY_MS = 500

/** A database that only Acuse writes and that must not be lost: an unusable file is set aside. */
export interface OwnDatabase {
  readonly path: string
  readonly applicationId: number
  readonly migrations: Migrations
  /** Whether it once had rows, by a record outside of it: then an empty or missing file means a loss. */
  readonly held?: boolean
  connect(path: string): DatabaseSync
  /** Reads and writes a little; throws when the tables do not fit the schema version. */
  probe(statements: Statements): void
}

/**
 * Opens a database. A damaged or foreign file, or the rest of an empty or missing one that had rows, is set aside, never deleted.
 * @throws AcuseError `newer-schema`; SQLite's or the file system's error when it cannot be opened at the moment
 */
export function openOwn(own: OwnDatabase, now: number): { db: DatabaseSync; setAside: SetAside | null } {
  const odd = oddity(own.path)
  if (odd) return openFresh(own, now, 'damaged', odd)
  const existed = sizeOf(own.path) > 0
  try {
    if (!existed) refuseEmpty(own)
    return { db: openSound(own), setAside: null }
  } catch (error) {
    if (error instanceof Unfit) return openFresh(own, now, error.kind, words(error))
    if (existed && failureOf(error) === 'damage') return openFresh(own, now, 'damaged', words(error))
    throw error
  }
}

/** An unused name for a database set aside, for all three files. */
export function asidePath(path: string, now: number): { readonly at: number; readonly path: string } {
  const stem = path.replace(/\.db$/, '')
  let at = now
  while (DATABASE_SUFFIXES.some((suffix) => existsSync(`${stem}.damaged-${at}.db${suffix}`))) at += 1
  return { at, path: `${stem}.damaged-${at}.db` }
}

/** Renames a database with its -wal and -shm: SQLite would replay a remaining -wal into the fresh file. */
export function setAside(
  path: string,
  now: number,
  kind: Incident['kind'],
  reason: string,
  suffixes: readonly string[] = DATABASE_SUFFIXES,
): SetAside {
  const aside = asidePath(path, now)
  const files: string[] = []
  for (const suffix of suffixes) {
    if (kindOf(path + suffix) === 'nothing') continue
    const kept = aside.path + suffix
    renameSync(path + suffix, kept)
    files.push(kept)
  }
  syncFolder(dirname(path))
  return { at: aside.at, kind, reason, files }
}

function openFresh(own: OwnDatabase, now: number, kind: Incident['kind'], reason: string) {
  const aside = setAside(own.path, now, kind, reason)
  return { db: openSound({ ...own, held: false }), setAside: aside }
}

/** The file belongs to another program, or has lost its tables or rows. */
class Unfit extends Error {
  readonly kind: Incident['kind']

  constructor(kind: Incident['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

function refuseEmpty({ path, held = false }: OwnDatabase): void {
  if (!held) return
  const found = kindOf(path) === 'nothing' ? 'it is not there' : 'it is empty'
  throw new Unfit('missing', `${found}, although deliveries had been stored`)
}

/** Opens read-only, because setting our page size or journal mode would change another program's file. */
function refuseForeign(own: OwnDatabase): void {
  if (sizeOf(own.path) === 0) return
  using db = new DatabaseSync(own.path, { readOnly: true, timeout: BUSY_MS })
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  if (tables === 0) refuseEmpty(own)
  else if (pragmaOf(db, 'application_id') !== own.applicationId)
    throw new Unfit('damaged', 'it is the database of another program')
}

function openSound(own: OwnDatabase): DatabaseSync {
  claimDatabase(own.path)
  refuseForeign(own)
  return closedOnFailure(own.connect(own.path), (db) => {
    migrate(db, own.path, own.migrations)
    try {
      own.probe(new Statements(db))
    } catch (error) {
      if (failureOf(error) === 'row') throw new Unfit('damaged', words(error))
      throw error
    }
    return db
  })
}

/** @returns a sentence when a file at the database's path is a link or no ordinary file, which SQLite would follow or fail on */
function oddity(path: string): string | null {
  const kind = kindOf(path)
  if (kind === 'link') return 'it is a symbolic link; Acuse only writes to a file of its own'
  if (kind === 'other') return 'it is not a regular file'
  for (const suffix of ['-wal', '-shm']) {
    const kind = kindOf(path + suffix)
    if (kind === 'link' || kind === 'other') return `its ${suffix} is not a regular file`
  }
  return null
}

/** Migrations of a schema; its version is their number. A released one never changes, because users' databases have already run it. */
export type Migrations = readonly string[]

/** Migrates a database to the newest schema, one transaction per step. @throws AcuseError `newer-schema` when a newer Acuse wrote it */
export function migrate(db: DatabaseSync, path: string, steps: Migrations): void {
  const found = Number(pragmaOf(db, 'user_version'))
  if (found > steps.length)
    throw refused('newer-schema', 'newer-schema', { path, found, newest: steps.length })
  for (const [at, step] of steps.entries())
    if (at >= found) inTransaction(db, () => db.exec(`${step}; PRAGMA user_version=${at + 1}`))
}

/** Pages to copy between two turns of other work. */
export const PAGES_AT_ONCE = 512

/**
 * Copies an open database whose file was removed or renamed. Until `placeDatabase`, the copy has the name of a database set aside: if the
 * process ends before that, the next start offers it for salvage. @throws SQLite's or the file system's error; no copy is left then
 */
export async function copyDatabase(db: DatabaseSync, path: string): Promise<string> {
  const copy = asidePath(path, Date.now()).path
  try {
    claimDatabase(copy)
    await backup(db, copy, { rate: PAGES_AT_ONCE })
    return copy
  } catch (error) {
    for (const suffix of [...DATABASE_SUFFIXES, '-journal']) rmSync(copy + suffix, { force: true })
    throw error
  }
}

/** Renames a copy to the name of the database, which must be free. */
export function placeDatabase(copy: string, path: string): void {
  renameSync(copy, path)
  syncFolder(dirname(path))
}

/** Moves the whole write-ahead log into the database. @throws Error when a reader prevents that */
export function foldLog(db: DatabaseSync): void {
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0)
    throw new Error('another connection reads the database')
}

/** Interval of the check whether another program removed the files. */
const CHECK_MS = 1_000

/** Options of replays.db and sweeps.db, the records of Acuse's own work. */
export interface RecordOptions {
  readonly paths: StoreFiles
  /** Receives a sentence for the user when the database was set aside. */
  readonly warn: (message: string) => void
}

export interface RecordDatabase extends Omit<OwnDatabase, 'connect'> {
  /** Subject of the record, for the user: "sweeps". */
  readonly of: string
  /** Consequence of a loss, for the user: "run the sweeps again". */
  readonly lost: string
  /** Prepares the connection, for example with temporary tables. */
  ready?(db: DatabaseSync): void
}

/** `openOwn` for replays.db and sweeps.db. @param warn gets a sentence for the user @throws AcuseError `newer-schema`, `store-failed` */
export function openRecord({ of, lost, ready, ...own }: RecordDatabase, warn: (message: string) => void) {
  try {
    const { db, setAside } = openOwn({ ...own, connect: (at) => openForQueues(at, BUSY_MS) }, Date.now())
    if (setAside)
      warn(
        `The record of ${of} could not be read (${setAside.reason}) and starts again empty; the old file is kept as ${setAside.files[0]}. Deliveries are not affected; ${lost}.`,
      )
    ready?.(db)
    watchFiles(db, own.path, warn)
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw refused('store-failed', 'file-unusable', { path: own.path, system: words(error) })
  }
}

/** When another program removes or replaces the files, writes the open database to a new file and ends the thread; the next opens it. */
function watchFiles(db: DatabaseSync, path: string, warn: (message: string) => void): void {
  const files = new OpenFiles(path)
  const timer = setInterval(() => {
    if (!db.isOpen) return clearInterval(timer)
    const moved = files.moved()
    if (moved === null) return
    const copy = asidePath(path, Date.now()).path
    try {
      claimDatabase(copy)
      db.prepare('VACUUM INTO ?').run(copy)
    } catch (error) {
      rmSync(copy, { force: true })
      return warn(`${moved}, and cannot be rewritten: ${words(error)}. Acuse tries again each second.`)
    }
    db.close()
    files.removeSides()
    const { files: found } = setAside(path, Date.now(), 'moved', moved)
    placeDatabase(copy, path)
    const kept = found.length > 0 ? ` What had its name is kept as ${found[0]}.` : ''
    throw new Error(`${moved}; Acuse rewrote it from the open files.${kept}`)
  }, CHECK_MS).unref()
}

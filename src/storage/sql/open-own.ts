import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
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

/** A database that was set aside, as the incident file records it. `files` is empty when nothing was left of it. */
export interface SetAside extends Pick<Incident, 'at' | 'kind' | 'reason'> {
  readonly files: readonly string[]
}

/** Long enough for a backup tool's glance, short enough to be receiving within three seconds. */
export const BUSY_MS = 500

/** A database that only we write, and that must not be lost: what is wrong with it is set aside. */
export interface OwnDatabase {
  readonly path: string
  readonly applicationId: number
  readonly migrations: Migrations
  /** Whether it has held rows, by what is recorded outside of it: an empty or missing file is a loss then. */
  readonly held?: boolean
  connect(path: string): DatabaseSync
  /** Reads and writes a little. Throws when the tables are not what the schema version says. */
  probe(statements: Statements): void
}

/**
 * Opens a database. A damaged or foreign file, or what is left of an empty or missing one that held rows, is set aside, never deleted.
 * @throws AcuseError `newer-schema`; SQLite's or the file system's error when it cannot be used now
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

/** A name for a database that is set aside, free for all three files. */
export function asidePath(path: string, now: number): { readonly at: number; readonly path: string } {
  const stem = path.replace(/\.db$/, '')
  let at = now
  while (DATABASE_SUFFIXES.some((suffix) => existsSync(`${stem}.damaged-${at}.db${suffix}`))) at += 1
  return { at, path: `${stem}.damaged-${at}.db` }
}

/** Renames a database with its -wal and -shm: SQLite would replay a -wal that stayed behind into the fresh file. */
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

/** What has the database's name is another program's, or not what it was: its tables, or its rows, are gone. */
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

/** Looks without touching: setting our page size or journal mode would already change another program's file. */
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

/** Things at the database's path that SQLite would follow or stumble over. */
function oddity(path: string): string | null {
  const kind = kindOf(path)
  if (kind === 'link') return 'it is a symbolic link; Acuse only writes to a file of its own'
  if (kind === 'other') return 'it is no ordinary file'
  for (const suffix of ['-wal', '-shm']) {
    const beside = kindOf(path + suffix)
    if (beside === 'link' || beside === 'other') return `its ${suffix} is no ordinary file`
  }
  return null
}

/** The steps of a schema: a version is the number of steps. A step that was released never changes: its tables lie on people's disks. */
export type Migrations = readonly string[]

/** Brings a database to the newest schema, a transaction per step. @throws AcuseError `newer-schema` when a newer Acuse wrote it */
export function migrate(db: DatabaseSync, path: string, steps: Migrations): void {
  const found = Number(pragmaOf(db, 'user_version'))
  if (found > steps.length)
    throw new AcuseError(
      'newer-schema',
      `${path} was written by a newer Acuse (schema ${found}, this one knows ${steps.length}); use that version or another data folder.`,
      { path, found, newest: steps.length },
    )
  for (const [at, step] of steps.entries())
    if (at >= found) inTransaction(db, () => db.exec(`${step}; PRAGMA user_version=${at + 1}`))
}

/** Pages copied at a time; other work of the thread comes in between. */
const PAGES_AT_ONCE = 512

/**
 * Copies an open database whose file has no name any more. Until `placeDatabase` the copy has the name of one set aside: should the process
 * end in between, it is found and offered for salvage. @throws SQLite's or the file system's error; no copy is left then
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

/** Gives a copy the name of the database, which nothing has by then. */
export function placeDatabase(copy: string, path: string): void {
  renameSync(copy, path)
  syncFolder(dirname(path))
}

/** Moves what lies in the log into the database. @throws Error while a reader keeps it from being complete */
export function foldLog(db: DatabaseSync): void {
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0)
    throw new Error('another connection reads the database')
}

/** How soon files that another program removed are missed. */
const LOOK_MS = 1_000

/** How a record of what Acuse did is opened. */
export interface RecordOptions {
  readonly paths: StoreFiles
  /** Takes a sentence for the person: the database was set aside. */
  readonly warn: (message: string) => void
}

export interface RecordDatabase extends Omit<OwnDatabase, 'connect'> {
  /** What it is the record of, as a person reads it. */
  readonly of: string
  /** What is lost when it begins anew: "sweeps have to be made again". */
  readonly lost: string
  /** Makes what the connection needs and the file does not hold. */
  ready?(db: DatabaseSync): void
}

/** As `openOwn`, for what Acuse itself did. @param warn gets a sentence for the person @throws AcuseError `newer-schema`, `store-failed` */
export function openRecord({ of, lost, ready, ...own }: RecordDatabase, warn: (message: string) => void) {
  try {
    const { db, setAside } = openOwn({ ...own, connect: (at) => openForQueues(at, BUSY_MS) }, Date.now())
    if (setAside)
      warn(
        `The record of ${of} could not be read (${setAside.reason}) and begins anew; it is kept as ${setAside.files[0]}. Deliveries are not affected; ${lost}.`,
      )
    ready?.(db)
    watchFiles(db, own.path, warn)
    return db
  } catch (error) {
    if (error instanceof AcuseError) throw error
    throw new AcuseError('store-failed', `${own.path} cannot be used: ${words(error)}.`, { path: own.path })
  }
}

/** Where another program removes or replaces its files, what is open is written anew and the thread ends: the next one opens that. */
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
      return warn(`${moved}, and cannot be written anew: ${words(error)}. It is tried again each second.`)
    }
    db.close()
    files.removeSides()
    const { files: found } = setAside(path, Date.now(), 'moved', moved)
    placeDatabase(copy, path)
    const kept = found.length > 0 ? ` What had its name is kept as ${found[0]}.` : ''
    throw new Error(`${moved}; it was written anew from what was still open.${kept}`)
  }, LOOK_MS).unref()
}

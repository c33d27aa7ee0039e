import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { claimDatabase, DATABASE_SUFFIXES, kindOf, sizeOf, syncFolder, words } from '../files.ts'
import { pragmaOf, Statements } from './connection.ts'
import { failureOf } from './failure.ts'
import { type Migration, migrate } from './migrate.ts'

/** A database that was set aside, as the incident file records it. */
export interface SetAside {
  readonly at: number
  readonly reason: string
  readonly files: readonly string[]
}

/** Long enough for a backup tool's glance, short enough to be receiving within three seconds. */
export const BUSY_MS = 500

/** A database that only we write, and that must not be lost: what is wrong with it is set aside. */
export interface OwnDatabase {
  readonly path: string
  readonly applicationId: number
  readonly migrations: readonly Migration[]
  /** Opens it for writing, with its settings. */
  connect(path: string): DatabaseSync
  /** Reads and writes a little. Throws when the tables are not what the schema version says. */
  probe(statements: Statements): void
}

/**
 * Opens a database: header, schema version, and a probe. A damaged or foreign file is set aside, never deleted, and a fresh one takes
 * its place.
 * @param now milliseconds since the epoch; names the files set aside
 * @throws AcuseError `newer-schema`; SQLite's or the file system's error when the database cannot be used now
 */
export function openOwn(own: OwnDatabase, now: number): { db: DatabaseSync; setAside: SetAside | null } {
  const odd = oddity(own.path)
  if (odd) return openFresh(own, now, odd)
  const existed = sizeOf(own.path) > 0
  try {
    return { db: openSound(own), setAside: null }
  } catch (error) {
    if (error instanceof ForeignDatabase || (existed && failureOf(error) === 'damage'))
      return openFresh(own, now, words(error))
    throw error
  }
}

/** Renames a database with its -wal and -shm: SQLite would replay a -wal that stayed behind into the fresh file. */
export function setAside(path: string, now: number, reason: string): SetAside {
  const stem = path.replace(/\.db$/, '')
  let at = now
  while (existsSync(`${stem}.damaged-${at}.db`)) at += 1
  const files: string[] = []
  for (const suffix of DATABASE_SUFFIXES) {
    if (kindOf(path + suffix) === 'nothing') continue
    const kept = `${stem}.damaged-${at}.db${suffix}`
    renameSync(path + suffix, kept)
    files.push(kept)
  }
  syncFolder(path)
  return { at, reason, files }
}

function openFresh(own: OwnDatabase, now: number, reason: string): { db: DatabaseSync; setAside: SetAside } {
  const aside = setAside(own.path, now, reason)
  return { db: openSound(own), setAside: aside }
}

/** Another program's database, or one whose tables are not what its schema version says. */
class ForeignDatabase extends Error {}

/** Looks without touching: setting our page size or journal mode would already change another program's file. */
function refuseForeign({ path, applicationId }: OwnDatabase): void {
  if (sizeOf(path) === 0) return
  using db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  if (tables === 0) return
  if (pragmaOf(db, 'application_id') !== applicationId)
    throw new ForeignDatabase('it is the database of another program')
}

function openSound(own: OwnDatabase): DatabaseSync {
  claimDatabase(own.path)
  refuseForeign(own)
  const db = own.connect(own.path)
  try {
    migrate(db, own.path, own.migrations)
    try {
      own.probe(new Statements(db))
    } catch (error) {
      if (failureOf(error) === 'row') throw new ForeignDatabase(words(error))
      throw error
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
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

import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AcuseError } from '#contract/errors.ts'
import { DATABASE_SUFFIXES, ensurePrivateFile, kindOf, sizeOf, syncFolder, words } from '../files.ts'
import { CAPTURED_APPLICATION_ID, CAPTURED_MIGRATIONS } from '../migrations/captured/all.ts'
import { openForWriting, pragmaOf, Statements } from '../sql/connection.ts'
import { failureOf } from '../sql/failure.ts'
import { migrate } from '../sql/migrate.ts'
import { writeMeta } from './meta.ts'

/** A database that was set aside, as the incident file records it. */
export interface SetAside {
  readonly at: number
  readonly reason: string
  readonly files: readonly string[]
}

/** Long enough for a backup tool's glance, short enough to be receiving within three seconds. */
const BUSY_MS = 500

/**
 * Opens captured.db: header, schema version, last row and a probe write. A damaged or foreign file is set aside, never deleted, and a
 * fresh one takes its place.
 * @param now milliseconds since the epoch; names the files set aside
 * @throws AcuseError `newer-schema`; SQLite's or the file system's error when the database cannot be used now
 */
export function openCaptured(path: string, now: number): { db: DatabaseSync; setAside: SetAside | null } {
  const odd = oddity(path)
  if (odd) return openFresh(path, now, odd)
  const existed = sizeOf(path) > 0
  try {
    return { db: openSound(path), setAside: null }
  } catch (error) {
    if (error instanceof ForeignDatabase || (existed && failureOf(error) === 'damage'))
      return openFresh(path, now, words(error))
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

function openFresh(path: string, now: number, reason: string): { db: DatabaseSync; setAside: SetAside } {
  const aside = setAside(path, now, reason)
  return { db: openSound(path), setAside: aside }
}

/** Another program's database, or one whose tables are not what its schema version says. */
class ForeignDatabase extends Error {}

/** Looks without touching: setting our page size or journal mode would already change another program's file. */
function refuseForeign(path: string): void {
  if (sizeOf(path) === 0) return
  using db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.n)
  if (tables === 0) return
  if (pragmaOf(db, 'application_id') !== CAPTURED_APPLICATION_ID)
    throw new ForeignDatabase('it is the database of another program')
}

function openSound(path: string): DatabaseSync {
  ensurePrivateFile(path)
  refuseForeign(path)
  const db = openForWriting(path, BUSY_MS)
  try {
    migrate(db, path, CAPTURED_MIGRATIONS)
    const statements = new Statements(db)
    try {
      statements
        .get('SELECT * FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id ORDER BY id DESC LIMIT 1')
        .get()
    } catch (error) {
      if (failureOf(error) === 'row') throw new ForeignDatabase(words(error))
      throw error
    }
    writeMeta(statements, 'probe', Date.now())
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

/** A sentence for the status when the database cannot be used now. */
export function unusable(path: string, error: unknown): AcuseError {
  return error instanceof AcuseError
    ? error
    : new AcuseError('store-failed', `${path} cannot be used: ${words(error)}.`, { path })
}

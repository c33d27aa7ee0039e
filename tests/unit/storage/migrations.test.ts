import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { REPLAYS_MIGRATIONS } from '#storage/schema/replays.ts'
import { SWEEPS_MIGRATIONS } from '#storage/schema/sweeps.ts'
import { openForReading, openForWriting, pragmaOf, versionWarning } from '#storage/sql/connection.ts'
import { type Migrations, migrate } from '#storage/sql/open-own.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { execIn } from './fixture.ts'

const namesIn = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' ORDER BY name")
    .all()
    .map(({ name }) => name)

test.each([
  ...['delivery', 'job', 'forward'].flatMap((owner) => {
    const where = `${owner === 'delivery' ? 'delivery_id' : owner} = 1`
    return [
      [`${where} AND id < 9 ORDER BY id DESC`, `attempt_${owner} `],
      [`${where} AND (ok = 0 OR state = 3) AND id < 9 ORDER BY id DESC`, `attempt_${owner}_failed `],
    ]
  }),
  ['delivery_id IN (SELECT value FROM json_each(?)) GROUP BY delivery_id', 'attempt_delivery '],
  ['job IS NULL AND forward IS NULL AND started_at > 5 ORDER BY started_at DESC', 'attempt_by_hand '],
])('attempts of a list are found by an index: %s', (where, index) => {
  using db = new DatabaseSync(':memory:')
  migrate(db, ':memory:', REPLAYS_MIGRATIONS)
  const steps = db.prepare(`EXPLAIN QUERY PLAN SELECT delivery_id FROM attempt WHERE ${where}`).all()
  expect(steps.map(({ detail }) => `${detail} `).join()).toContain(`INDEX ${index}`)
})

test('a step that fails halfway leaves nothing behind, and is done again at the next open (reliability, row 25)', () => {
  using db = new DatabaseSync(':memory:')
  const broken = 'CREATE TABLE half (a); CREATE TABLE half (a)'
  expect(() => migrate(db, ':memory:', [broken])).toThrow()
  expect(namesIn(db)).toEqual([])
  expect(pragmaOf(db, 'user_version')).toBe(0)
  migrate(db, ':memory:', ['CREATE TABLE half (a)'])
  expect(namesIn(db)).toEqual(['half'])
})

test('every connection has WAL, FULL and pages of 16 KiB (reliability, row 4)', () => {
  const folder = tempFolder()
  using writing = openForWriting(`${folder}/a.db`, 0)
  writing.exec('CREATE TABLE t (a)')
  using reading = openForReading(`${folder}/a.db`)
  const pragmas = ['journal_mode', 'synchronous', 'page_size']
  for (const db of [writing, reading])
    expect(pragmas.map((name) => pragmaOf(db, name))).toEqual(['wal', 2, 16_384])
})

test('a database with other settings than ours is not written to (reliability, row 4)', () => {
  const folder = tempFolder()
  execIn(`${folder}/a.db`, 'PRAGMA page_size=4096; CREATE TABLE t (a)')
  expect(() => openForWriting(`${folder}/a.db`, 0)).toThrow(expect.objectContaining({ code: 'store-failed' }))
})

test('an SQLite with the WAL-reset bug is warned of (reliability, section 0)', () => {
  expect(versionWarning('3.51.2')).toMatch(/older than 3\.51\.3/)
  expect(versionWarning('3.49.9')).not.toBeNull()
  for (const version of ['3.51.3', '3.53.0', '4.0.0']) expect(versionWarning(version)).toBeNull()
  expect(versionWarning()).toBeNull()
})

const DATABASES: readonly (readonly [name: string, steps: Migrations])[] = [
  ['captured', CAPTURED_MIGRATIONS],
  ['replays', REPLAYS_MIGRATIONS],
  ['sweeps', SWEEPS_MIGRATIONS],
]

/** The present files, which are what a kill -9 leaves. */
const filesOf = (path: string): readonly Buffer[] =>
  ['', '-wal'].map((suffix) => (existsSync(path + suffix) ? readFileSync(path + suffix) : Buffer.alloc(0)))

/** Opens such files as a later start does, without syncs, since this test cuts no power. */
function openAgain(path: string, [database, log]: readonly Buffer[]): DatabaseSync {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
  writeFileSync(path, database ?? '')
  writeFileSync(`${path}-wal`, log ?? '')
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous=OFF')
  return db
}

/** @returns a database's schema and all rows */
function contentOf(db: DatabaseSync): readonly unknown[] {
  const schema = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  const tables = schema.filter(({ type, name }) => type === 'table' && !String(name).startsWith('search'))
  return [schema, ...tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()])]
}

/** Inserts a row into each table that accepts defaults and numbers, so that a migration could lose data. */
function fill(db: DatabaseSync): void {
  for (const name of namesIn(db)) {
    const columns = db.prepare(`SELECT name, type FROM pragma_table_info('${name}')`).all()
    const values = columns.map(({ type }) => (type === 'TEXT' ? "'7'" : type === 'BLOB' ? "x'07'" : '7'))
    db.exec(`INSERT OR IGNORE INTO "${name}" (${columns.map((one) => `"${one.name}"`)}) VALUES (${values})`)
  }
}

const cases = DATABASES.flatMap(([name, steps]) => steps.map((_, version) => [name, version, steps] as const))

test.each(cases)('%s of schema %i, killed at each statement (reliability, row 25)', (_name, from, steps) => {
  const folder = tempFolder()
  const path = join(folder, 'a.db')
  {
    using old = openForWriting(path, 0)
    migrate(old, path, steps.slice(0, from))
    fill(old)
  }
  const again = join(folder, 'again.db')
  const upgraded = (files: readonly Buffer[]) => {
    using db = openAgain(again, files)
    migrate(db, again, steps)
    expect(pragmaOf(db, 'user_version')).toBe(steps.length)
    expect(pragmaOf(db, 'integrity_check')).toBe('ok')
    return contentOf(db)
  }
  const wanted = upgraded(filesOf(path))
  const left: (readonly Buffer[])[] = []
  {
    using db = openForWriting(path, 0)
    // With a cache of one page, SQLite writes each statement's changes before the next one.
    db.exec('PRAGMA cache_size=1; PRAGMA cache_spill=1')
    db.setAuthorizer((action) => {
      if (action !== constants.SQLITE_READ && action !== constants.SQLITE_SELECT) {
        const files = filesOf(path)
        if (!files.every((file, n) => left.at(-1)?.[n]?.equals(file))) left.push(files)
      }
      return constants.SQLITE_OK
    })
    migrate(db, path, steps)
    db.setAuthorizer(null)
  }
  left.push(filesOf(path))
  expect(left.length).toBeGreaterThan(1)
  for (const files of left) expect(upgraded(files)).toEqual(wanted)
})

import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { CAPTURED_APPLICATION_ID, CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { DERIVED_SCHEMA } from '#storage/schema/derived.ts'
import { REPLAYS_MIGRATIONS } from '#storage/schema/replays.ts'
import { SWEEPS_MIGRATIONS } from '#storage/schema/sweeps.ts'
import { openForReading, openForWriting, pragmaOf, versionWarning } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const namesIn = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%' ORDER BY name")
    .all()
    .map(({ name }) => name)

test('captured 0001 makes the tables of what came, marked as ours', () => {
  using db = new DatabaseSync(':memory:')
  migrate(db, ':memory:', CAPTURED_MIGRATIONS.slice(0, 1))
  expect(namesIn(db)).toEqual(['answer', 'chunk', 'coverage', 'delivery', 'meta', 'payload', 'pin'])
  expect(pragmaOf(db, 'application_id')).toBe(CAPTURED_APPLICATION_ID)
  expect(pragmaOf(db, 'user_version')).toBe(1)
})

test('the schema of derived.db has a text index that can forget', () => {
  using db = new DatabaseSync(':memory:')
  db.exec(DERIVED_SCHEMA)
  db.exec("INSERT INTO search (rowid, text) VALUES (7, 'Panadería'); DELETE FROM search WHERE rowid = 7")
  expect(db.prepare("SELECT rowid FROM search WHERE search MATCH 'panaderia'").all()).toEqual([])
})

test.each([CAPTURED_MIGRATIONS, REPLAYS_MIGRATIONS, SWEEPS_MIGRATIONS])(
  'versions count up from 1 without a gap',
  (...steps) => {
    expect(steps.map(({ version }) => version)).toEqual(steps.map((_, i) => i + 1))
  },
)

test('a step that fails halfway leaves nothing behind, and is done again at the next open (reliability, row 25)', () => {
  using db = new DatabaseSync(':memory:')
  const broken = { version: 1, up: 'CREATE TABLE half (a); CREATE TABLE half (a)' }
  expect(() => migrate(db, ':memory:', [broken])).toThrow()
  expect(namesIn(db)).toEqual([])
  expect(pragmaOf(db, 'user_version')).toBe(0)
  migrate(db, ':memory:', [{ version: 1, up: 'CREATE TABLE half (a)' }])
  expect(namesIn(db)).toEqual(['half'])
})

test('a newer schema is refused', () => {
  using db = new DatabaseSync(':memory:')
  db.exec('PRAGMA user_version=9')
  expect(() => migrate(db, 'store.db', CAPTURED_MIGRATIONS)).toThrow(
    expect.objectContaining({ code: 'newer-schema' }),
  )
})

test('every connection has WAL, FULL and pages of 16 KiB (reliability, row 4)', () => {
  const folder = tempFolder()
  using writing = openForWriting(`${folder}/a.db`, 0)
  writing.exec('CREATE TABLE t (a)')
  using reading = openForReading(`${folder}/a.db`)
  for (const db of [writing, reading])
    expect([pragmaOf(db, 'journal_mode'), pragmaOf(db, 'synchronous'), pragmaOf(db, 'page_size')]).toEqual([
      'wal',
      2,
      16_384,
    ])
})

test('a database with other settings than ours is not written to (reliability, row 4)', () => {
  const folder = tempFolder()
  {
    using other = new DatabaseSync(`${folder}/a.db`)
    other.exec('PRAGMA page_size=4096; CREATE TABLE t (a)')
  }
  expect(() => openForWriting(`${folder}/a.db`, 0)).toThrow(expect.objectContaining({ code: 'store-failed' }))
})

test('an SQLite with the WAL-reset bug is warned of (reliability, section 0)', () => {
  expect(versionWarning('3.51.2')).toMatch(/older than 3\.51\.3/)
  expect(versionWarning('3.49.9')).not.toBeNull()
  for (const version of ['3.51.3', '3.53.0', '4.0.0']) expect(versionWarning(version)).toBeNull()
  expect(versionWarning()).toBeNull()
})

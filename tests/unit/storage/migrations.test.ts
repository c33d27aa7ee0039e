import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { CAPTURED_MIGRATIONS } from '#storage/schema/captured.ts'
import { REPLAYS_MIGRATIONS } from '#storage/schema/replays.ts'
import { openForReading, openForWriting, pragmaOf, versionWarning } from '#storage/sql/connection.ts'
import { migrate } from '#storage/sql/open-own.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const namesIn = (db: DatabaseSync) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search_%' ORDER BY name")
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

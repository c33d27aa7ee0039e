import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { GROUPS, KINDS } from '#catalog/kinds.ts'
import { openDerived } from '#storage/analyst/derived.ts'
import { DERIVED_VERSION, versionOf } from '#storage/schema/derived.ts'
import { pragmaOf } from '#storage/sql/connection.ts'
import { aBody } from '../../support/events.ts'
import { openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { arrive, execIn } from './fixture.ts'

const change = (path: string, sql: string) => {
  if (sql === '') return writeFileSync(path, 'this is no database, but long enough to look at'.repeat(100))
  execIn(path, sql)
}

/** Files of other versions: fewer tables, other tables, other columns. */
const OTHERS: readonly (readonly [name: string, sql: string])[] = [
  ['older, without tables of today', 'DROP TABLE document; DROP TABLE rollup; PRAGMA user_version=1'],
  [
    'newer, with columns of tomorrow',
    'ALTER TABLE analysis ADD COLUMN later TEXT; PRAGMA user_version=2147483647',
  ],
  ['of no version', 'PRAGMA user_version=0'],
  ['no database', ''],
  ['of this version, but without its tables', 'DROP TABLE progress'],
]

test.each(OTHERS)('a derived.db that is %s is made again from captured.db', async (_, sql) => {
  const folder = tempFolder()
  const path = join(folder, 'derived.db')
  {
    await using opened = await openTestStore(folder)
    await arrive(opened.store, ...Array.from({ length: 5 }, () => ({ body: aBody('factura.created') })))
  }
  change(path, sql)
  await using again = await openTestStore(folder)
  await again.store.deliveries.settled(20_000)
  await expect
    .poll(() => again.store.deliveries['deliveries.summary']({ filter: '' }), { timeout: 20_000 })
    .toMatchObject({ total: 5, verdicts: { valid: 5, unjudged: 0 } })
  using db = new DatabaseSync(path, { readOnly: true })
  expect(pragmaOf(db, 'user_version')).toBe(DERIVED_VERSION)
})

test('resets and bodies that are too expensive outlive the file, as far as it has them', () => {
  const path = join(tempFolder(), 'derived.db')
  openDerived(path, false).close()
  change(path, "INSERT INTO observed_from VALUES ('gasto.created', 7); INSERT INTO too_expensive VALUES (3)")
  change(path, 'PRAGMA user_version=1')
  const kept = (sql: string) => {
    using db = openDerived(path, false)
    return db.prepare(sql).all().map(Object.values)
  }
  expect(kept('SELECT * FROM observed_from')).toEqual([['gasto.created', 7]])
  expect(kept('SELECT * FROM too_expensive')).toEqual([[3]])
  change(path, 'DROP TABLE too_expensive; PRAGMA user_version=1')
  expect(kept('SELECT * FROM observed_from')).toEqual([['gasto.created', 7]])
  expect(kept('SELECT * FROM too_expensive')).toEqual([])
})

test('a change to the catalogue makes another version; a translation does not', () => {
  const [first, ...others] = KINDS
  if (!first) throw new Error('no kinds')
  const kinds = versionOf([GROUPS, KINDS])
  expect(versionOf([GROUPS, [...KINDS, { ...first, kind: 'factura.later' }]])).not.toBe(kinds)
  expect(versionOf([GROUPS, [{ ...first, fields: first.fields.slice(1) }, ...others]])).not.toBe(kinds)
  expect(versionOf([GROUPS, others])).not.toBe(kinds)
  const renamed = GROUPS.map((group) => ({ ...group, name: { en: 'other', es: 'otro' } }))
  expect(versionOf([renamed, KINDS])).toBe(kinds)
  // user_version is a signed 32-bit number, and 0 means a file without tables.
  for (let n = 0; n < 200; n++) expect(versionOf([n])).toSatisfy((v: number) => v > 0 && v < 2 ** 31)
})

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { backUp } from '#storage/writer/backup.ts'
import { tempFolder } from '../../support/temp-folder.ts'

test('a backup that begins in the middle of a transaction waits for its end and holds it', async () => {
  const from = storeFiles(join(tempFolder(), 'from'))
  mkdirSync(from.folder)
  using captured = new DatabaseSync(from.captured)
  captured.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)')
  const to = join(tempFolder(), 'to')
  const copying = backUp(captured, from, to)
  await pause(50)
  captured.exec('COMMIT')
  await copying
  using copy = new DatabaseSync(storeFiles(to).captured, { readOnly: true })
  expect(copy.prepare('SELECT n FROM t').all()).toEqual([{ n: 1 }])
})

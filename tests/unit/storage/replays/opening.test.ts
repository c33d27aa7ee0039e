import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { openLedger } from '#storage/replays/ledger.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { execIn, requestsOf } from '../fixture.ts'
import {
  addJob,
  attempt,
  Captured,
  captured,
  everything,
  forward,
  ledgerIn,
  ledgerOver,
  preview,
} from './support.ts'

const POSIX = process.platform !== 'win32'

test.runIf(POSIX)('replays.db is this user’s alone, with its -wal and -shm (reliability, files)', () => {
  const { folder } = captured(1)
  const files = storeFiles(folder)
  writeFileSync(files.replays, '')
  chmodSync(files.replays, 0o644)
  const ledger = ledgerIn(folder)
  addJob(ledger)
  ledger.reserveIds(1)
  for (const name of readdirSync(folder).filter((found) => /^re(?:plays|served)/.test(found)))
    expect([name, (statSync(`${folder}/${name}`).mode & 0o777).toString(8)]).toEqual([name, '600'])
})

const setAside = (folder: string) =>
  readdirSync(folder).filter((name) => /^replays\.damaged-\d+\.db$/.test(name))

const SPOILED: readonly (readonly [name: string, spoil: (file: string) => void])[] = [
  [
    'a damaged replays.db',
    (file) => writeFileSync(file, 'this is no database, somebody may miss it'.repeat(1_000)),
  ],
  ['one without a table of its schema', (file) => execIn(file, 'DROP TABLE attempt')],
  [
    'a symbolic link, which is not followed,',
    (file) => {
      rmSync(file)
      symlinkSync(`${file}.elsewhere`, file)
    },
  ],
]
test.runIf(POSIX).each(SPOILED)('%s is set aside and told, and a fresh one begun', (_, spoil) => {
  const { folder } = captured(2)
  const { replays } = storeFiles(folder)
  ledgerIn(folder).close()
  spoil(replays)
  const { ino } = lstatSync(replays)
  const said: string[] = []
  const ledger = ledgerIn(folder, (message) => said.push(message))
  expect(said).toEqual([expect.stringMatching(/replays\.damaged-\d+\.db/)])
  expect(addJob(ledger).id).toBe(1)
  const [kept = ''] = setAside(folder)
  expect([lstatSync(`${folder}/${kept}`).ino, existsSync(`${replays}.elsewhere`)]).toEqual([ino, false])
})

test('so is another program’s, and its write-ahead log with it', () => {
  const folder = tempFolder()
  new Captured(folder).plant([{ id: 1 }])[Symbol.dispose]()
  const { replays } = storeFiles(folder)
  const other = new DatabaseSync(replays)
  other.exec('PRAGMA journal_mode=WAL; CREATE TABLE theirs (a); INSERT INTO theirs VALUES (7)')
  const said: string[] = []
  ledgerIn(folder, (message) => said.push(message))
  other.close()
  expect(said).toHaveLength(1)
  const [kept = ''] = setAside(folder)
  using theirs = new DatabaseSync(`${folder}/${kept}`)
  expect(theirs.prepare('SELECT a FROM theirs').get()).toEqual({ a: 7 })
})

test('one written by a newer Acuse is refused and left as it is', () => {
  const { folder } = captured(1)
  ledgerIn(folder).close()
  const files = storeFiles(folder)
  execIn(files.replays, 'PRAGMA user_version=99')
  expect(() => openLedger({ paths: files, warn: () => undefined })).toThrow(
    expect.objectContaining({ code: 'newer-schema' }),
  )
  expect(readdirSync(folder).some((name) => name.includes('damaged'))).toBe(false)
})

test('ids of attempts are never given out twice: not after an end, a kill, or a database set aside', () => {
  const { folder, ledger: first } = ledgerOver(1)
  expect(first.reserveIds(3)).toBe(1)
  expect(first.reserveIds(1)).toBe(4)
  first.close()
  const second = ledgerIn(folder)
  expect(second.reserveIds(2)).toBe(5)
  // Not closed, as after a kill: the number of sent items of the block is unknown.
  const third = ledgerIn(folder)
  const fresh = third.reserveIds(1)
  expect(fresh).toBeGreaterThan(6)
  third.close()
  writeFileSync(storeFiles(folder).replays, 'damage'.repeat(1_000))
  const fourth = ledgerIn(folder, () => undefined)
  expect(fourth.reserveIds(1)).toBeGreaterThan(fresh)
})

test('without the file of promises ids go on above those in the database', () => {
  const { folder, ledger } = ledgerOver(1)
  ledger.commit({ ended: [], begun: [attempt(70)] })
  ledger.close()
  writeFileSync(`${folder}/reserved-attempt-ids`, 'rubbish')
  expect(ledgerIn(folder).reserveIds(1)).toBe(71)
})

test('without the deliveries everything else goes on, and they are found once they are there', () => {
  const folder = tempFolder()
  const ledger = ledgerIn(folder)
  const requests = requestsOf(folder)
  const failed = expect.objectContaining({ code: 'store-failed' })
  expect(() => preview(ledger, everything, [])).toThrow(failed)
  expect(() => addJob(ledger)).toThrow(failed)
  expect(() => requests.analysedUpto()).toThrow(failed)
  ledger.saveForward(undefined, forward(), 0)
  ledger.commit({ ended: [], begun: [attempt(1)] })
  captured(3, folder)
  expect(preview(ledger, everything, []).count).toBe(3)
  expect(requests.get(3)?.id).toBe(3)
})

test.runIf(POSIX)('also without being released: the files are looked at', async () => {
  const { folder, ledger } = ledgerOver(3)
  expect(preview(ledger, everything, []).count).toBe(3)
  for (const name of readdirSync(folder).filter((found) => /^(?:derived|captured)\.db/.test(found)))
    renameSync(`${folder}/${name}`, `${folder}/${name.replace('.db', '.old')}`)
  captured(7, folder)
  await expect.poll(() => preview(ledger, everything, []).count).toBe(7)
})

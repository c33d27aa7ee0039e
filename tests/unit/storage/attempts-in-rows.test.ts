import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { Reader } from '#storage/reader/reader.ts'
import { attempt, captured, ended, ledgerIn } from './replays/support.ts'

/** Longer than the interval between two checks of the file. */
const NEXT_LOOK_MS = 250
const nextLook = () => new Promise((resolve) => setTimeout(resolve, NEXT_LOOK_MS))

function readerOf(folder: string): Reader {
  const reader = new Reader(storeFiles(folder))
  onTestFinished(() => reader.close())
  return reader
}

const attemptsOf = async (reader: Reader): Promise<readonly number[]> =>
  (await reader.page(EVERYTHING, { from: 0, limit: 200 })).rows.map(({ attempts }) => attempts)

test('rows tell how often they were sent, from when something was sent at all (product, Stream: attempts)', async () => {
  const { folder } = captured(3)
  const reader = readerOf(folder)
  expect(await attemptsOf(reader)).toEqual([0, 0, 0])

  const ledger = ledgerIn(folder)
  const ids = [ledger.reserveIds(3), 0, 0].map((first, i, [from = 0]) => (i === 0 ? first : from + i))
  const begun = ids.map((id, i) => attempt(id, { deliveryId: i < 2 ? 2 : 3 }))
  ledger.commit({ ended: [], begun })
  ledger.settle()
  await nextLook()
  // Attempts in flight count too: the delivery was sent, whether it arrives or not.
  expect(await attemptsOf(reader)).toEqual([0, 2, 1])
  expect(reader.rows([3, 1]).map(({ id, attempts }) => [id, attempts])).toEqual([
    [1, 0],
    [3, 1],
  ])
  expect((await reader.scan(EVERYTHING, { after: null, limit: 1, newest: true }))[0]?.attempts).toBe(1)

  const [first] = begun
  if (first) ledger.commit({ ended: [ended(first)], begun: [attempt(ledger.reserveIds(1))] })
  ledger.settle()
  expect(await attemptsOf(reader)).toEqual([1, 2, 1])
  // The latest attempt counts, in whatever order they ended; every tried target is listed.
  expect(reader.rows([1, 2]).map(({ lastAttempt }) => lastAttempt)).toEqual([
    { state: 'sending', status: null, ok: null },
    { state: 'sending', status: null, ok: null },
  ])
  for (const one of begun.slice(1))
    ledger.commit({ ended: [ended(one, 'done', one.deliveryId === 3 ? 500 : 200)], begun: [] })
  ledger.settle()
  expect(reader.rows([2, 3]).map(({ lastAttempt }) => lastAttempt)).toEqual([
    { state: 'answered', status: 200, ok: true },
    { state: 'answered', status: 500, ok: false },
  ])
  const found = async (filter: string) =>
    (await reader.page(readFilter(filter), { from: 0, limit: 9 })).rows.map(({ id }) => id)
  const [{ target = '' } = {}] = begun
  for (const [filter, ids] of [
    ['attempt:failed', [3]],
    ['attempt:5xx,ok', [2, 3]],
    ['-attempt:ok -attempt:500', [1]],
    ['attempt:none', []],
    [`attempt:"${target.toUpperCase()}"`, [1, 2, 3]],
    ['attempt:elsewhere', []],
  ] as const)
    expect([filter, await found(filter)]).toEqual([filter, ids])
})

test('a replays.db that is none, is set aside and begun anew costs the list nothing (reliability, damage)', async () => {
  const { folder } = captured(1)
  const { replays } = storeFiles(folder)
  writeFileSync(replays, 'no database')
  const reader = readerOf(folder)
  expect(await attemptsOf(reader)).toEqual([0])
  renameSync(replays, `${replays}.aside`)
  const ledger = ledgerIn(folder)
  ledger.commit({ ended: [], begun: [attempt(ledger.reserveIds(1))] })
  ledger.settle()
  await nextLook()
  expect(await attemptsOf(reader)).toEqual([1])
  for (const name of readdirSync(folder).filter((found) => /^replays\.db(-wal|-shm)?$/.test(found)))
    renameSync(`${folder}/${name}`, `${folder}/old-${name}`)
  await nextLook()
  expect(await attemptsOf(reader)).toEqual([0])
})

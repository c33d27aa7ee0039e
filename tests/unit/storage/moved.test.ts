import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { Store } from '#core/ports.ts'
import { appendAtOnce, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { bytesIn } from './fixture.ts'

const removeAll = (file: string) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

const append = (store: Store, from: number, count: number) =>
  appendAtOnce(store, count, (n) => ({ body: `body ${from + n}` }))

async function listed(store: Store): Promise<string[]> {
  const rows = await store.deliveries.scan(EVERYTHING, { after: null, limit: 1_000 })
  return Promise.all(rows.map(async ({ id }) => String(await bytesIn(store, id))))
}

const bodies = (count: number) => Array.from({ length: count }, (_, i) => `body ${i}`)

const MOVES: readonly [name: string, reason: RegExp, act: (file: string, folder: string) => unknown][] = [
  ['removed with its side files', /captured\.db was removed/, removeAll],
  ['removed alone', /captured\.db was removed/, (file) => rmSync(file)],
  [
    'replaced by an older copy of itself',
    /captured\.db was replaced/,
    (file, folder) => renameSync(join(folder, 'older'), file),
  ],
  [
    'left without its -wal and -shm',
    /captured\.db-wal was removed/,
    (file) => ['-wal', '-shm'].map((suffix) => rmSync(file + suffix)),
  ],
]

test.each(MOVES)('a database %s meanwhile is written anew and loses nothing', async (_, reason, move) => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  {
    await using opened = await openTestStore(folder)
    const { store } = opened
    await append(store, 0, 40)
    copyFileSync(file, join(folder, 'older'))
    await append(store, 40, 40)
    await expect.poll(() => listed(store), { timeout: 20_000 }).toHaveLength(80)
    move(file, folder)
    await append(store, 80, 40)
    await until(() => store.status().incidents.length === 1 && store.status().state === 'ok')
    await append(store, 120, 40)
    const [incident] = store.status().incidents
    expect(incident).toMatchObject({ kind: 'moved', reason: expect.stringMatching(reason) })
    // Deliveries from the journal have the order of their answers.
    await expect.poll(() => listed(store), { timeout: 20_000 }).toEqual(bodies(160))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // The file in its place is kept, and no other file is left over.
    const aside = readdirSync(folder).filter((name) => name.includes('damaged'))
    expect(aside).toEqual(incident?.setAside.map((path) => basename(path)))
  }
  await using again = await openTestStore(folder)
  expect(await listed(again.store)).toEqual(bodies(160))
  expect(again.store.status().incidents).toHaveLength(1)
})

test('a database that is removed while nothing arrives is missed within a second or so, and written anew', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  await using opened = await openTestStore(folder)
  const { store } = opened
  await append(store, 0, 10)
  await expect.poll(() => listed(store), { timeout: 20_000 }).toHaveLength(10)
  removeAll(file)
  await expect.poll(() => store.status().incidents, { timeout: 20_000 }).toHaveLength(1)
  await expect.poll(() => listed(store), { timeout: 20_000 }).toEqual(bodies(10))
})

test('a database that is removed right before the end is written anew by it', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  {
    await using opened = await openTestStore(folder)
    await append(opened.store, 0, 10)
    removeAll(file)
  }
  await using again = await openTestStore(folder)
  expect(await listed(again.store)).toEqual(bodies(10))
})

test('a file that replaced the database is set aside untouched, and brought back when it is asked for', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  await using other = await openTestStore()
  await append(other.store, 500, 700)
  await other.store.close()
  await using opened = await openTestStore(folder)
  const { store } = opened
  await append(store, 0, 10)
  renameSync(join(other.folder, 'captured.db'), file)
  await until(() => store.status().incidents.length === 1 && store.status().state === 'ok')
  expect(readdirSync(folder).filter((name) => /^captured\.damaged-\d+\.db$/.test(name))).toHaveLength(1)
  // Its first ten ids exist in our store too.
  expect(await store.salvage(store.status().incidents[0]?.at ?? 0)).toBe(690)
})

test('derived.db that is removed while Acuse runs is made again', async () => {
  await using opened = await openTestStore()
  const { store, folder } = opened
  await append(store, 0, 20)
  const judged = async () => {
    const { total, verdicts } = await store.deliveries['deliveries.summary']({ filter: '' })
    return total - verdicts.unjudged
  }
  await expect.poll(judged, { timeout: 20_000 }).toBe(20)
  const file = join(folder, 'derived.db')
  removeAll(file)
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
  await expect.poll(judged, { timeout: 20_000 }).toBe(20)
  expect(store.status().incidents).toEqual([])
})

import {
  copyFileSync,
  existsSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { bodyOf, overwrite, PAGE, ROWS, rootOf, soundStore } from '../../reliability/damage-rounds.ts'
import { aDelivery, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { bytesIn, execIn, noticesOf } from './fixture.ts'

let sound: Buffer
beforeAll(async () => {
  sound = await soundStore()
})

function aSoundFolder() {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  writeFileSync(file, sound)
  return { folder, file }
}

const scribble = (file: string, at: number, length: number) => overwrite(file, at, Buffer.alloc(length, 0xa5))

async function survive(folder: string) {
  const opened = await openTestStore(folder)
  const { id } = await opened.store.capture.append(aDelivery({ body: 'fresh' }))
  return { ...opened, id: id ?? 0 }
}

test('salvage brings back every row beside the damage, under its own id, judged like any other (reliability, row 6)', async () => {
  const { folder, file } = aSoundFolder()
  // Damage one leaf page of the payloads: only the deliveries on it are lost.
  const leaf = Math.floor(sound.length / PAGE / 2)
  scribble(file, leaf * PAGE, 2_000)
  await using opened = await survive(folder)
  const { store } = opened
  await until(() => store.status().incidents.length > 0 && store.status().state === 'ok')
  const [incident] = store.status().incidents
  const notices = noticesOf(store)
  const recovered = await store.salvage(incident?.at ?? 0)
  expect(recovered).toBeGreaterThan(ROWS - 12)
  expect(store.status().incidents[0]).toMatchObject({ salvage: 'done', recovered })
  expect(notices).toContainEqual({ type: 'reset', reason: 'salvaged' })
  expect((await bytesIn(store, 3)).toString()).toMatch(/^delivery 2 x/)
  const said = { tags: ['a', 'b'], marks: ['pinned'], noteText: { text: 'Sí' } }
  expect(await store.deliveries.get(3)).toMatchObject(said)
  expect(await store.deliveries.settled(15_000)).toBe(0)
  const summary = () => store.deliveries['deliveries.summary']({ filter: '' })
  await until(summary, ({ verdicts }) => verdicts.unjudged === 0)
})

test('salvage keeps headers and body of a delivery whose row is lost, with a note that says so (reliability, row 6)', async () => {
  const { folder, file } = aSoundFolder()
  // Rows are stored by id, so the first leaf page has the first deliveries.
  overwrite(file, Math.floor(sound.indexOf('/hooks?x=1') / PAGE) * PAGE, Buffer.alloc(PAGE))
  await using opened = await survive(folder)
  const { store } = opened
  await until(() => store.status().incidents.length === 1 && store.status().state === 'ok')
  // The delivery that arrived before the damage was found may be included.
  expect(await store.salvage(store.status().incidents[0]?.at ?? 0)).toBeGreaterThanOrEqual(ROWS)
  const lost = await store.deliveries.scan(readFilter('tag:salvaged'), { after: null, limit: ROWS })
  expect(lost.length).toBeGreaterThan(20)
  expect(lost.length).toBeLessThan(ROWS)
  const { id = 0 } = lost[0] ?? {}
  expect((await bytesIn(store, id)).toString()).toContain(`delivery ${id - 1} x`)
  const noteText = { text: expect.stringContaining('lost the row') }
  expect(await store.deliveries.get(id)).toMatchObject({ noteText })
})

test('salvage reads a -wal whose database is gone (reliability, row 6)', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  {
    using source = mkdtempDisposableSync(join(tmpdir(), 'acuse-log-'))
    await using opened = await openTestStore(source.path)
    // As after a kill: an open reader prevents a checkpoint of the -wal.
    using reader = new DatabaseSync(join(source.path, 'captured.db'), { readOnly: true })
    reader.exec('BEGIN; SELECT id FROM delivery')
    for (let i = 0; i < 20; i++) await opened.store.capture.append(aDelivery({ body: bodyOf(i) }))
    await opened.store.deliveries.settled(10_000)
    copyFileSync(join(source.path, 'captured.db-wal'), `${file}-wal`)
  }
  writeFileSync(join(folder, 'reserved-ids'), '20\n')
  await using opened = await survive(folder)
  expect(opened.id).toBe(21)
  expect(await opened.store.salvage(opened.store.status().incidents[0]?.at ?? 0)).toBe(20)
})

test('salvage brings back the trash as trash: each deletion for itself, with its instant, what people said, and a whole day where its own was over (reliability, row 6)', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  {
    await using opened = await openTestStore(folder)
    const { store } = opened
    for (let i = 0; i < 30; i++) await store.capture.append(aDelivery({ body: bodyOf(i) }))
    await store.deliveries.annotate({ ids: [7], note: 'deleted by mistake', addTags: ['a'] })
    await store.trash.add({ ids: [7, 8] })
    await store.trash.add({ filter: readFilter('method:POST'), text: 'method:POST', upTo: 3 })
    await store.trash.add({ ids: [20] })
  }
  const DAY = 86_400_000
  const before = Date.now()
  for (const [i, ago] of [1_000, DAY - 60_000, 3 * DAY].entries())
    execIn(file, `UPDATE trash_batch SET at = ${before - ago} WHERE id = ${i + 1}`)
  scribble(file, 0, 100)
  await using opened = await survive(folder)
  const { store } = opened
  // Both the fresh and the old store have a deletion with this number.
  await store.trash.add({ ids: [31] })
  const [incident] = store.status().incidents
  expect(await store.salvage(incident?.at ?? 0)).toBe(30)
  expect(await store.salvage(incident?.at ?? 0)).toBe(0)
  const found = (await store.deliveries['trash.list']({})).batches
  expect(found.map(({ deliveries, filter }) => [deliveries, filter]).sort()).toEqual([
    [1, null],
    [1, null],
    [2, null],
    [3, 'method:POST'],
  ])
  const two = found.find(({ deliveries }) => deliveries === 2)
  expect(two?.at).toBe(before - 1_000)
  expect(found.find(({ filter }) => filter !== null)?.at).toBe(before - DAY + 60_000)
  for (const { at } of found.filter(({ deliveries }) => deliveries === 1))
    expect(at).toBeGreaterThanOrEqual(before)
  expect(store.status().counts).toMatchObject({ stored: 24, trashed: 7 })
  expect(await store.deliveries.get(7)).toBeUndefined()
  expect(await store.trash.restore(two?.batch ?? 0)).toBe(2)
  const said = { tags: ['a'], noteText: { text: 'deleted by mistake' } }
  expect(await store.deliveries.get(7)).toMatchObject(said)
  expect(store.status().counts).toMatchObject({ stored: 26, trashed: 5 })
})

test('an empty file is simply a new store, and a read-only file of ours is made writable', async () => {
  const folder = tempFolder()
  const file = join(folder, 'captured.db')
  writeFileSync(file, '', { mode: 0o400 })
  await using opened = await survive(folder)
  expect(opened.id).toBe(1)
  expect(opened.store.status().incidents).toEqual([])
})

const GONE: readonly [name: string, gone: (file: string) => unknown, left: readonly string[]][] = [
  ['empty', (file) => truncateSync(file), ['', '-wal']],
  ['missing', (file) => rmSync(file), ['-wal']],
  ['missing with all that lay beside it', (file) => [file, `${file}-wal`].map((one) => rmSync(one)), []],
  [
    'without a single table',
    (file) => {
      for (const one of [file, `${file}-wal`]) rmSync(one)
      execIn(file, 'PRAGMA user_version=0; VACUUM')
    },
    [''],
  ],
]

test.each(GONE)('a store %s though ids were given out (reliability, row 6)', async (_, gone, left) => {
  const { folder, file } = aSoundFolder()
  writeFileSync(`${file}-wal`, 'what was not moved into the database yet')
  writeFileSync(join(folder, 'reserved-ids'), `${ROWS}\n`)
  gone(file)
  await using opened = await survive(folder)
  expect(opened.id).toBe(ROWS + 1)
  const [incident] = opened.store.status().incidents
  expect(incident).toMatchObject({ kind: 'missing', salvage: left.length > 0 ? 'offered' : 'none' })
  expect(incident?.setAside.map((path) => path.replace(/.*\.db/, ''))).toEqual(left)
  for (const path of incident?.setAside ?? []) expect(existsSync(path)).toBe(true)
})

test('a log that another program removed: no id is assigned again that its deliveries may have had (reliability, row 6)', async () => {
  const { folder } = aSoundFolder()
  // As after a kill: the ceiling lies above the last id.
  writeFileSync(join(folder, 'reserved-ids'), `${ROWS + 100}\n`)
  await using opened = await survive(folder)
  expect(opened.id).toBe(ROWS + 101)
})

test('a store written by a newer Acuse is left alone, and deliveries wait for it in the log (reliability, row 6)', async () => {
  const { folder, file } = aSoundFolder()
  const version = (to: number) => {
    using db = new DatabaseSync(file)
    const from = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    db.exec(`PRAGMA user_version=${to}`)
    return from
  }
  const present = version(99)
  const newer = readFileSync(file)
  {
    await using opened = await survive(folder)
    // The issued ids of that database are unknown.
    expect(opened.id).toBeGreaterThan(ROWS)
    const reason = expect.stringContaining('was written by a newer Acuse (schema 99')
    expect(opened.store.status()).toMatchObject({ state: 'behind', reason, incidents: [] })
  }
  expect(readFileSync(file).equals(newer)).toBe(true)
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([])
  version(present)
  await using again = await openTestStore(folder)
  await again.store.deliveries.settled(20_000)
  expect(again.store.status().counts.stored).toBe(ROWS + 1)
})

test('damage met while running keeps deliveries in the log until a fresh store takes them; readers close the files before they are set aside (Windows, renaming)', async () => {
  const { folder, file } = aSoundFolder()
  const root = rootOf(file, 'answer')
  await using opened = await survive(folder)
  const { store } = opened
  const setAside = () => readdirSync(folder).some((name) => name.startsWith('captured.damaged'))
  const told: [what: string, setAside: boolean][] = []
  store.addReader({
    async release() {
      await new Promise((resolve) => setTimeout(resolve, 100))
      told.push(['released', setAside()])
    },
    reopen: () => told.push(['reopened', setAside()]),
  })
  // A failing reader must not delay deliveries.
  store.addReader({ release: () => Promise.reject(new Error('no')), reopen: () => undefined })
  await store.coverage.enter('listening')
  const listeningSince = Date.now()
  await until(() => store.status().counts.unfiled === 0)
  scribble(file, root, PAGE)
  const answer = { status: 200, headers: ['X-New', 'answer'], body: new Uint8Array() }
  await store.capture.append(aDelivery({ body: 'meets the damage', answer }))
  await until(() => store.status().incidents.length === 1 && store.status().state === 'ok')
  const rows = await store.deliveries.scan(EVERYTHING, { after: null, limit: 10 })
  expect(rows.length).toBe(1)
  expect(rows[0]?.id).toBeGreaterThan(ROWS)
  expect(existsSync(store.status().incidents[0]?.setAside[0] ?? '')).toBe(true)
  expect(told).toEqual([
    ['released', false],
    ['reopened', true],
  ])
  // The present coverage is known without the database that recorded its start.
  await expect
    .poll(() => store.coverage.list(0, Date.now(), true))
    .toEqual([{ state: 'listening', from: expect.any(Number), to: expect.any(Number) }])
  const [span] = await store.coverage.list(0, Date.now(), true)
  expect(span?.from).toBeLessThanOrEqual(listeningSince)
})

test('damage met by a deletion gets the database replaced too, and its user a sentence that says what to do', async () => {
  const { folder, file } = aSoundFolder()
  await using opened = await survive(folder)
  const { store } = opened
  await until(() => store.status().counts.unfiled === 0)
  scribble(file, Math.floor(sound.length / PAGE / 2) * PAGE, PAGE)
  await expect(store.deliveries.retention({ keepNewest: 10 }, true)).rejects.toMatchObject({
    code: 'store-failed',
    message: expect.stringContaining('start “acuse serve”'),
  })
  await until(() => store.status().incidents.length === 1 && store.status().state === 'ok')
})

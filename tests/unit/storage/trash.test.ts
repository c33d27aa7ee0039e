import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { TRASH_KEPT_MS } from '#contract/values.ts'
import { readFilter } from '#core/filter/read.ts'
import { Deletions } from '#storage/replays/bodies.ts'
import { Statements } from '#storage/sql/connection.ts'
import { emptyTrash, trash } from '#storage/writer/deleting.ts'
import { FilingWriter } from '../../support/filing-writer.ts'
import { aDelivery, anEvent, appendAtOnce, openTestStore, type TestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { arrive, bytesIn, found, noticesOf, test } from './fixture.ts'

const CHILD = new URL('../../support/trashing-child.ts', import.meta.url).pathname
const PATIENT = { timeout: 15_000 }
const DOCUMENT = '3f2a0000-0000-4000-8000-000000000001'

const bodyOf = (i: number): string =>
  anEvent(i % 2 === 0 ? 'factura.updated' : 'factura.created', {
    ...{ DocumentId: DOCUMENT, Number: 'E310000000001', StatusId: 5, CustomerId: i },
  })

/** An event without a document: with one, each deletion would sum up all of its thousand events again. */
const partyOf = (i: number): string =>
  anEvent(i % 2 === 0 ? 'customer.updated' : 'customer.created', { CustomerId: i, LegalName: `Colmado ${i}` })

const fill = ({ store }: TestStore, count: number) =>
  arrive(store, ...Array.from({ length: count }, (_, i) => ({ body: bodyOf(i + 1) })))

const by = (text: string, upTo: number | null = null) => ({ filter: readFilter(text), text, upTo })

async function told(test: TestStore) {
  const { deliveries } = test.store
  const all = readFilter('')
  return {
    rows: (await deliveries.page(all, { from: 0, limit: 1_000 })).rows,
    judged: await found(test, 'kind:factura.created verdict:>=valid'),
    text: await found(test, 'E310000000001'),
    documents: (await deliveries['documents.get']({ key: DOCUMENT }))?.steps.map(({ row }) => row.id),
    counts: await deliveries['filter.counts']({ filter: '', field: 'kind' }),
  }
}

test('deletion: out of every list and count, and back as it was', async ({ opened }) => {
  await fill(opened, 9)
  const { store } = opened
  await store.deliveries.annotate({ ids: [3], note: 'kept', addTags: ['t'] })
  await store.deliveries.pin([4], true)
  const before = await told(opened)
  const notices = noticesOf(store)

  const outcome = await store.trash.add({ ids: [3, 4, 5, 5, 99] })
  expect(outcome).toMatchObject({ batch: 1, deliveries: 3, pinnedExempt: 0 })
  expect(notices).toContainEqual({ type: 'reset', reason: 'trashed' })
  expect(await found(opened, '')).toEqual([1, 2, 6, 7, 8, 9])
  expect(await found(opened, 'has:note or is:pinned')).toEqual([])
  expect((await store.deliveries['tags.list']({})).tags).toEqual([])
  await expect.poll(() => found(opened, 'E310000000001'), PATIENT).toEqual([1, 2, 6, 7, 8, 9])
  const steps = async () => (await store.deliveries['documents.get']({ key: DOCUMENT }))?.steps
  await expect.poll(steps, PATIENT).toHaveLength(6)
  expect(await store.deliveries.get(4)).toBeUndefined()
  expect(store.status().counts).toMatchObject({ stored: 6, trashed: 3 })
  expect(store.status().disk.trashBytes).toBe(outcome.bytes)
  const batch = { batch: 1, filter: null, deliveries: 3, bytes: outcome.bytes }
  expect((await store.deliveries['trash.list']({})).batches).toMatchObject([batch])

  await store.capture.append(aDelivery({ body: bodyOf(10) }))
  expect(await store.trash.restore(1)).toBe(3)
  expect(await store.deliveries.settled(30_000)).toBe(0)
  expect(store.status().counts).toMatchObject({ stored: 10, trashed: 0 })
  await store.trash.add({ ids: [10] })
  await expect.poll(() => told(opened), PATIENT).toEqual(before)
  expect(notices.filter((notice) => notice.type === 'reset' && notice.reason === 'restored')).not.toEqual([])
  await expect(store.trash.restore(1)).rejects.toMatchObject({
    code: 'not-found',
    message: 'These deliveries are no longer in the trash: they were restored, or it was emptied.',
  })
})

test('deletion by a filter spares what is pinned and what came since', async ({ opened, store }) => {
  await fill(opened, 8)
  await store.deliveries.pin([1, 3], true)
  const outcome = await store.trash.add(by('kind:factura.created', 5))
  expect(outcome).toMatchObject({ deliveries: 1, pinnedExempt: 2 })
  expect(await found(opened, '')).toEqual([1, 2, 3, 4, 6, 7, 8])
  // Also with a filter that no index answers.
  expect(await store.trash.add(by('/CustomerId":8/'))).toMatchObject({ deliveries: 1 })
  const none = { batch: null, deliveries: 0, bytes: 0, pinnedExempt: 2 }
  expect(await store.trash.add(by('is:pinned'))).toEqual(none)
  const { batches } = await store.deliveries['trash.list']({})
  expect(batches.map(({ filter }) => filter)).toEqual(['/CustomerId":8/', 'kind:factura.created'])
})

test('deletion: ends on demand, and by retention', { tags: 'long' }, async ({ opened, folder }) => {
  const { store } = opened
  await fill(opened, 6)
  await store.deliveries.annotate({ ids: [1], note: 'x', addTags: ['t'] })
  const first = await store.trash.add({ ids: [1] })
  await store.trash.add({ ids: [2] })
  expect(await store.trash.empty(first.batch)).toEqual({ deliveries: 1, bytes: first.bytes })
  expect((await store.deliveries['trash.list']({})).batches).toHaveLength(1)
  const preview = await store.deliveries.retention({ keepNewest: 3 }, false)
  expect(preview).toMatchObject({ deliveries: 1, trash: { deliveries: 1 } })
  expect(await store.deliveries.retention({ keepNewest: 3 }, true)).toEqual(preview)
  expect((await store.deliveries['trash.list']({})).batches).toEqual([])
  expect(await found(opened, '')).toEqual([4, 5, 6])
  await store.close()
  using db = new DatabaseSync(`${folder}/captured.db`, { readOnly: true })
  const left = (table: string) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
  expect(['payload', 'note', 'tag', 'trashed', 'trash_batch'].map(left)).toEqual([3, 0, 0, 0, 0])
})

test('deletion: ends after a day in which Acuse ran, and not when the clock of the machine jumps', async () => {
  const folder = tempFolder()
  let now = Date.UTC(2026, 10, 20)
  /** Cleans the trash as the store does every ten minutes and at each start. @returns the number of deliveries left */
  const look = async ({ writer }: FilingWriter, ms: number): Promise<number> => {
    now += ms
    await emptyTrash(writer, { due: now })
    return writer.status().trashed.deliveries
  }
  const open = () => new FilingWriter(folder, now)
  const day = 86_400_000
  const minutes = 60_000
  const first = open()
  first.deliver('a', 'b')
  await trash(first.writer, { ids: [1], filter: null, sparePinned: false, at: now })
  for (let i = 0; i < 100; i++) expect(await look(first, 10 * minutes)).toBe(1)
  first.close()

  const ahead = open()
  expect(await look(ahead, 2 * day)).toBe(1)
  await trash(ahead.writer, { ids: [2], filter: null, sparePinned: false, at: now })
  expect(await look(ahead, 10 * minutes)).toBe(2)
  ahead.close()
  const back = open()
  expect(await look(back, -2 * day)).toBe(2)
  // 1,000 of 1,440 minutes have passed, plus at most half an hour around the clock's jump.
  for (let i = 0; i < 38; i++) expect(await look(back, 10 * minutes)).toBe(2)
  for (let i = 0; i < 8; i++) await look(back, 10 * minutes)
  expect(back.writer.status().trashed.deliveries).toBe(1)
  for (let i = 0; i < 144; i++) await look(back, 10 * minutes)
  expect(back.writer.status()).toMatchObject({ stored: 0, trashed: { deliveries: 0, bytes: 0 } })
  back.close()
})

test('deletion: says when a deletion ends, counted in the time that Acuse ran', async () => {
  let now = Date.UTC(2026, 10, 20)
  const folder = tempFolder()
  {
    await using test = await openTestStore(folder, { now: () => now })
    await fill(test, 1)
    await test.store.trash.add({ ids: [1] })
    expect((await test.store.deliveries['trash.list']({})).batches).toMatchObject([
      { at: now, emptiedAt: now + TRASH_KEPT_MS },
    ])
  }
  now += 2 * TRASH_KEPT_MS
  await using test = await openTestStore(folder, { now: () => now })
  await expect
    .poll(() => test.store.deliveries['trash.list']({}), PATIENT)
    .toMatchObject({ batches: [{ emptiedAt: now + TRASH_KEPT_MS - 1_800_000 }] })
})

test('deletion: keeps the pieces of a large body, also over a start', { tags: 'long' }, async () => {
  const folder = tempFolder()
  const text = bodyOf(1).replace('{', `{"Filler":"${'x'.repeat(3_000_000)}",`)
  {
    await using test = await openTestStore(folder)
    const sink = test.store.capture.openBody()
    await sink.write(new TextEncoder().encode(text.slice(0, 1_500_000)))
    await sink.write(new TextEncoder().encode(text.slice(1_500_000)))
    await test.store.capture.append(aDelivery({ body: await sink.finish(), bodySize: text.length }))
    await fill(test, 2)
    await test.store.trash.add({ ids: [1, 2] })
  }
  {
    // After an opening, the writer deletes pieces without a delivery in its pauses.
    await using test = await openTestStore(folder)
    await wait(400)
    await test.store.trash.restore(1)
    // Closed before analysis can run again.
  }
  await using test = await openTestStore(folder)
  expect(await test.store.deliveries.settled(30_000)).toBe(0)
  await expect.poll(() => found(test, 'kind:factura.created'), PATIENT).toEqual([1, 2])
  expect((await bytesIn(test.store, 1)).equals(Buffer.from(text))).toBe(true)
})

test('deletion: loses nothing when the process is killed in between', { tags: 'long' }, async () => {
  const folder = tempFolder()
  const count = 1_500
  {
    await using test = await openTestStore(folder)
    await appendAtOnce(test.store, count, (i) => ({ body: partyOf(i) }))
    await test.store.deliveries.settled(30_000)
  }
  for (const afterMs of [60, 130, 350]) {
    const child = spawn(process.execPath, [CHILD, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await wait(afterMs)
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  {
    using db = new DatabaseSync(`${folder}/captured.db`)
    const n = (sql: string) => Number(db.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.n)
    expect(n('delivery') + n('trashed')).toBe(count)
    expect(n('delivery JOIN trashed USING (id)')).toBe(0)
    expect(n('payload')).toBe(count)
    expect(n('trashed WHERE batch NOT IN (SELECT id FROM trash_batch)')).toBe(0)
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  }
  await using test = await openTestStore(folder)
  const { store } = test
  for (const { batch } of (await store.deliveries['trash.list']({})).batches) await store.trash.restore(batch)
  expect(await store.deliveries.settled(30_000)).toBe(0)
  expect(store.status().counts).toMatchObject({ stored: count, trashed: 0 })
  const valid = () => store.deliveries['deliveries.summary']({ filter: 'verdict:>=valid' })
  await expect.poll(valid).toMatchObject({ total: count })
})

test('deletion: keeps the attempts of what may come back', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE attempt (delivery_id INTEGER); CREATE TABLE delivery (id INTEGER); CREATE TABLE trashed (id INTEGER);
      INSERT INTO attempt VALUES (1), (2), (3); INSERT INTO delivery VALUES (1); INSERT INTO trashed VALUES (2)`)
  const unused = { drop: () => undefined } as never
  expect(new Deletions(new Statements(db), unused).gone(0)).toEqual([3])
  db.close()
})

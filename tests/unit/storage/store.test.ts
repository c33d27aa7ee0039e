import { DatabaseSync } from 'node:sqlite'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { aBody, aUuid } from '../../support/events.ts'
import { aDelivery, anEvent, appendAtOnce, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { arrive, bytesIn, noticesOf, requestsOf, test } from './fixture.ts'

const DOCUMENT = '0e8dddc7-9ebf-41f3-b08a-5a3f91f1c3c0'
const at = (seconds: number) => `2026-03-01T10:00:${String(seconds).padStart(2, '0')}-04:00`

test('ids follow the order of arrival over restarts, and those of deleted deliveries are never given out again (architecture)', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const ids = await Promise.all(Array.from({ length: 500 }, () => opened.store.capture.append(aDelivery())))
    expect(ids.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
  }
  {
    await using again = await openTestStore(folder)
    expect(again.store.status().counts.stored).toBe(500)
    expect((await again.store.capture.append(aDelivery())).id).toBe(501)
    await again.store.deliveries.retention({ keepNewest: 0 }, true)
  }
  await using emptied = await openTestStore(folder)
  expect(emptied.store.status().counts.stored).toBe(0)
  expect((await emptied.store.capture.append(aDelivery())).id).toBe(502)
})

test('rows of filed deliveries are read at once, a page waits for later ones', async ({ store }) => {
  await arrive(store, {})
  // The first read of a thread may take as long as a page waits.
  await store.deliveries.rows([1])
  using lock = new DatabaseSync(store.status().path)
  lock.exec('BEGIN IMMEDIATE')
  await store.capture.append(aDelivery())
  const order: string[] = []
  const page = store.deliveries.page(EVERYTHING, { from: 0, limit: 10 }).then(() => order.push('page'))
  await Promise.all([page, store.deliveries.rows([1]).then(() => order.push('rows'))])
  expect(order).toEqual(['rows', 'page'])
})

test('the same decoded bytes at an endpoint are a duplicate (readings, Delivery)', async ({ store }) => {
  const text = anEvent('customer.deactivated', { CustomerId: 7 })
  const encoded = (body: Uint8Array, coding: string) => ({ body, headers: ['Content-Encoding', coding] })
  const twice = encoded(gzipSync(brotliCompressSync(text)), 'br, gzip')
  await arrive(store, { body: text, rejected: true }, { body: text }, encoded(gzipSync(text), 'gzip'), twice)
  await arrive(store, { body: text, endpoint: 'other' }, { body: '' }, { body: '', method: 'GET' })
  const { rows } = await store.deliveries.page(EVERYTHING, { from: 0, limit: 10 })
  // Two requests without a body are no duplicates: neither holds an event.
  expect(rows.map(({ marks }) => marks)).toEqual([[], [], ['duplicate'], ['duplicate'], [], [], []])
  expect((await bytesIn(store, 4, 'decoded')).toString()).toBe(text)
  expect(await bytesIn(store, 3)).toEqual(gzipSync(text))
})

test('late is more than five minutes after Timestamp (readings, Delivery)', async ({ store }) => {
  const instant = Date.parse(at(30)) * 1_000
  const event = (seconds: number, id: string) =>
    anEvent('cotizacion.updated', { DocumentId: id, seconds }, at(seconds))
  await arrive(
    store,
    { body: event(30, DOCUMENT), receivedAt: instant + 300_000_000 },
    { body: event(29, DOCUMENT.toUpperCase()), receivedAt: instant + 300_000_001 },
    { body: event(30, DOCUMENT), receivedAt: instant + 300_000_001, endpoint: 'b' },
  )
  const { rows } = await store.deliveries.page(EVERYTHING, { from: 0, limit: 10 })
  expect(rows.map(({ marks }) => marks)).toEqual([[], ['late', 'out-of-order'], ['late']])
})

test('a body that cannot be decoded is unreadable (readings, The envelope)', async ({ store }) => {
  await arrive(store, { body: 'not gzip', headers: ['Content-Encoding', 'gzip'] })
  expect((await store.deliveries.get(1))?.verdict).toBe('unreadable')
  expect((await store.deliveries.body(1, 'decoded', 0, 100))?.problem).toMatch(/^gzip: /)
  expect((await bytesIn(store, 1)).toString()).toBe('not gzip')
})

test('a delivery does not wait for the pieces of other bodies', async ({ store }) => {
  const { capture } = store
  let written = 0
  const pieces = Array.from({ length: 200 }, async () => {
    await capture.openBody().write(new Uint8Array(65_536))
    written++
  })
  await capture.append(aDelivery({}))
  expect(written).toBeLessThan(100)
  await Promise.all(pieces)
  expect(written).toBe(200)
})

test('retention deletes exactly what its preview says, and never what is pinned', async ({ store }) => {
  await appendAtOnce(store, 1_000, () => ({ body: 'x'.repeat(1_000) }))
  await store.deliveries.settled(10_000)
  await store.deliveries.pin([1, 2], true)
  const notices = noticesOf(store)
  const preview = await store.deliveries.retention({ keepNewest: 400 }, false)
  expect(preview).toMatchObject({ deliveries: 598, pinnedExempt: 2 })
  expect((await store.deliveries.page(EVERYTHING, { from: 0, limit: 1 })).total).toBe(1_000)
  expect(await store.deliveries.retention({ keepNewest: 400 }, true)).toEqual(preview)
  expect(notices).toContainEqual({ type: 'reset', reason: 'retention' })
  expect(store.status().counts.stored).toBe(402)
  expect(await store.deliveries.page(EVERYTHING, { from: 0, limit: 3 })).toMatchObject({
    total: 402,
    rows: [{ id: 1 }, { id: 2 }, { id: 601 }],
  })
  expect(await store.deliveries['deliveries.summary']({ filter: '' })).toMatchObject({ total: 402 })
  const freed = await store.deliveries.retention({ freeBytes: 5_000 }, true)
  expect(freed.bytes).toBeGreaterThanOrEqual(5_000)
  expect(freed.deliveries).toBe(5)
  const rest = await store.deliveries.retention({ before: Date.now() + 60_000 }, true)
  expect(rest.deliveries).toBe(395)
  expect((await store.capture.append(aDelivery())).id).toBe(1_001)
})

test('by age goes nothing that is young by the order of arrival, or by the time that passed since the clock was set ahead', async () => {
  const day = 86_400_000
  const clock = { ahead: 0 }
  await using opened = await openTestStore(undefined, { now: () => Date.now() + clock.ahead })
  const { deliveries } = opened.store
  const ages = [-40, 40, 1, 20_000]
  await arrive(opened.store, ...ages.map((age) => ({ receivedAt: (Date.now() - age * day) * 1_000 })))
  const monthOld = () => ({ before: Date.now() + clock.ahead - 30 * day })
  clock.ahead = 40 * day
  expect(await deliveries.retention(monthOld(), true)).toMatchObject({ deliveries: 1 })
  expect((await deliveries.page(EVERYTHING, { from: 0, limit: 9 })).rows.map(({ id }) => id)).toEqual([
    1, 3, 4,
  ])
})

const rebuiltBody = aBody('factura.created', { data: { DocumentId: aUuid(1) } })

test('a rebuilt delivery is listed as any other, but was never received', async ({ store, folder }) => {
  await arrive(store, { body: rebuiltBody, synthetic: true, answer: null }, { body: rebuiltBody })
  const rows = await store.deliveries.rows([1, 2])
  // The live delivery is no duplicate of the rebuilt one.
  expect(rows.map(({ marks, kind }) => [marks.filter((mark) => mark !== 'late'), kind])).toEqual([
    [['synthetic'], 'factura.created'],
    [[], 'factura.created'],
  ])
  const total = async (filter: string) => (await store.deliveries['deliveries.summary']({ filter })).total
  expect([await total('is:synthetic'), await total('-is:synthetic'), await total('')]).toEqual([1, 1, 2])
  expect((await store.deliveries.get(1))?.marks).toEqual(['synthetic'])
  expect(store.status().counts).toMatchObject({ stored: 2, today: 1 })

  const requests = requestsOf(folder)
  expect([1, 2].map((id) => requests.forwardable(id, readFilter('')))).toEqual([false, true])
  using derived = new DatabaseSync(storeFiles(folder).derived, { readOnly: true })
  expect(derived.prepare('SELECT delivery_id AS id, document_key AS key FROM document_event').all()).toEqual([
    { id: 2, key: aUuid(1) },
  ])
})

test('what was rebuilt and came back is no event of the service', async ({ store, folder }) => {
  const headers = ['x-acuse-synthetic', '1', 'X-Acuse-Replay', '7']
  await arrive(store, { body: rebuiltBody, headers })
  const [row] = await store.deliveries.rows([1])
  expect(row?.marks).toContain('replay')
  using derived = new DatabaseSync(storeFiles(folder).derived, { readOnly: true })
  for (const table of ['document_event', 'document'])
    expect(derived.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
})

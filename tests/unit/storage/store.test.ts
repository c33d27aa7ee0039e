import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { StoreNotice } from '#core/ports.ts'
import { openStore } from '#storage/facade/store.ts'
import { aDelivery, anEvent, keeping, openTestStore, testWorkers } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DOCUMENT = '0e8dddc7-9ebf-41f3-b08a-5a3f91f1c3c0'
const at = (seconds: number) => `2026-03-01T10:00:${String(seconds).padStart(2, '0')}-04:00`

async function bytesOf(
  store: Awaited<ReturnType<typeof openTestStore>>['store'],
  id: number,
  view: 'raw' | 'decoded',
) {
  const slice = await store.deliveries.body(id, view, 0, 8_388_608)
  return Buffer.from(slice?.bytesBase64 ?? '', 'base64')
}

test('a delivery comes back byte for byte, with its headers in order, case and number', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  const body = Uint8Array.from({ length: 256 }, (_, i) => i)
  const headers = ['X-A', '1', 'x-a', '2', 'Empty', '', 'Latin', '\u00e9\u00ff', 'Host', 'h']
  const { id } = await store.capture.append(
    aDelivery({
      body,
      headers,
      trailers: ['T', 'v'],
      method: 'GET',
      url: '/a?b=%00&c',
      answer: { status: 202, headers: ['X', 'y'], body },
    }),
  )
  store.capture.answered(id ?? 0, 1_234)
  const detail = await store.deliveries.get(id ?? 0)
  expect(detail?.headers.flatMap(({ name, value }) => [name, value])).toEqual(headers)
  expect(detail).toMatchObject({
    method: 'GET',
    url: '/a?b=%00&c',
    answer: 202,
    size: 256,
    httpVersion: '1.1',
  })
  expect(detail?.trailers).toEqual([{ name: 'T', value: 'v', masked: false }])
  expect(detail?.answered?.bodyBase64).toBe(Buffer.from(body).toString('base64'))
  expect(await bytesOf(store, id ?? 0, 'raw')).toEqual(Buffer.from(body))
})

test('three thousand custom headers arrive whole (readings, Delivery)', async () => {
  await using opened = await openTestStore()
  const headers = Array.from({ length: 3_000 }, (_, i) => [`X-${i}`, `v${i}`]).flat()
  const { id } = await opened.store.capture.append(aDelivery({ headers }))
  expect((await opened.store.deliveries.get(id ?? 0))?.headers).toHaveLength(3_000)
})

test('ids follow the order of arrival and survive a restart with everything stored (architecture)', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const ids = await Promise.all(Array.from({ length: 500 }, () => opened.store.capture.append(aDelivery())))
    expect(ids.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
  }
  await using again = await openTestStore(folder)
  expect(again.store.status().counts.stored).toBe(500)
  expect((await again.store.capture.append(aDelivery())).id).toBe(501)
})

test('the same decoded bytes at the same endpoint are a duplicate, whatever the coding; rejected ones take no part (readings, Delivery)', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  const text = anEvent('customer.deactivated', { CustomerId: 7 })
  const encoded = (body: Uint8Array, coding: string) =>
    aDelivery({ body, headers: ['Content-Encoding', coding] })
  await store.capture.append(aDelivery({ body: text, rejected: true }))
  await store.capture.append(aDelivery({ body: text }))
  await store.capture.append(encoded(gzipSync(text), 'gzip'))
  await store.capture.append(encoded(gzipSync(brotliCompressSync(text)), 'br, gzip'))
  await store.capture.append(aDelivery({ body: text, endpoint: 'other' }))
  await store.deliveries.settled(10_000)
  const { rows } = await store.deliveries.page(EVERYTHING, { from: 0, limit: 10 })
  expect(rows.map(({ marks }) => marks)).toEqual([[], [], ['duplicate'], ['duplicate'], []])
  expect((await bytesOf(store, 4, 'decoded')).toString()).toBe(text)
  expect(await bytesOf(store, 3, 'raw')).toEqual(gzipSync(text))
})

test('late is more than five minutes after Timestamp, out of order is before an earlier one of the document (readings, Delivery)', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  const instant = Date.parse(at(30)) * 1_000
  const event = (seconds: number, id: string) =>
    anEvent('cotizacion.updated', { DocumentId: id, seconds }, at(seconds))
  await store.capture.append(aDelivery({ body: event(30, DOCUMENT), receivedAt: instant + 300_000_000 }))
  await store.capture.append(
    aDelivery({ body: event(29, DOCUMENT.toUpperCase()), receivedAt: instant + 300_000_001 }),
  )
  await store.capture.append(
    aDelivery({ body: event(30, DOCUMENT), receivedAt: instant + 300_000_001, endpoint: 'b' }),
  )
  await store.deliveries.settled(10_000)
  const { rows } = await store.deliveries.page(EVERYTHING, { from: 0, limit: 10 })
  expect(rows.map(({ marks }) => marks)).toEqual([[], ['late', 'out-of-order'], ['late']])
})

test('a body that cannot be decoded is unreadable, and its bytes can still be had (readings, The envelope)', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  await store.capture.append(aDelivery({ body: 'not gzip', headers: ['Content-Encoding', 'gzip'] }))
  await store.deliveries.settled(10_000)
  expect((await store.deliveries.get(1))?.verdict).toBe('unreadable')
  expect((await store.deliveries.body(1, 'decoded', 0, 100))?.problem).toMatch(/^gzip: /)
  expect((await bytesOf(store, 1, 'raw')).toString()).toBe('not gzip')
})

test('a delivery does not wait for the pieces of other bodies that were handed over before it', async () => {
  await using opened = await openTestStore()
  const { capture } = opened.store
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

test('retention deletes exactly what its preview says, and never what is pinned', async () => {
  await using opened = await openTestStore()
  const { store } = opened
  await Promise.all(
    Array.from({ length: 1_000 }, () => store.capture.append(aDelivery({ body: 'x'.repeat(1_000) }))),
  )
  await store.deliveries.settled(10_000)
  await store.deliveries.pin([1, 2], true)
  const notices: StoreNotice[] = []
  store.onNotice((notice) => notices.push(notice))
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
  expect(await store.deliveries.retention({ before: Date.now() + 60_000 }, true)).toMatchObject({
    deliveries: 395,
  })
  expect((await store.capture.append(aDelivery())).id).toBe(1_001)
})

test('ids of deleted deliveries are never given out again, not even after a restart (architecture)', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    await Promise.all([1, 2, 3].map(() => opened.store.capture.append(aDelivery())))
    await opened.store.deliveries.retention({ keepNewest: 0 }, true)
  }
  await using again = await openTestStore(folder)
  expect(again.store.status().counts.stored).toBe(0)
  expect((await again.store.capture.append(aDelivery())).id).toBe(4)
})

test('a flood of 10,000 rejected ones evicts no accepted one, and says how many it was (reliability, row 22)', {
  tags: 'long',
}, async () => {
  await using opened = await openTestStore(tempFolder(), { retention: keeping({ rejectedDeliveries: 500 }) })
  const { store } = opened
  for (let round = 0; round < 20; round += 1) {
    const accepted = store.capture.append(aDelivery({ body: `${round}` }))
    await Promise.all([
      accepted,
      ...Array.from({ length: 500 }, () => store.capture.append(aDelivery({ rejected: true }))),
    ])
  }
  const { counts } = store.status()
  expect(counts.rejected).toBeLessThanOrEqual(500)
  expect([counts.rejected + counts.rejectedEvicted, counts.stored - counts.rejected]).toEqual([10_000, 20])
  expect(await store.deliveries.settled(20_000)).toBe(0)
  const kept = (await store.deliveries.scan(EVERYTHING, { after: null, limit: 1_000 })).filter(
    (row) => !row.rejected,
  )
  expect(kept).toHaveLength(20)
})

test.skipIf(process.platform === 'win32')(
  'no file can be read by others, whatever the umask (reliability, row 23)',
  async () => {
    const before = process.umask(0)
    try {
      await using opened = await openTestStore()
      await opened.store.capture.append(aDelivery())
      await opened.store.deliveries.settled(10_000)
      expect(statSync(opened.folder).mode & 0o777).toBe(0o700)
      const loose = readdirSync(opened.folder).filter(
        (name) => (statSync(join(opened.folder, name)).mode & 0o077) !== 0,
      )
      expect(loose).toEqual([])
    } finally {
      process.umask(before)
    }
  },
)

test('a second Acuse on the same folder is refused in a sentence that names it (reliability, row 24)', async () => {
  await using opened = await openTestStore()
  await expect(openStore({ folder: opened.folder, workers: testWorkers })).rejects.toMatchObject({
    code: 'in-use',
    message: expect.stringContaining(opened.folder),
  })
})

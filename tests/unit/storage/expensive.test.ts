import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { aDelivery, anEvent, openTestStore, testWorkers } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { watchedReceiver } from '../../support/watched-receiver.ts'
import { bytesIn } from './fixture.ts'

const event = (name = 'x') => Buffer.from(anEvent('customer.deactivated', { CustomerId: 1, LegalName: name }))
const plain = ['Content-Type', 'application/json']
const coded = (coding: string) => [...plain, 'Content-Encoding', coding]

test('a body that ends the analysis twice is unreadable for good, and costs the others nothing (reliability, row 15)', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const poison = { headers: coded('br'), body: brotliCompressSync(event('poison')) }
    const [a, c] = ['a', 'c'].map((name) => ({ headers: coded('gzip'), body: gzipSync(event(name)) }))
    const [b, d] = ['b', 'd'].map((name) => ({ headers: plain, body: event(name) }))
    for (const one of [a, b, poison, c, poison, d]) await opened.store.capture.append(aDelivery(one))
  }
  /** @returns the exit code and the sizes of the batches that were analysed */
  const analysed = async (rebuild = false) => {
    const paths = { captured: `${folder}/captured.db`, derived: `${folder}/derived.db`, rebuild }
    const thread = new Worker(new URL('../../support/dying-analyst.ts', import.meta.url), {
      workerData: { paths, poison: 'poison' },
    })
    const batches: number[] = []
    thread.on('message', (count) => batches.push(count))
    const [code] = await once(thread, 'exit')
    return [code, ...batches]
  }
  expect(await analysed(true)).toEqual([1])
  // Singly from the first encoded body on, which finds the body that ends the thread.
  expect(await analysed()).toEqual([1, 1, 1])
  // That body is skipped, so the batch continues until the second such body.
  expect(await analysed()).toEqual([1])
  expect(await analysed()).toEqual([1, 1, 1])
  expect(await analysed()).toEqual([0, 2])
  // A rebuild, as after a change of the checks.
  expect(await analysed(true)).toEqual([0, 6])

  await using opened = await openTestStore(folder)
  const { deliveries } = opened.store
  const { rows } = await deliveries.page(EVERYTHING, { from: 0, limit: 9 })
  expect(rows.flatMap(({ id, verdict }) => (verdict === 'unreadable' ? id : []))).toEqual([3, 5])
  expect((await deliveries.get(3))?.findingList.map(({ code }) => code)).toEqual(['body-too-expensive'])
  // A search does not decode this body, but the user can open it.
  const found = await deliveries.page(readFilter('body:LegalName'), { from: 0, limit: 9 })
  expect(found.rows.map(({ id }) => id).sort()).toEqual([1, 2, 4, 6])
  expect(String(await bytesIn(opened.store, 3, 'decoded'))).toContain('poison')
})

test('an analyst that passes its heap limit ends alone: receiving goes on, the body is given up, and the next starts are quiet (reliability, row 15)', async () => {
  const folder = tempFolder()
  const deaths: unknown[] = []
  const workers = {
    ...testWorkers,
    analyst: () => {
      const thread = new Worker(new URL('../../support/greedy-analyst.ts', import.meta.url), {
        workerData: 'greedy',
        resourceLimits: { maxOldGenerationSizeMb: 64 },
      })
      thread.on('error', (error) => deaths.push('code' in error ? error.code : error))
      return thread
    },
  }
  {
    await using opened = await openTestStore(folder, { workers })
    const { capture, deliveries } = opened.store
    const receiver = await watchedReceiver(capture, 1_048_576, {})
    const status = async (path: string, body: Buffer, headers: readonly string[]) =>
      (await raw(receiver, requestBytes('POST', path, body, headers))).answers[0]?.status
    expect(await status('/costly', brotliCompressSync(event('poison')), coded('br'))).toBe(200)
    await expect.poll(() => deaths.length, { timeout: 30_000 }).toBeGreaterThan(0)
    expect(await status('/good', event('a'), plain)).toBe(200)
    expect(await deliveries.settled(30_000)).toBe(0)
    expect((await deliveries.get(1))?.findingList.map(({ code }) => code)).toEqual(['body-too-expensive'])
    expect((await deliveries.get(2))?.verdict).not.toBe('unreadable')
    expect(receiver.defects).toEqual([])
    await receiver.stop()
  }
  expect(deaths).toEqual(['ERR_WORKER_OUT_OF_MEMORY', 'ERR_WORKER_OUT_OF_MEMORY'])
  for (let start = 0; start < 2; start++) {
    await using opened = await openTestStore(folder, { workers })
    expect(await opened.store.deliveries.settled(30_000)).toBe(0)
    expect((await opened.store.deliveries.get(1))?.verdict).toBe('unreadable')
  }
  expect(deaths.length).toBe(2)
}, 120_000)

test("no body is decoded on the receiver's thread, neither to judge nor to show it", async () => {
  // Each zlib stream or call of this thread creates a handle of this type.
  let handles = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') handles++
    },
  })
  const bodies = [gzipSync(event('a'.repeat(3_000_000))), gzipSync(Buffer.alloc(30_000_000, '0'))]
  await using opened = await openTestStore()
  const { capture, deliveries } = opened.store
  const receiver = await watchedReceiver(capture, 10_000_000, {})
  hook.enable()
  for (const body of bodies) {
    const { answers } = await raw(receiver, requestBytes('POST', '/', body, ['Content-Encoding', 'gzip']))
    expect(answers[0]?.status).toBe(200)
  }
  expect(await deliveries.settled(20_000)).toBe(0)
  const shown = await Promise.all([1, 2].map((id) => deliveries.body(id, 'decoded', 1_000_000, 10)))
  expect(handles).toBe(0)
  gunzipSync(bodies[0] ?? '')
  expect(handles).toBe(1)
  hook.disable()
  expect(shown.map((slice) => Buffer.from(slice?.bytesBase64 ?? '', 'base64').toString())).toEqual([
    'a'.repeat(10),
    '0'.repeat(10),
  ])
  await receiver.stop()
})

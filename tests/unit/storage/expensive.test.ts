import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { aDelivery, anEvent, openTestStore } from '../../support/store.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const event = (name = 'x') => Buffer.from(anEvent('customer.deactivated', { CustomerId: 1, LegalName: name }))
const plain = ['Content-Type', 'application/json']
const coded = (coding: string) => [...plain, 'Content-Encoding', coding]

test('a body that ends the analysis twice is unreadable for good, and costs the others nothing (reliability, row 15)', async () => {
  const folder = tempFolder()
  {
    await using opened = await openTestStore(folder)
    const { capture } = opened.store
    await capture.append(aDelivery({ headers: coded('gzip'), body: gzipSync(event('a')) }))
    await capture.append(aDelivery({ headers: plain, body: event('b') }))
    await capture.append(aDelivery({ headers: coded('br'), body: brotliCompressSync(event('poison')) }))
    await capture.append(aDelivery({ headers: coded('gzip'), body: gzipSync(event('c')) }))
    await capture.append(aDelivery({ headers: coded('br'), body: brotliCompressSync(event('poison')) }))
    await capture.append(aDelivery({ headers: plain, body: event('d') }))
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
  // One by one from the first coded one on: the one that ends it is found.
  expect(await analysed()).toEqual([1, 1, 1])
  // Given up, so the rest of the batch goes on until the second one that does the same.
  expect(await analysed()).toEqual([1])
  expect(await analysed()).toEqual([1, 1, 1])
  expect(await analysed()).toEqual([0, 2])
  // Made anew, as after a change of the checks.
  expect(await analysed(true)).toEqual([0, 6])

  await using opened = await openTestStore(folder)
  const { deliveries } = opened.store
  const { rows } = await deliveries.page(EVERYTHING, { from: 0, limit: 9 })
  const verdicts = rows.map(({ id, verdict }) => [id, verdict]).sort()
  expect(verdicts.map(([, verdict]) => verdict === 'unreadable')).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ])
  expect((await deliveries.get(3))?.findingList.map(({ code }) => code)).toEqual(['body-too-expensive'])
  // A search does not open it, the person may.
  const parsed = parseFilter('body:LegalName')
  if (!('filter' in parsed)) throw new Error('no filter')
  const found = await deliveries.page(parsed.filter, { from: 0, limit: 9 })
  expect(found.rows.map(({ id }) => id).sort()).toEqual([1, 2, 4, 6])
  const slice = await deliveries.body(3, 'decoded', 0, 1_000)
  expect(Buffer.from(slice?.bytesBase64 ?? '', 'base64').includes('poison')).toBe(true)
})

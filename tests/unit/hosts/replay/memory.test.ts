import { expect, test } from 'vitest'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { jobTo } from './support.ts'
import { replayThread } from './thread.ts'

const COUNT = 5_000
const BODY = 49_152
const MB = 1_048_576

test('a job of 5,000 deliveries is never in memory whole, and all of them go (constant memory for 100,000)', async () => {
  let bytes = 0
  const target = await hookReceiver(({ body }, response) => {
    bytes += body.length
    // What is kept here would be what is measured.
    ;(target.received as unknown[]).length = 0
    response.end()
  })
  const { one, append, workers, store } = await replayThread(['erp', target.url])
  for (let n = 0; n < COUNT; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => append(new Uint8Array(BODY).fill(32 + ((n + i) % 90)))),
    )
  await store.deliveries.settled(60_000)
  const source = { type: 'filter', filter: '' } as const
  const { id } = await one.call('jobs.start', { source, options: jobTo('erp', { concurrency: 16 }) })
  const [worker] = workers
  let most = 0
  for (;;) {
    const heap = await worker?.getHeapStatistics()
    most = Math.max(most, (heap?.used_heap_size ?? 0) + (heap?.external_memory ?? 0))
    const { state, done } = await one.call('jobs.get', { id })
    if (state === 'done') {
      expect(done).toBe(COUNT)
      break
    }
  }
  expect(bytes).toBe(COUNT * BODY)
  // All bodies together are 240 MB; what an empty thread takes and what V8 has not collected yet (up to 64 MB) are in this figure.
  expect(most / MB).toBeLessThan(120)
}, 60_000)

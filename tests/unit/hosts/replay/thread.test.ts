import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { FileReader } from '#core/ports.ts'
import { createThreadReplays } from '#hosts/replay/thread-replays.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { testHostWorkers } from '../../../support/assembled.ts'
import { aBody } from '../../../support/events.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { aForward } from '../../../support/records.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'
import { until } from '../../../support/until.ts'
import { jobTo } from './support.ts'

async function replayThread(...targets: readonly (readonly [name: string, url: string])[]) {
  const opened = await openTestStore()
  const workers: Worker[] = []
  const warnings: string[] = []
  const readers: FileReader[] = []
  const one = createThreadReplays({
    paths: storeFiles(opened.folder),
    worker: () => {
      const worker = testHostWorkers.replay()
      workers.push(worker)
      return worker
    },
    store: {
      deliveries: opened.store.deliveries,
      onNotice: (listener) => opened.store.onNotice(listener),
      addReader: (reader) => {
        readers.push(reader)
        return () => {}
      },
    },
    forwarding: true,
    tracing: () => ({ endpoint: null, serviceName: 'acuse', version: '0', headers: [] }),
    surroundings: () => ({
      targets: targets.map(([name, url]) => ({ ...DEFAULT_TARGET, name, url, headers: [] })),
      secretHeaders: [],
      ownReceiver: null,
    }),
    warn: (message) => warnings.push(message),
  })
  onTestFinished(async () => {
    await one.close()
    await opened[Symbol.asyncDispose]()
  })
  const append = async (body: Uint8Array = aBody('factura.created')) => {
    const { id } = await opened.store.capture.append(aDelivery({ body }))
    return id
  }
  return { one, append, workers, warnings, readers, store: opened.store }
}

const PATIENT = { timeout: 20_000 }
const text = (body: Uint8Array | undefined) => Buffer.from(body ?? []).toString()

test('several wait at once and each gets the answer to its own', async () => {
  const target = await hookReceiver(({ headers }, response) =>
    response.end(headers[headers.indexOf('X-Acuse-Replay') + 1]),
  )
  const { one, append } = await replayThread(['erp', target.url])
  await one.call('forwards.save', aForward({ targets: ['erp'], answerFrom: 'erp', concurrency: 4 }))
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const id = await append()
      return [id, text((await one.answerFor(id))?.body)] as const
    }),
  )
  for (const [id, attempt] of answers) {
    const { attempts } = await one.call('attempts.list', { of: { delivery: id }, limit: 10 })
    expect(attempts.map((each) => String(each.id))).toEqual([attempt])
  }
})

test('no answer in time: null, and the attempt goes on and is kept', async () => {
  const ends: (() => void)[] = []
  const target = await hookReceiver((_, response) => ends.push(() => response.end()))
  const { one, append } = await replayThread(['erp', target.url])
  await one.call('forwards.save', aForward({ targets: ['erp'], answerFrom: 'erp', answerTimeoutMs: 60 }))
  const id = await append()
  expect(await one.answerFor(id)).toBeNull()
  await target.count(1)
  for (const end of ends) end()
  const attempts = async () => (await one.call('attempts.list', { of: { delivery: id }, limit: 10 })).attempts
  await until(attempts, ([first]) => first?.ok === true)
})

test('no forward selects it, or the target is away: null at once or as soon as that is known', async () => {
  const { one, append } = await replayThread(['gone', 'http://127.0.0.1:9/'])
  const forward = aForward({ targets: ['gone'], answerFrom: 'gone', answerTimeoutMs: 60_000 })
  await one.call('forwards.save', forward)
  expect(await one.answerFor(await append())).toBeNull()
  expect(await one.answerFor(await append())).toBeNull()
  await one.call('forwards.save', { ...forward, filter: 'doc:nobody', previousName: 'live' })
  expect(await one.answerFor(await append())).toBeNull()
})

test('when the thread ends, another takes over; temporary forwards stay', { tags: 'long' }, async () => {
  const ends: (() => void)[] = []
  const target = await hookReceiver((_, response) => ends.push(() => response.end()))
  const { one, append, workers, warnings, store } = await replayThread(['erp', target.url])
  const ids = [await append(), await append()]
  await store.deliveries.settled(10_000)
  await one.call('forwards.save', aForward({ targets: ['http://127.0.0.1:9/'], temporary: true }))
  const { id } = await one.call('jobs.start', { source: { type: 'ids', ids }, options: jobTo('erp') })
  await target.count(1)
  const [first] = workers
  if (!first) return expect.fail('there is a thread')
  const ended = once(first, 'exit')
  await first.terminate()
  await ended
  const paused = { state: 'paused', pausedBy: 'restart', uncertain: 1, done: 0 }
  await expect.poll(() => one.call('jobs.get', { id }), PATIENT).toMatchObject(paused)
  expect(warnings.join('\n')).toContain('Another one takes over')
  const kept = [expect.objectContaining({ name: 'live', temporary: true })]
  await expect.poll(async () => (await one.call('forwards.list', {})).forwards, PATIENT).toEqual(kept)
  await one.call('jobs.resume', { id })
  const ending = () => {
    for (const end of ends.splice(0)) end()
    return one.call('jobs.get', { id })
  }
  await until(ending, ({ state }) => state === 'done')
  const { attempts } = await one.call('attempts.list', { of: { job: id }, after: 0, limit: 10 })
  expect(attempts.map(({ state, again }) => [state, again])).toEqual([
    ['uncertain', false],
    ['answered', true],
    ['answered', false],
  ])
})

test('before the databases are set aside the thread that sends closes them, and what it has to send waits (Windows, renaming)', async () => {
  const target = await hookReceiver()
  const { one, append, readers, warnings } = await replayThread(['erp', target.url])
  const [thread] = readers
  const id = await append()
  const send = () => one.call('replay.send', { delivery: id, to: { target: 'erp' } })
  // `release` must not start the thread.
  await thread?.release()
  thread?.reopen()
  expect((await send()).attempts[0]?.state).toBe('answered')

  await thread?.release()
  const message = expect.stringContaining('being replaced')
  await expect(send()).rejects.toMatchObject({ code: 'store-failed', message })
  expect(target.received).toHaveLength(1)

  thread?.reopen()
  const source = { type: 'ids', ids: [id] } as const
  const { id: job } = await one.call('jobs.start', { source, options: jobTo('erp') })
  await expect.poll(() => one.call('jobs.get', { id: job }), PATIENT).toMatchObject({ state: 'done' })
  expect(target.received).toHaveLength(2)
  expect(warnings).toEqual([])
})

const COUNT = 5_000
const BODY = 49_152
const MB = 1_048_576

test('a job of 5,000 deliveries is never in memory whole', { tags: 'long', timeout: 180_000 }, async () => {
  let bytes = 0
  const target = await hookReceiver(({ body }, response) => {
    bytes += body.length
    // Empty the record, since it would count as memory.
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
  // All bodies together are 240 MB. The figure includes an empty thread and up to 64 MB that V8 has not collected.
  expect(most / MB).toBeLessThan(120)
})

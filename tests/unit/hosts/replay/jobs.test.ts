import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { jobTo, numbers, replayHost } from './support.ts'

const ALL = { type: 'filter', filter: '' } as const

test("in document order, one document's go one after the other while documents go side by side", async () => {
  const present = new Set<string>()
  let overlapped = false
  let most = 0
  const target = await hookReceiver(({ body }, response) => {
    const document = JSON.parse(body.toString()).data.DocumentId
    overlapped ||= present.has(document)
    present.add(document)
    most = Math.max(most, present.size)
    setTimeout(() => {
      present.delete(document)
      response.end()
    }, 5)
  })
  const { call, receive, job } = await replayHost()
  await receive(18, (n) => n % 3)
  const options = jobTo(target.url, { order: 'document', concurrency: 8 })
  const { id } = await call('jobs.start', { source: ALL, options })
  await job(id, 'done')
  expect([overlapped, most]).toEqual([false, 3])
  for (const document of [0, 1, 2]) {
    const own = numbers(target.received).filter((n) => n % 3 === document)
    expect(own).toEqual([...own].sort((a, b) => a - b))
  }
})

test('a rate spreads the starts, and the gaps between the arrivals are kept as far as they are told', async () => {
  const target = await hookReceiver()
  const { call, receive, job } = await replayHost()
  await receive(6)
  const rated = jobTo(target.url, { ratePerSecond: 40, concurrency: 4 })
  expect((await call('jobs.preview', { source: ALL, options: rated })).seconds).toBe(5 / 40)
  const starts = async (id: number) => {
    await job(id, 'done')
    const { attempts } = await call('attempts.list', { of: { job: id }, after: 0, limit: 10 })
    return attempts.map(({ startedAt }) => startedAt)
  }
  const first = await starts((await call('jobs.start', { source: ALL, options: rated })).id)
  // One start at once, the others 25 ms apart; a late timer may make up one of them.
  expect((first[5] ?? 0) - (first[0] ?? 0)).toBeGreaterThanOrEqual(4 * 25_000)
  const gapped = jobTo(target.url, { gaps: 2, concurrency: 4 })
  const { newest, oldest, seconds } = await call('jobs.preview', { source: ALL, options: gapped })
  expect(seconds).toBeCloseTo(((newest ?? 0) - (oldest ?? 0)) / 500_000, 3)
  const second = await starts((await call('jobs.start', { source: ALL, options: gapped })).id)
  // The plan counts from the job's start: a first delivery that is late itself is that much nearer to the last.
  expect((second[5] ?? 0) - (second[0] ?? 0)).toBeGreaterThanOrEqual((seconds ?? 0) * 1e6 * 0.8)
})

test('what counts as failure is retried as told; a job stops after so many and goes on when it is resumed', async () => {
  let broken = true
  const target = await hookReceiver((_, response) => response.writeHead(broken ? 500 : 404).end())
  const { call, receive, job } = await replayHost()
  await receive(8)
  const options = jobTo(target.url, {
    failures: ['5xx'],
    stopAfterFailures: 2,
    retry: { times: 2, delayMs: 1 },
  })
  const { id } = await call('jobs.start', { source: ALL, options })
  expect(await job(id, 'stopped')).toMatchObject({
    ...{ done: 0, failed: 2, inFlight: 0 },
    lastError: { code: 'failure-status', params: { status: 500 } },
  })
  expect(numbers(target.received)).toEqual([0, 0, 0, 1, 1, 1])
  const { attempts } = await call('attempts.list', { of: { job: id }, after: 0, limit: 10, failed: true })
  expect(attempts.map(({ tryNumber }) => tryNumber)).toEqual([1, 2, 3, 1, 2, 3])
  broken = false
  await call('jobs.resume', { id })
  expect(await job(id, 'done')).toMatchObject({ done: 6, failed: 2 })
  const retried = await call('jobs.retry-failed', { id })
  expect(retried).toMatchObject({ state: 'running', failed: 0, endedAt: null })
  expect(await job(id, 'done')).toMatchObject({ total: 8, done: 8, failed: 0 })
  await expect(call('jobs.retry-failed', { id })).rejects.toMatchObject({ code: 'conflict' })
})

test('a job that reaches its bound of failures, or is paused, with its last deliveries is done', async () => {
  const open: (() => void)[] = []
  let status = 500
  const target = await hookReceiver((_, response) =>
    status === 500 ? response.writeHead(500).end() : open.push(() => response.end()),
  )
  const { call, receive, job } = await replayHost()
  await receive(3)
  const options = jobTo(target.url, { stopAfterFailures: 3 })
  const stopped = await call('jobs.start', { source: ALL, options })
  expect(await job(stopped.id, 'done')).toMatchObject({ total: 3, failed: 3, inFlight: 0 })
  status = 200
  const paused = await call('jobs.start', { source: ALL, options: jobTo(target.url, { concurrency: 3 }) })
  await target.count(6)
  await call('jobs.pause', { id: paused.id })
  for (const end of open.splice(0)) end()
  expect(await job(paused.id, 'done')).toMatchObject({ done: 3, pausedBy: null })
})

test('a pause lets what is on its way end; then nothing goes out until it is resumed', async () => {
  const open: (() => void)[] = []
  const target = await hookReceiver((_, response) => open.push(() => response.end()))
  const { call, receive, job } = await replayHost()
  await receive(6)
  const { id } = await call('jobs.start', { source: ALL, options: jobTo(target.url, { concurrency: 2 }) })
  await target.count(2)
  expect(await call('jobs.pause', { id })).toMatchObject({ state: 'paused', pausedBy: 'user', inFlight: 2 })
  await expect(call('jobs.remove', { id })).rejects.toMatchObject({ code: 'conflict' })
  for (const end of open.splice(0)) end()
  await job(id, ({ done }) => done === 2)
  expect(target.received).toHaveLength(2)
  await call('jobs.resume', { id })
  const answering = setInterval(() => {
    for (const end of open.splice(0)) end()
  }, 5)
  expect(await job(id, 'done')).toMatchObject({ done: 6 })
  clearInterval(answering)
  expect([...numbers(target.received)].sort()).toEqual([0, 1, 2, 3, 4, 5])
})

test('a cancel cuts off what is on its way and discards what waits; only the failed can be tried again', async () => {
  let answers = false
  const target = await hookReceiver((_, response) => {
    if (answers) response.end()
  })
  const { call, receive, job } = await replayHost()
  await receive(6)
  const { id } = await call('jobs.start', { source: ALL, options: jobTo(target.url, { concurrency: 2 }) })
  await target.count(2)
  expect((await call('jobs.cancel', { id })).state).toBe('cancelled')
  await job(id, ({ inFlight }) => inFlight === 0)
  expect(await job(id, 'cancelled')).toMatchObject({ done: 0, failed: 2 })
  const { attempts } = await call('attempts.list', { of: { job: id }, limit: 10 })
  expect(attempts.map(({ error }) => error?.code)).toEqual(['cancelled', 'cancelled'])
  await expect(call('jobs.resume', { id })).rejects.toMatchObject({ code: 'conflict' })
  answers = true
  await call('jobs.retry-failed', { id })
  expect(await job(id, 'done')).toMatchObject({ done: 2, failed: 0 })
  expect(await call('jobs.remove', { id })).toEqual({ removed: id })
  await expect(call('jobs.get', { id })).rejects.toMatchObject({ code: 'not-found' })
})

test('a delivery that is deleted meanwhile fails, and the job goes on', { tags: 'long' }, async () => {
  const target = await hookReceiver((_, response) => setTimeout(() => response.end(), 5))
  const { call, receive, job } = await replayHost()
  await receive(4)
  const options = jobTo(target.url, { ratePerSecond: 0.5 })
  const { id } = await call('jobs.start', { source: ALL, options })
  await target.count(1)
  await call('jobs.pause', { id })
  await call('retention.apply', { keepNewest: 1 })
  const fast = await call('jobs.get', { id })
  expect(fast.state).toBe('paused')
  // The rest at once: what is gone takes no time.
  await call('jobs.resume', { id })
  const over = await job(id, ({ failed }) => failed >= 1)
  expect(over.lastError).toMatchObject({ code: 'delivery-gone' })
  await call('jobs.cancel', { id })
  await job(id, 'cancelled')
})

test('one that the disk holds up says so in its row, and goes on by itself', { tags: 'long' }, async () => {
  const first = Promise.withResolvers<void>()
  const target = await hookReceiver(async (_, response) => {
    await first.promise
    // Longer than what waits outside the database: each outcome needs it at once.
    response.end('x'.repeat(8_000))
  })
  const { host, call, receive, job, warnings } = await replayHost()
  await receive(3)
  const { id } = await call('jobs.start', { source: ALL, options: jobTo(target.url) })
  await target.count(1)
  using other = new DatabaseSync(storeFiles(host.dataDir).replays)
  other.exec('BEGIN IMMEDIATE')
  first.resolve()
  const stalled = await job(id, ({ stall }) => stall !== null)
  expect(stalled).toMatchObject({
    state: 'running',
    stall: { code: 'storage', message: expect.stringContaining('locked') },
  })
  expect((await call('jobs.list', {})).jobs[0]?.stall).toEqual(stalled.stall)
  expect(target.received).toHaveLength(1)
  expect(warnings.join()).toContain('Replays wait')
  other.exec('ROLLBACK')
  expect(await job(id, 'done')).toMatchObject({ done: 3, failed: 0, stall: null })
  expect(numbers(target.received)).toEqual([0, 1, 2])
})

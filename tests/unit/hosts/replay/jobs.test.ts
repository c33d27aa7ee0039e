import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { jobTo, numbers, replayHost } from './support.ts'

const ALL = { type: 'filter', filter: '' } as const

test('a job that reaches its bound of failures, or is paused, with its last deliveries is done', async () => {
  const open: (() => void)[] = []
  let status = 500
  const target = await hookReceiver((_, response) =>
    status === 500 ? response.writeHead(500).end() : open.push(() => response.end()),
  )
  const { call, receive, job } = await replayHost()
  await receive(3)
  const start = (change = {}) => call('jobs.start', { source: ALL, options: jobTo(target.url, change) })
  const stopped = await start({ stopAfterFailures: 3 })
  expect(await job(stopped.id, 'done')).toMatchObject({ total: 3, failed: 3, inFlight: 0 })
  status = 200
  const paused = await start({ concurrency: 3 })
  await target.count(6)
  await call('jobs.pause', { id: paused.id })
  for (const end of open.splice(0)) end()
  expect(await job(paused.id, 'done')).toMatchObject({ done: 3, pausedBy: null })
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
  expect((await call('jobs.get', { id })).state).toBe('paused')
  // The others follow at once, since deleted deliveries take no time.
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
    // Too long to wait outside of the database, so each outcome needs it at once.
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
  const stall = { code: 'storage', message: expect.stringContaining('locked') }
  expect(stalled).toMatchObject({ state: 'running', stall })
  expect((await call('jobs.list', {})).jobs[0]?.stall).toEqual(stalled.stall)
  expect(target.received).toHaveLength(1)
  expect(warnings.join()).toContain('Replays wait')
  other.exec('ROLLBACK')
  expect(await job(id, 'done')).toMatchObject({ done: 3, failed: 0, stall: null })
  expect(numbers(target.received)).toEqual([0, 1, 2])
})

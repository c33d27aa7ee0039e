import { expect, test } from 'vitest'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { jobTo, numbers, replayHost } from './support.ts'

const ALL = { type: 'filter', filter: '' } as const

test('a job sends what its filter selects, in order of arrival, and says how it went', async () => {
  const target = await hookReceiver()
  const { call, receive, job } = await replayHost()
  await receive(12)
  const preview = await call('jobs.preview', { source: ALL, options: jobTo(target.url) })
  expect(preview).toMatchObject({ count: 12, excluded: [], seconds: null })
  const { id } = await call('jobs.start', { source: ALL, options: jobTo(target.url) })
  const done = await job(id, 'done')
  expect(done).toMatchObject({ total: 12, done: 12, failed: 0, inFlight: 0, uncertain: 0, lastError: null })
  expect(done.endedAt).toBeGreaterThanOrEqual(done.createdAt)
  expect(numbers(target.received)).toEqual([...Array(12).keys()])
  const { attempts } = await call('attempts.list', { of: { job: id }, after: 0, limit: 100 })
  expect(attempts.map(({ state }) => state)).toEqual(Array(12).fill('answered'))
})

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { aForward, jobTo, until } from './support.ts'
import { replayThread } from './thread.ts'

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
  const forward = aForward({ targets: ['erp'], answerFrom: 'erp', answerTimeoutMs: 60 })
  await one.call('forwards.save', forward)
  const id = await append()
  expect(await one.answerFor(id)).toBeNull()
  await target.count(1)
  for (const end of ends) end()
  await until(
    () => one.call('attempts.list', { of: { delivery: id }, limit: 10 }),
    ({ attempts }) => attempts[0]?.ok === true,
  )
})

test('no forward selects it, or the target is away: null at once or as soon as that is known', async () => {
  const { one, append } = await replayThread(['gone', 'http://127.0.0.1:9/'])
  await one.call(
    'forwards.save',
    aForward({ targets: ['gone'], answerFrom: 'gone', answerTimeoutMs: 60_000 }),
  )
  expect(await one.answerFor(await append())).toBeNull()
  expect(await one.answerFor(await append())).toBeNull()
  await one.call('forwards.save', {
    ...aForward({ targets: ['gone'], answerFrom: 'gone', filter: 'doc:nobody' }),
    previousName: 'live',
  })
  expect(await one.answerFor(await append())).toBeNull()
})

test('when the thread ends, another takes over: jobs are paused, what was on its way is sent again and marked, temporary forwards stay', {
  tags: 'long',
}, async () => {
  const ends: (() => void)[] = []
  const target = await hookReceiver((_, response) => ends.push(() => response.end()))
  const { one, append, workers, warnings, store } = await replayThread(['erp', target.url])
  const ids = [await append(), await append()]
  await store.deliveries.settled(10_000)
  const forward = aForward({ targets: ['http://127.0.0.1:9/'], temporary: true })
  await one.call('forwards.save', forward)
  const { id } = await one.call('jobs.start', { source: { type: 'ids', ids }, options: jobTo('erp') })
  await target.count(1)
  const [first] = workers
  if (!first) return expect.fail('there is a thread')
  const ended = once(first, 'exit')
  await first.terminate()
  await ended
  const job = await until(
    () => one.call('jobs.get', { id }).catch(() => undefined),
    (found) => found !== undefined,
  )
  expect(job).toMatchObject({ state: 'paused', pausedBy: 'restart', uncertain: 1, done: 0 })
  expect(warnings.join('\n')).toContain('Another one takes over')
  await until(
    () => one.call('forwards.list', {}),
    ({ forwards }) => forwards.some(({ name, temporary }) => name === 'live' && temporary),
  )
  await one.call('jobs.resume', { id })
  await until(
    async () => {
      for (const end of ends.splice(0)) end()
      return one.call('jobs.get', { id })
    },
    ({ state }) => state === 'done',
  )
  const { attempts } = await one.call('attempts.list', { of: { job: id }, after: 0, limit: 10 })
  expect(attempts.map(({ state, again }) => [state, again])).toEqual([
    ['uncertain', false],
    ['answered', true],
    ['answered', false],
  ])
})

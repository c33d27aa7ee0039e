import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Push, PushName } from '#contract/pushes.ts'
import type { Job } from '#contract/replay.ts'
import { opened } from '../support/listening-port.ts'
import { aFault, aForward } from '../support/records.ts'
import { until } from '../support/until.ts'
import type { SandboxSuite } from './sandbox-suite.ts'

export interface ReplaySuite extends SandboxSuite {
  pushed<P extends PushName>(
    kind: P,
    fits: (push: Extract<Push, { push: P }>) => boolean,
  ): Promise<Extract<Push, { push: P }>>
  post(path: string, body: string): Promise<number>
}

const HEADER_SECRET = 'canary-1234'

export function replaySuite({ call, refuses, pushed, post }: ReplaySuite): void {
  const bodies: string[] = []
  let server: Server
  let url = ''
  let status = 200
  let ids: readonly number[] = []

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = await text(request)
      bodies.push(body)
      response.writeHead(status, { 'X-Said': 'yes' }).end(`took ${body}`)
    })
    url = `http://127.0.0.1:${await opened(server)}/`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const source = () => ({ type: 'ids', ids }) as const
  const options = { ...DEFAULT_JOB_OPTIONS, to: { target: 'erp' } }
  const forward = aForward({ targets: ['erp'] })
  const job = (id: number, state: Job['state']) =>
    until(
      () => call('jobs.get', { id }),
      (one) => one.state === state && one.inFlight === 0,
    )

  test('nothing was sent again yet, and that can be asked', async () => {
    expect(await call('jobs.list', {})).toEqual({ jobs: [] })
    expect(await call('forwards.list', {})).toEqual({ forwards: [] })
    const none = { attempts: [], more: false }
    expect(await call('attempts.list', { of: { delivery: 1 }, limit: 10 })).toEqual(none)
    for (const [command, params] of [
      ['jobs.get', { id: 99 }],
      ['attempts.get', { id: 99 }],
      ['forwards.remove', { name: 'nobody' }],
      ['targets.remove', { name: 'nobody' }],
    ] as const)
      await refuses('not-found', command, params)
  })

  test('a target is kept with its secrets, which are never seen again', async () => {
    const header = { name: 'X-Token', value: HEADER_SECRET, secret: true }
    const settings = await call('targets.save', { ...DEFAULT_TARGET, name: 'erp', url, headers: [header] })
    expect(settings.targets).toMatchObject([{ name: 'erp', headers: [{ name: 'X-Token', value: null }] }])
    await refuses('conflict', 'targets.save', { ...DEFAULT_TARGET, name: 'erp', url })
    expect((await call('targets.set-default', { name: 'erp' })).defaultTarget).toBe('erp')
    expect((await call('targets.set-default', { name: null })).defaultTarget).toBeNull()
  })

  test('one delivery is sent again, several times and edited, and each attempt can be looked at', async () => {
    ids = [await post('/one?a=1', '{"n":1}'), await post('/two', '{"n":2}'), await post('/three', '{"n":3}')]
    const [delivery = 0] = ids
    await call('deliveries.settled', { timeoutMs: 10_000 })
    const sent = await call('replay.send', { delivery, to: { target: 'erp' }, times: 2 })
    expect(sent.attempts).toMatchObject(
      [1, 2].map(() => ({ deliveryId: delivery, state: 'answered', status: 200, ok: true, edited: false })),
    )
    expect(sent.attempts[0]?.answerDigest).toBe(sent.attempts[1]?.answerDigest)
    expect((await call('settings.get', {})).defaultTarget).toBe('erp')
    const bodyBase64 = Buffer.from('{"n":"edited"}').toString('base64')
    const edit = { method: 'PUT', url: '/other', headers: [['X-Own', 'mine']] as const, bodyBase64 }
    const [edited] = (await call('replay.send', { delivery, to: { target: url }, edit })).attempts
    expect(edited).toMatchObject({ method: 'PUT', edited: true, target: url })
    expect(bodies).toEqual(['{"n":1}', '{"n":1}', '{"n":"edited"}'])
    const list = await call('attempts.list', { of: { delivery }, limit: 2 })
    expect([list.more, list.attempts.map(({ id }) => id)]).toEqual([true, [edited?.id, sent.attempts[1]?.id]])
    const id = edited?.id ?? 0
    const detail = await call('attempts.get', { id })
    expect(detail.request.headers).toContainEqual({ name: 'X-Own', value: 'mine', masked: false })
    expect(detail.answer?.headers).toContainEqual({ name: 'X-Said', value: 'yes', masked: false })
    const bodyOf = async (of: 'request' | 'answer') => {
      const { bytesBase64 } = await call('attempts.body', { id, of, from: 0, length: 100 })
      return Buffer.from(bytesBase64, 'base64').toString()
    }
    expect(await bodyOf('request')).toBe('{"n":"edited"}')
    expect(await bodyOf('answer')).toBe('took {"n":"edited"}')
    const [masked] = sent.attempts
    const shown = JSON.stringify(await call('attempts.get', { id: masked?.id ?? 0 }))
    expect(shown).not.toContain(HEADER_SECRET)
    const revealed = await call('attempts.get', { id: masked?.id ?? 0, reveal: true })
    expect(JSON.stringify(revealed.request)).toContain(HEADER_SECRET)
    await refuses('not-found', 'replay.send', { delivery: 999_999, to: { target: 'erp' } })
    await refuses('not-found', 'replay.send', { delivery, to: { target: 'nobody' } })
    await pushed('replays.changed', ({ payload }) => payload.deliveries.includes(delivery))
  })

  test('a job is previewed, runs, is paused, resumed and cancelled, retries what failed, and is forgotten', async () => {
    const preview = await call('jobs.preview', { source: source(), options })
    expect(preview).toMatchObject({ count: 3, excluded: [] })
    status = 500
    const { id } = await call('jobs.start', { source: source(), options })
    expect(await job(id, 'done')).toMatchObject({ total: 3, done: 0, failed: 3 })
    await pushed('replays.changed', ({ payload }) =>
      payload.jobs.some((one) => one.id === id && one.state === 'done'),
    )
    status = 200
    await call('jobs.retry-failed', { id })
    expect(await job(id, 'done')).toMatchObject({ done: 3, failed: 0 })
    const failed = await call('attempts.list', { of: { job: id }, limit: 10, failed: true })
    expect(failed.attempts).toHaveLength(3)
    const slow = { ...options, ratePerSecond: 0.01 }
    const other = await call('jobs.start', { source: source(), options: slow })
    expect(await call('jobs.pause', { id: other.id })).toMatchObject({ state: 'paused', pausedBy: 'user' })
    expect((await call('jobs.resume', { id: other.id })).state).toBe('running')
    await refuses('conflict', 'jobs.remove', { id: other.id })
    await refuses('conflict', 'targets.remove', { name: 'erp' })
    expect((await call('jobs.cancel', { id: other.id })).state).toBe('cancelled')
    await job(other.id, 'cancelled')
    expect((await call('jobs.list', {})).jobs.map((one) => one.id)).toEqual([other.id, id])
    expect(await call('jobs.remove', { id: other.id })).toEqual({ removed: other.id })
    await refuses('bad-filter', 'jobs.start', { source: { type: 'filter', filter: 'kind:(' }, options })
    const none = { type: 'filter', filter: 'kind:gasto.created' } as const
    await refuses('conflict', 'jobs.start', { source: none, options })
  })

  test('a forward takes what arrives, keeps it for a target that is away, and discards it on demand', async () => {
    const saved = await call('forwards.save', forward)
    const lanes = [{ target: 'erp', state: 'idle', sent: 0 }]
    expect(saved.forwards).toMatchObject([{ name: 'live', lanes }])
    await refuses('conflict', 'forwards.save', forward)
    await refuses('bad-filter', 'forwards.save', { ...forward, name: 'x', filter: 'kind:(' })
    await post('/live', '{"n":"live"}')
    await pushed('replays.changed', ({ payload }) => payload.forwards?.[0]?.lanes[0]?.sent === 1)
    expect(bodies.at(-1)).toBe('{"n":"live"}')
    status = 503
    await post('/live', '{"n":"later"}')
    await pushed('replays.changed', ({ payload }) => payload.forwards?.[0]?.lanes[0]?.state === 'down')
    await call('forwards.retry', { name: 'live' })
    const discarded = await call('forwards.clear', { name: 'live', target: 'erp' })
    expect(discarded.cleared).toEqual(expect.any(Number))
    const off = await call('forwards.save', { ...forward, previousName: 'live', enabled: false })
    expect(off.forwards[0]?.lanes[0]?.state).toBe('off')
    expect(await call('forwards.remove', { name: 'live' })).toEqual({ forwards: [] })
    status = 200
    expect((await call('targets.remove', { name: 'erp' })).targets).toEqual([])
  })

  test('rules for faults are added, listed, shown in the status, and removed', async () => {
    const rule = aFault({ probability: 0 })
    const { faults } = await call('faults.add', rule)
    expect(faults).toMatchObject([{ effect: rule.effect }])
    expect((await call('faults.list', {})).faults).toEqual(faults)
    expect((await call('status.get', {})).faults).toEqual(faults)
    expect(await call('faults.remove', { id: faults[0]?.id ?? 0 })).toEqual({ faults: [] })
    await call('faults.add', rule)
    expect(await call('faults.clear', {})).toEqual({ faults: [] })
  })
}

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { ForwardLane } from '#contract/replay.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { opened } from '../../../support/listening-port.ts'
import { aForward } from '../../../support/records.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { numbers, post, type ReplayHost, replayHost } from './support.ts'

/** Waits until the first lane passes the check. */
const lane = (call: ReplayHost['call'], fits: (lane: ForwardLane) => boolean) =>
  until(async () => (await call('forwards.list', {})).forwards[0]?.lanes[0] ?? expect.fail('no lane'), fits)

async function flakyTarget() {
  const received: number[] = []
  const server = createServer((request, response) => {
    received.push(Number(request.headers['x-number']))
    request.resume().on('end', () => response.writeHead(target.status).end())
  })
  const port = await opened(server)
  const target = {
    ...{ url: `http://127.0.0.1:${port}/`, received, status: 200 },
    up: () => opened(server, port),
    async down() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
  onTestFinished(() => void server.close().closeAllConnections())
  return target
}

test('what a filter does not select and what was rejected is not forwarded; what arrived while it was off is not either', async () => {
  const target = await hookReceiver()
  const { call, receive, receiverUrl } = await replayHost()
  const forward = aForward({ targets: [target.url], filter: 'doc:5f0c1d2e-3b4a-4c5d-8e6f-000000000001' })
  await call('forwards.save', forward)
  await receive(4, (n) => n % 2)
  await lane(call, ({ sent }) => sent === 2)
  await call('forwards.save', { ...forward, previousName: 'live', enabled: false, filter: '' })
  expect((await lane(call, () => true)).state).toBe('off')
  await receive(2)
  await call('forwards.save', { ...forward, previousName: 'live', name: 'again', filter: '' })
  await call('endpoints.set-secret', { name: 'default', header: 'X-Key', value: 'k', keepPrevious: false })
  await post(receiverUrl, 7, 0)
  await call('endpoints.clear-secret', { name: 'default', which: 'all' })
  await receive(1)
  await lane(call, ({ sent }) => sent === 3)
  expect(numbers(target.received)).toEqual([0, 2, 0])
})

test('a target that is down gets everything later, in order (Forward, whenDown queue)', async () => {
  const target = await flakyTarget()
  const { call, receive } = await replayHost()
  await call('forwards.save', aForward({ targets: [target.url], concurrency: 3 }))
  await receive(2)
  await lane(call, ({ sent }) => sent === 2)
  await target.down()
  await receive(6, (n) => n % 2)
  const down = await lane(call, ({ state, waiting }) => state === 'down' && waiting === 6)
  expect(down.lastError).toMatchObject({ code: 'connection-refused' })
  expect(down.nextTryAt).toBeGreaterThan(down.downSince ?? 0)
  target.status = 503
  await target.up()
  await call('forwards.retry', { name: 'live' })
  await expect.poll(() => target.received.length, { timeout: 20_000 }).toBe(3)
  const isAway = ({ state, lastError }: ForwardLane) => state === 'down' && lastError?.code === 'away-status'
  const away = await lane(call, isAway)
  const lastError = { params: { status: 503 }, message: expect.stringContaining('503') }
  expect(away).toMatchObject({ state: 'down', waiting: 6, failed: 0, stall: null, lastError })
  target.status = 200
  const { forwards } = await call('forwards.retry', { name: 'live' })
  expect(forwards).toHaveLength(1)
  const over = { state: 'idle', waiting: 0, failed: 0, downSince: null, nextTryAt: null }
  expect(await lane(call, ({ sent }) => sent === 8)).toMatchObject(over)
  const after = target.received.slice(3)
  for (const document of [0, 1])
    expect(after.filter((n) => n % 2 === document)).toEqual([0, 2, 4].map((n) => n + document))
})

test('or lets them go, and counts them (whenDown drop)', async () => {
  const target = await flakyTarget()
  const { call, receive } = await replayHost()
  await call('forwards.save', aForward({ targets: [target.url], whenDown: 'drop' }))
  await target.down()
  await receive(5)
  expect(await lane(call, ({ dropped }) => dropped === 5)).toMatchObject({ sent: 0, failed: 0, waiting: 0 })
  await target.up()
  await call('forwards.retry', { name: 'live' })
  await receive(2)
  expect(await lane(call, ({ sent }) => sent === 2)).toMatchObject({ dropped: 5, state: 'idle' })
})

test('and also what arrives while a target that was away is tried again', { tags: 'long' }, async () => {
  const open: (() => void)[] = []
  const target = await hookReceiver((_, response) => open.push(() => response.writeHead(503).end()))
  const { call, receive } = await replayHost()
  await call('forwards.save', aForward({ targets: [target.url], whenDown: 'drop' }))
  await receive(1)
  await target.count(1)
  open.pop()?.()
  await lane(call, ({ dropped }) => dropped === 1)
  await call('forwards.retry', { name: 'live' })
  await receive(1)
  await target.count(2)
  await receive(1)
  await lane(call, ({ waiting }) => waiting === 2)
  open.pop()?.()
  expect(await lane(call, ({ dropped }) => dropped === 3)).toMatchObject({ waiting: 0, state: 'down' })
  expect(target.received).toHaveLength(2)
})

test('a target that is our own receiver is refused, and replays that come in are not forwarded (Loop guard)', async () => {
  const target = await hookReceiver()
  const { call, receive, receiverUrl } = await replayHost()
  // A target that is our own receiver is refused at once; a forward saved before is refused when it sends.
  const loop = aForward({ name: 'loop', targets: [`${receiverUrl}again`] })
  await expect(call('forwards.save', loop)).rejects.toMatchObject({
    code: 'bad-params',
    details: { path: 'targets.0', reason: 'own-receiver' },
  })
  await call('receiver.stop', {})
  await call('forwards.save', loop)
  await call('receiver.start', { port: Number(new URL(receiverUrl).port) })
  const [id = 0] = await receive(1)
  const lastError = { code: 'own-receiver' }
  expect(await lane(call, ({ state }) => state === 'refused')).toMatchObject({
    waiting: 1,
    sent: 0,
    lastError,
  })
  await call('forwards.remove', { name: 'loop' })
  await call('forwards.save', aForward({ targets: [target.url] }))
  // As another Acuse would forward it.
  await fetch(receiverUrl, { method: 'POST', headers: { 'X-Acuse-Replay': '1' }, body: '{}' })
  await receive(1)
  await lane(call, ({ sent }) => sent === 1)
  expect(target.received).toHaveLength(1)
  const { attempts } = await call('replay.send', { delivery: id, to: { target: receiverUrl } })
  expect(attempts).toMatchObject([{ state: 'failed', error: lastError }])
})

test('names and targets are checked before anything is kept', { tags: 'long' }, async () => {
  const { call } = await replayHost()
  const url = 'http://127.0.0.1:9/'
  const refused = (change: Parameters<typeof aForward>[0] & { previousName?: string }) =>
    call('forwards.save', { ...aForward(change), ...change }).then(
      () => expect.fail('was not refused'),
      (error: { code: string }) => error.code,
    )
  expect(await refused({ targets: ['nobody'] })).toBe('not-found')
  expect(await refused({ targets: [url, url] })).toBe('bad-params')
  expect(await refused({ targets: [url], answerFrom: 'http://127.0.0.1:8/' })).toBe('bad-params')
  expect(await refused({ targets: [url], filter: 'kind:(' })).toBe('bad-filter')
  expect(await refused({ targets: [url], previousName: 'nobody' })).toBe('not-found')
  // A delivery that just arrives cannot match these yet.
  for (const filter of ['has:attempt', '-is:replayed kind:factura.*', 'is:pinned or tag:x', 'has:note'])
    await expect(call('forwards.save', aForward({ targets: [url], filter }))).rejects.toMatchObject({
      code: 'bad-filter',
      message: expect.stringContaining('A forward decides when a delivery arrives'),
    })
  expect((await call('forwards.list', {})).forwards).toEqual([])
  await call('forwards.save', aForward({ targets: [url] }))
  expect(await refused({ targets: [url] })).toBe('conflict')
  await expect(call('forwards.remove', { name: 'nobody' })).rejects.toMatchObject({ code: 'not-found' })
})

test('a target that is our own receiver is refused where it is saved, under each of its names (Loop guard)', async () => {
  const { call, receiverUrl } = await replayHost()
  const port = new URL(receiverUrl).port
  const save = (url: string) => call('targets.save', { ...DEFAULT_TARGET, name: 'back', url })
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost', '[::ffff:127.0.0.1]'])
    await expect(save(`http://${host}:${port}/hook`)).rejects.toMatchObject({
      code: 'bad-params',
      message: expect.stringMatching(/^url: .*Acuse's own receiver.*Choose another target\.$/),
      details: { path: 'url', reason: 'own-receiver' },
    })
  expect((await call('settings.get', {})).targets).toEqual([])
  const details = { path: 'url', reason: 'destination-refused' }
  await expect(save('http://169.254.169.254/')).rejects.toMatchObject({ details })
  // An unknown host name is accepted: a proxy may know it, or it may exist later.
  expect((await save('http://no-such-name.invalid/hook')).targets).toHaveLength(1)
})

test('a method that opens a tunnel is refused where a target is saved, and one that was kept makes no settings unreadable', {
  tags: 'long',
}, async () => {
  const dataDir = tempFolder()
  const first = await replayHost({ dataDir })
  const wanted = { ...DEFAULT_TARGET, name: 'app', url: 'http://127.0.0.1:9/' }
  const message = expect.stringContaining('CONNECT opens a tunnel')
  const refusal = { code: 'bad-params', details: { path: 'method' }, message }
  await expect(first.call('targets.save', { ...wanted, method: 'connect' })).rejects.toMatchObject(refusal)
  await first.call('targets.save', { ...wanted, method: 'PUT' })
  await first.close()
  const path = join(dataDir, 'settings.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"PUT"', '"CONNECT"'))
  const second = await replayHost({ dataDir })
  expect((await second.call('settings.get', {})).targets).toMatchObject([{ name: 'app', method: 'CONNECT' }])
})

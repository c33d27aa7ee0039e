import { expect, test } from 'vitest'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { Store } from '#core/ports.ts'
import { createThreadReconciles } from '#hosts/reconcile/thread-reconciles.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { gives, rawTarget, status, text } from '../../outbound/rig.ts'
import { ranged, reconcileHost } from './support.ts'

test('what cannot be is refused before anything is sent', async () => {
  const service = await rawTarget()
  const { call, connect } = await reconcileHost()
  await connect(`http://127.0.0.1:${service.port}`)
  const refused = (promise: Promise<unknown>) => expect(promise).rejects
  const start = (change = {}, connection = 'main') =>
    refused(call('sweeps.start', { connection, range: ranged(change) }))
  const bad = (path: string) => ({ code: 'bad-params', details: { path } })
  await start().toMatchObject(bad('apiKey'))
  await connect(`http://127.0.0.1:${service.port}`, { previousName: 'main', apiKey: 'k' })
  await start({ from: 'soon' }).toMatchObject(bad('range.from'))
  await start({ to: '2020-01-01' }).toMatchObject(bad('range.to'))
  await start({ pageSize: 501 }).toMatchObject(bad('range.pageSize'))
  const publish = (change: object) =>
    call('plugins.publish', { connection: 'main', eventType: 'cobro.registrado', ...change })
  await refused(publish({ eventType: 'factura.created' })).toMatchObject({ details: { path: 'eventType' } })
  await refused(publish({ data: '[]' })).toMatchObject({ details: { path: 'data' } })
  await refused(publish({ data: '{"a":' })).toMatchObject({ details: { path: 'data', line: 1 } })
  await refused(publish({})).toMatchObject({ details: { path: 'pluginToken' } })
  await start({}, 'nobody').toMatchObject({ code: 'not-found' })
  await refused(call('reconciliation.summary', { sweep: 9 })).toMatchObject({ code: 'not-found' })
  const report = { sweep: 9, format: 'html', language: 'en' } as const
  await refused(call('reconciliation.report', report)).toMatchObject({ code: 'not-found' })
  expect(service.connections()).toBe(0)
})

test('a service that refuses is a result with its own words: 401, redirect, HTML', async () => {
  const answers = [
    ['401 No\r\nContent-Length: 7\r\n\r\nwho now', 'unauthorised', 'who now'],
    ['302 Go\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n', 'redirected', '127.0.0.1:9'],
    ['200 OK\r\nContent-Length: 6\r\n\r\n<html>', 'not-json', 'line 1'],
  ] as const
  let now = 0
  const service = await rawTarget((socket) => socket.write(text(`HTTP/1.1 ${answers[now]?.[0]}`)))
  const { call, connect, sweep } = await reconcileHost()
  await connect(`http://127.0.0.1:${service.port}`, { apiKey: 'secret-key' })
  for (const [i, [, code, words]] of answers.entries()) {
    now = i
    const test = await call('connections.test', { name: 'main', route: 'accounting' })
    expect(test).toMatchObject({ ok: false, items: null, message: expect.stringContaining(words) })
    const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
    expect(await sweep(id, 'failed')).toMatchObject({ problems: [{ code }], pages: 0 })
  }
})

test('one sweep of a connection at a time; it can be paused, resumed and cancelled, and holds its connection', async () => {
  const service = await rawTarget(() => {})
  const { call, connect, sweep } = await reconcileHost()
  await connect(`http://127.0.0.1:${service.port}`, { apiKey: 'k' })
  const { id } = await call('sweeps.start', { connection: 'main', range: ranged() })
  const conflict = { code: 'conflict' }
  await expect(call('sweeps.start', { connection: 'main', range: ranged() })).rejects.toMatchObject(conflict)
  await expect(call('connections.remove', { name: 'main' })).rejects.toMatchObject(conflict)
  await expect(call('sweeps.remove', { id })).rejects.toMatchObject(conflict)
  expect(await call('sweeps.pause', { id })).toMatchObject({ state: 'paused', endedAt: null })
  await connect(`http://127.0.0.1:${service.port}`, { previousName: 'main', name: 'renamed' })
  expect(await call('sweeps.resume', { id })).toMatchObject({ state: 'running', connection: 'renamed' })
  expect(await call('sweeps.cancel', { id })).toMatchObject({ state: 'cancelled' })
  await expect(call('sweeps.resume', { id })).rejects.toMatchObject(conflict)
  expect((await sweep(id, 'cancelled')).endedAt).toBeGreaterThan(0)
})

test("a connection's own proxy is used, and the environment's where it says so", async () => {
  const proxy = await rawTarget(gives(status(200, '{"items":[],"hasMore":false}')))
  const { call, connect } = await reconcileHost()
  const through = { apiKey: 'k', proxy: `http://127.0.0.1:${proxy.port}` }
  await connect('http://service.invalid', through)
  const test = await call('connections.test', { name: 'main', route: 'treasury' })
  expect(test).toMatchObject({ ok: true, items: 0, mapping: null, sample: null })
  expect(proxy.requests[0]?.toString()).toMatch(
    /^GET http:\/\/service\.invalid\/api\/v1\/documents\/treasury-sync\?pageSize=1 HTTP/,
  )
  await connect('http://service.invalid', { previousName: 'main', proxy: 'none' })
  const direct = await call('connections.test', { name: 'main', route: 'treasury' })
  expect(direct).toMatchObject({ ok: false, status: null, sample: null })
  expect(proxy.requests).toHaveLength(1)
})

test('nothing is rebuilt or reported while captured deliveries wait for their analysis: they would be sent once more', async () => {
  const deliveries = { settled: async () => 3 } as unknown as Store['deliveries']
  const reconciles = createThreadReconciles({
    paths: storeFiles(''),
    worker: () => expect.fail('no thread is needed for that'),
    store: { deliveries, addReader: () => () => {} },
    version: '0',
    surroundings: () => ({ connections: [], ownReceiver: null }),
    warn: () => {},
  })
  const refused = { code: 'not-available', message: expect.stringContaining('3 deliveries are still being') }
  const connection = { ...DEFAULT_CONNECTION, name: 'main', baseUrl: '' }
  const report = reconciles.report(connection, { sweep: 1, format: 'csv', language: 'en' })
  await expect(report).rejects.toMatchObject(refused)
  await expect(reconciles.planRebuild(1, { classes: ['missing'] }, false)).rejects.toMatchObject(refused)
})

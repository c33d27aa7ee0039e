import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import { exposition } from '#core/watch/meter.ts'
import type { HostOptions } from '#hosts/assemble.ts'
import { serveProbes } from '#hosts/browser/probes.ts'
import { assembled, testHostWorkers } from '../../support/assembled.ts'
import { fetchAs } from '../../support/browser-session.ts'
import { anEvent } from '../../support/events.ts'
import { readMetrics } from '../../support/prometheus-text.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { threadFile } from '../../support/threads.ts'

async function probed(options: Partial<HostOptions> = {}, token?: string) {
  const { host, receiverUrl, close } = await assembled(options)
  const { engine } = host
  const probes = await serveProbes(engine, '127.0.0.1', 0, token)
  onTestFinished(async () => {
    await probes.close()
    await close()
  })
  const ask = (path: string, options: { headers?: Record<string, string>; method?: string } = {}) =>
    fetchAs(new URL(path, probes.url).href, options)
  const ready = async () => {
    const { status, body } = await ask('readyz')
    return [status, JSON.parse(body).reason ?? null]
  }
  const post = (body: string) => fetch(receiverUrl, { method: 'POST', body })
  return { engine, ask, ready, post, port: Number(new URL(probes.url).port) }
}

const SECRET = 'canary-4417'

test('/metrics: deliveries by verdict and answer, times, backlogs, coverage, queues and sizes, and no data of a delivery', async () => {
  const { engine, ask, post } = await probed()
  const target = { ...DEFAULT_TARGET, name: 'app', url: 'http://127.0.0.1:9/' }
  await engine.dispatch('targets.save', target)
  const sent = [JSON.stringify(anEvent('factura.created')), `{"Event":"${SECRET}"`, 'no JSON']
  for (const body of sent) expect((await post(body)).status).toBe(200)
  await engine.dispatch('faults.add', {
    ...{ endpoint: null, filter: '', effect: { type: 'status', status: 503 }, probability: 1, seed: 1 },
    ...{ next: 1, until: null },
  })
  expect((await post('{}')).status).toBe(503)
  await engine.call('deliveries.settled', { timeoutMs: 10_000 })
  await engine.dispatch('forwards.save', {
    ...{ name: 'live', filter: '', targets: ['app', 'http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'] },
    ...{ enabled: true, concurrency: 1, whenDown: 'queue', answerFrom: null, answerTimeoutMs: 1_000 },
    temporary: false,
  })

  const answer = await ask('metrics')
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': /^text\/plain; version=0\.0\.4/ } })
  expect(answer.body).not.toContain(SECRET)
  const metrics = readMetrics(answer.body)
  const value = (sample: string) =>
    metrics.get(sample.replace(/_(?:bucket|count|sum)?(?:\{.*)?$|\{.*$/, ''))?.samples.get(sample)
  expect(Object.fromEntries(metrics.get('acuse_deliveries_total')?.samples ?? [])).toEqual({
    'acuse_deliveries_total{answer="200"}': 3,
    'acuse_deliveries_total{answer="503"}': 1,
  })
  expect(value('acuse_answer_seconds_count')).toBe(4)
  expect(value('acuse_stored_deliveries{verdict="unreadable"}')).toBe(2)
  expect(value('acuse_receiver_listening')).toBe(1)
  expect(value('acuse_coverage_seconds{state="listening"}')).toBeGreaterThan(0)
  expect(value('acuse_forward_queue{forward="live",target="url-2"}')).toBe(0)
  expect(value('acuse_store_state{state="ok"}')).toBe(1)
  expect(value('acuse_scrape_parts_missing')).toBe(0)
  expect(value('acuse_build_info{version="0.0.0-test"}')).toBe(1)
  for (const name of ['filing_backlog', 'judging_backlog', 'log_bytes', 'disk_used_bytes'])
    expect([name, value(`acuse_${name}`)]).toEqual([name, expect.any(Number)])
})

test('/readyz: 503 with a reason while nothing can be stored, also without any delivery, and 200 as soon as it can', async () => {
  const ACUSE_TEST_FAULT = join(tempFolder(), 'fault')
  const execArgv = ['--import', new URL('../../support/faulty-disk.ts', import.meta.url).href]
  const env = { ...process.env, ACUSE_TEST_FAULT }
  const log = () => new Worker(threadFile('log/worker'), { execArgv, env })
  const { ready, ask, post, engine } = await probed({ workers: { ...testHostWorkers, log } })
  const within = { timeout: 5_000, interval: 20 }
  expect(await ready()).toEqual([200, null])
  // A disk with room for some bytes behind the last record, but for no delivery.
  writeFileSync(ACUSE_TEST_FAULT, 'write ENOSPC 1 1000')
  await expect.poll(ready, within).toEqual([503, 'store-refusing'])
  writeFileSync(ACUSE_TEST_FAULT, 'sync EIO')
  await expect.poll(ready, within).toEqual([503, 'store-refusing'])
  expect((await post('{}')).status).toBe(503)
  expect(readMetrics((await ask('metrics')).body).get('acuse_deliveries_unstored_total')?.samples).toEqual(
    new Map([['acuse_deliveries_unstored_total', 1]]),
  )
  writeFileSync(ACUSE_TEST_FAULT, '')
  await expect.poll(ready, within).toEqual([200, null])
  await engine.call('receiver.stop', {})
  expect(await ready()).toEqual([503, 'receiver-off'])
  expect(await ask('livez')).toMatchObject({ status: 200, body: 'ok\n' })
})

test('a port for probes alone: pages of other sites get nothing, other paths and methods neither', async () => {
  const loopback = await probed()
  const { port } = loopback
  for (const headers of [{ Host: 'evil.example' }, { Origin: 'http://evil.example' }])
    expect(await loopback.ask('metrics', { headers })).toMatchObject({ status: 403 })
  expect(await loopback.ask('metrics', { headers: { Host: `localhost:${port}` } })).toMatchObject({
    status: 200,
  })
  for (const path of ['', 'api/app.info', 'metrics/', 'metrics?x', '__proto__', 'constructor'])
    expect([path, (await loopback.ask(path)).status]).toEqual([path, 404])
  expect((await loopback.ask('metrics', { method: 'POST' })).status).toBe(405)
  expect(await loopback.ask('readyz', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
})

test('a token protects /metrics alone: a health check has none', async () => {
  const { ask } = await probed({}, 'a-token')
  const as = async (Authorization: string) => (await ask('metrics', { headers: { Authorization } })).status
  expect(await Promise.all(['Bearer a-token', 'Bearer a-tokex', 'Bearer', ''].map(as))).toEqual([
    ...[200, 401, 401, 401],
  ])
  expect(
    await Promise.all(['metrics', 'livez', 'readyz'].map(async (path) => (await ask(path)).status)),
  ).toEqual([401, 200, 200])
})

test('labels: names with quotes, backslashes and line ends stay one sample', () => {
  const names = ['a"b', 'a\\b', 'a\nb', '', 'año']
  const samples = names.map((name) => ({ labels: { name }, value: 1 }))
  const text = exposition([{ name: 'x', help: 'a\nb', type: 'gauge', samples }])
  expect(readMetrics(text).get('x')?.samples.size).toBe(names.length)
})

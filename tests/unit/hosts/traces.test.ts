import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { unsent } from '#core/replay/outbox.ts'
import type { Outcome, Sender } from '#core/replay/ports.ts'
import { OtlpExporter } from '#outbound/otlp.ts'
import { CANCELLED } from '#outbound/own-ends.ts'
import { createSender } from '#outbound/sender.ts'
import { assembled } from '../../support/assembled.ts'
import { hookReceiver, type Received } from '../../support/hook-receiver.ts'

// The JSON encoding of ExportTraceServiceRequest (opentelemetry-proto, trace/v1): no other members, ids in hexadecimal, 64 bits as text.
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
])
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }))
const nanos = z.string().regex(/^\d{19}$/)
const span = z.strictObject({
  traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/),
  spanId: z.string().regex(/^(?!0{16})[0-9a-f]{16}$/),
  parentSpanId: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .exactOptional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string() }).exactOptional(),
})
const scope = z.strictObject({ name: z.string(), version: z.string() })
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })),
    }),
  ),
})

const WITHIN = { timeout: 20_000, interval: 20 }
const CANARY = 'canary-5512'
const GIVEN = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

async function traced(refuse = 0) {
  let refusals = refuse
  const collector = await hookReceiver((_, response) => {
    response.statusCode = refusals-- > 0 ? 503 : 200
    response.end('{}')
  })
  const { host, receiverUrl, close } = await assembled({
    environment: { OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=k%201' },
    warn: () => {},
  })
  onTestFinished(close)
  const { engine } = host
  const endpoint = `${collector.url.replace('/hook', '')}/v1/traces`
  await engine.dispatch('settings.update', { telemetry: { endpoint, serviceName: 'erp-hooks' } })
  const spans = () => {
    const bodies = new Set(collector.received.map(({ body }) => String(body)))
    return [...bodies].flatMap((body) =>
      request
        .parse(JSON.parse(body))
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
    )
  }
  return { collector, engine, receiverUrl, spans }
}
const headerOf = (received: Received | undefined, name: string) =>
  received?.headers[received.headers.findIndex((one) => one.toLowerCase() === name) + 1]

test('traces: a span per delivery and per attempt, joined with each other and with the sender, in valid OTLP without data', async () => {
  const { collector, engine, receiverUrl, spans } = await traced()
  const app = await hookReceiver()
  const post = (headers: Record<string, string>) =>
    fetch(`${receiverUrl}${CANARY}?token=${CANARY}`, { method: 'POST', body: CANARY, headers })
  await post({})
  await post({ traceparent: GIVEN })
  await engine.call('deliveries.settled', { timeoutMs: 10_000 })
  for (const delivery of [1, 2]) await engine.dispatch('replay.send', { delivery, to: { target: app.url } })
  await expect.poll(() => spans().length, WITHIN).toBe(4)

  const named = (name: string) => spans().filter((one) => one.name.startsWith(name))
  const [plain, joined] = named('receive default')
  const [first, second] = named('replay url')
  expect(plain).not.toHaveProperty('parentSpanId')
  expect(first).toMatchObject({ traceId: plain?.traceId, parentSpanId: plain?.spanId, kind: 3 })
  expect(joined).toMatchObject({ traceId: GIVEN.slice(3, 35), parentSpanId: GIVEN.slice(36, 52), kind: 2 })
  expect(second).toMatchObject({ traceId: joined?.traceId, parentSpanId: joined?.spanId })
  expect(headerOf(app.received[0], 'traceparent')).toBe(`00-${plain?.traceId}-${first?.spanId}-01`)
  expect(headerOf(app.received[1], 'traceparent')).toBe(GIVEN)
  expect(headerOf(collector.received[0], 'x-api-key')).toBe('k 1')
  const told = collector.received.map(({ body }) => String(body)).join()
  expect(told).toContain('erp-hooks')
  expect(told).not.toContain(CANARY)
})

test('traces: sent again while the collector is busy; off, nothing is sent and a replay has no header of ours', {
  tags: 'long',
}, async () => {
  const { collector, engine, receiverUrl, spans } = await traced(1)
  await fetch(receiverUrl, { method: 'POST', body: '{}' })
  await expect.poll(() => collector.received.length, WITHIN).toBe(2)
  expect(spans()).toHaveLength(1)
  await engine.dispatch('settings.update', { telemetry: { endpoint: null } })
  await fetch(receiverUrl, { method: 'POST', body: '{}' })
  const app = await hookReceiver()
  await engine.call('deliveries.settled', { timeoutMs: 10_000 })
  await engine.dispatch('replay.send', { delivery: 2, to: { target: app.url } })
  expect(app.received[0]?.headers.map((one) => one.toLowerCase())).not.toContain('traceparent')
  await expect(
    engine.dispatch('settings.update', { telemetry: { endpoint: 'http://169.254.169.254/' } }),
  ).rejects.toMatchObject({ code: 'bad-params' })
})

test('traces: a collector that takes nothing costs a bounded memory; what was dropped is counted, and said once it takes spans again', async () => {
  let busy = true
  let taken = 0
  const collector = await hookReceiver(({ body }, response) => {
    response.statusCode = busy ? 503 : 200
    if (!busy)
      for (const { scopeSpans } of request.parse(JSON.parse(String(body))).resourceSpans)
        taken += scopeSpans.reduce((sum, { spans }) => sum + spans.length, 0)
    response.end()
  })
  const { exporter, said, addMany } = exporting(collector.url)
  onTestFinished(() => exporter.close())
  for (let n = 0; n < 12; n++) {
    addMany(500)
    await setTimeout(20)
  }
  expect(collector.received.length).toBeLessThan(6)
  await collector.count(2)
  busy = false
  const dropped = () => Number(/; (\d+) were dropped/.exec(said[1] ?? '')?.[1])
  await expect.poll(() => taken + dropped(), WITHIN).toBe(6_000)
  expect(dropped()).toBeGreaterThan(1_000)
  expect(said).toEqual([
    expect.stringContaining('takes no spans'),
    expect.stringContaining('takes spans again'),
  ])
})

test('traces: a collector that names a time in Retry-After is left alone until then', async () => {
  const asked: number[] = []
  const collector = await hookReceiver((_, response) => {
    response.statusCode = asked.push(performance.now()) > 1 ? 200 : 429
    response.setHeader('Retry-After', '4')
    response.end()
  })
  const { exporter, addMany } = exporting(collector.url)
  onTestFinished(() => exporter.close())
  addMany(600)
  await setTimeout(200)
  addMany(1)
  await expect.poll(() => asked.length, WITHIN).toBeGreaterThan(1)
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(3_900)
})

test('traces: the end sends all that waits; a collector that hangs delays it by a second, and the lost spans are counted', async () => {
  const sizes: number[] = []
  const answer = { status: 200, statusText: '', headers: [], body: new Uint8Array(), size: 0 }
  const taken: Outcome = { ...unsent(CANCELLED), answer, error: null }
  const { exporter, said, addMany } = exporting('http://127.0.0.1:1/', {
    send: async ({ body: { size } }) => {
      sizes.push(size)
      return taken
    },
  })
  addMany(1_800)
  await exporter.close()
  expect([sizes.length, said]).toEqual([4, []])

  const collector = await hookReceiver(() => {})
  const late = exporting(collector.url)
  late.addMany(1_800)
  const began = performance.now()
  await late.exporter.close()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(late.said).toEqual([expect.stringContaining('1800 spans did not reach the collector')])
})

function exporting(endpoint: string, sender: Pick<Sender, 'send'> = realSender()) {
  const said: string[] = []
  const exporter = new OtlpExporter(sender, (message) => said.push(message))
  exporter.configure({ endpoint, serviceName: 's', version: '1', headers: [] })
  const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: null }
  const times = { startUs: 1_795_806_685_000_000, endUs: 1_795_806_685_000_001 }
  const addMany = (count: number) => {
    for (let n = 0; n < count; n++)
      exporter.add({ ...ids, ...times, name: 'n', kind: 'server', attributes: {}, error: null })
  }
  return { exporter, said, addMany }
}

function realSender() {
  const sender = createSender()
  onTestFinished(() => sender.close())
  return sender
}

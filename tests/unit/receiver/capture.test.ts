import { expect, test, vi } from 'vitest'
import { createCertificates } from '#hosts/certificates.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { sharedFolder } from '../../support/temp-folder.ts'
import { endpoint, only, rig } from './rig.ts'

test('a delivery (product, 3: byte-exact): headers keep order, case, duplicates and latin-1 bytes', async () => {
  const { capture, port } = await rig()
  const sent = [
    ...['X-b', '2', 'x-B', '1', 'AUTHORIZATION', 'a', 'authorization', 'b', 'X-n', '\xe9\xff'],
    ...['__proto__', 'x', 'Content-Type', 'a/b', 'content-type', 'c/d'],
  ]
  await raw({ port }, requestBytes('POST', '/', '{}', sent))
  expect(only(capture).headers).toEqual(['Host', 'receiver.test', ...sent, 'Content-Length', '2'])
})

test('a delivery: target, version, sender, times and trailers are kept as they came', async () => {
  const { capture, port } = await rig()
  const before = Date.now() * 1000
  await raw(
    { port },
    'POST http://example.test/a%2Fb/../c?x=%GG#f HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n',
  )
  const kept = only(capture)
  expect(kept).toMatchObject({ url: 'http://example.test/a%2Fb/../c?x=%GG#f', httpVersion: '1.1' })
  expect(kept.remoteAddress).toBe('127.0.0.1')
  expect(kept.remotePort).toBeGreaterThan(0)
  expect(kept.receivedAt).toBeGreaterThanOrEqual(before - 21_000)
  expect(kept.receivingUs).toBeGreaterThan(0)
  expect(kept.trailers).toEqual(['X-Sum', '1', 'x-sum', '2'])
  expect(capture.bytes(kept.body).toString()).toBe('abc')
})

test.each([['gzip'], ['bogus'], ['gzip, br']])('a delivery: %s is not undone', async (coding) => {
  const { statuses, capture } = await rig()
  const body = Buffer.from([0x1f, 0x8b, 0, 255, 0, 1])
  expect(await statuses(requestBytes('POST', '/', body, ['Content-Encoding', coding]))).toEqual([200])
  expect(capture.bytes(only(capture).body).equals(body)).toBe(true)
})

const TWO = [['X-A', '1'] as const, ['X-A', '2'] as const]
const headers = [...TWO, ['Content-Length', '99'] as const, ['Content-Type', 'text/x'] as const]
const answer = { status: 202, headers, body: 'gracias ñ', delayMs: 0 }
const answering = (change: Partial<typeof answer> = {}) => ({
  rules: { endpoints: [endpoint({ answer: { ...answer, ...change } })] },
})

test('answers: what is kept is what is sent; framing is the receiver’s', async () => {
  const { capture, port } = await rig(answering())
  const { answers } = await raw({ port }, requestBytes('POST', '/', '{}'))
  const kept = only(capture).answer
  expect(kept?.status).toBe(202)
  expect(kept?.headers).toEqual(['X-A', '1', 'X-A', '2', 'Content-Type', 'text/x', 'Content-Length', '10'])
  expect(Buffer.from(kept?.body ?? []).toString()).toBe('gracias ñ')
  expect(answers[0]?.headers.slice(0, 8)).toEqual(kept?.headers)
  expect(answers[0]?.body.toString()).toBe('gracias ñ')
  expect(capture.took).toEqual([{ id: 1, tookUs: expect.any(Number) }])
})

test('answers: HEAD is told the length and gets no body; 204 has neither', async () => {
  const made = await rig(answering())
  const head = await raw(made, requestBytes('HEAD', '/', ''), { head: true })
  expect(head.bytes.toString('latin1').endsWith('\r\n\r\n')).toBe(true)
  expect(head.answers[0]?.headers).toContain('10')
  expect(made.capture.deliveries[0]?.answer?.body.length).toBe(0)
  made.rules = { ...made.rules, ...answering({ status: 204 }).rules }
  const none = await raw(made, requestBytes('POST', '/', '{}'))
  expect(none.answers[0]?.status).toBe(204)
  expect(made.capture.deliveries[1]?.answer?.headers).not.toContain('Content-Length')
  expect(made.capture.deliveries[1]?.answer?.body.length).toBe(0)
})

test('answers: the delay delays the answer, not the storing', async () => {
  const { capture, port } = await rig(answering({ delayMs: 300 }))
  const sentAt = performance.now()
  const sent = raw({ port }, requestBytes('POST', '/', '{}'))
  await capture.kept(1)
  expect(capture.took).toEqual([])
  await sent
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(295)
})

test('answers: a sender that leaves during the delay is said to have got no answer', async () => {
  const { capture, port } = await rig(answering({ delayMs: 60_000 }))
  await raw({ port }, [requestBytes('POST', '/', '{}'), 30], { resetAfter: true })
  const none = { id: 1, tookUs: null, instead: { by: null, answer: null } }
  await vi.waitFor(() => expect(capture.took).toEqual([none]))
})

test('answers: nothing is answered before it is stored (at-most-once: stored first, 2xx second)', async () => {
  const { capture, port } = await rig()
  const release = capture.hold()
  const sent = raw({ port }, requestBytes('POST', '/', '{}'))
  const first = await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, 100, 'nothing'))])
  expect(first).toBe('nothing')
  release()
  expect((await sent).answers[0]?.status).toBe(200)
})

test('answers: what cannot be stored is answered 503, and the person is told once', async () => {
  const { statuses, capture, port, warnings } = await rig()
  capture.failure = new Error('disk full')
  for (let i = 0; i < 3; i++) {
    const { answers, closed } = await raw({ port }, requestBytes('POST', '/', '{}'), { answers: 0 })
    expect(answers[0]?.status).toBe(503)
    expect(closed).toBe(true)
  }
  expect(warnings).toEqual([expect.stringContaining('disk full')])
  capture.failure = null
  expect(await statuses(requestBytes('POST', '/', '{}'))).toEqual([200])
  expect(warnings[1]).toContain('3 could not')
})

test('answers: a status that HTTP cannot send is a 500 after storing, never a crash', async () => {
  const { statuses, capture } = await rig(answering({ status: 99 }))
  expect(await statuses(requestBytes('POST', '/', '{}'))).toEqual([500])
  expect(capture.deliveries.length).toBe(1)
})

test('answers: keep-alive, pipelining and HTTP/1.0 senders are answered in order', async () => {
  const { capture, port } = await rig()
  const three = Buffer.concat([1, 2, 3].map((n) => requestBytes('POST', `/${n}`, `${n}`)))
  expect((await raw({ port }, three, { answers: 3 })).answers.map((a) => a.status)).toEqual([200, 200, 200])
  const old = await raw({ port }, 'POST /old HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}', { answers: 0 })
  expect(old.answers[0]?.status).toBe(200)
  expect(capture.deliveries.map((d) => d.url)).toEqual(['/1', '/2', '/3', '/old'])
  expect(capture.deliveries[3]?.httpVersion).toBe('1.0')
})

test.each([
  ['over HTTP', {}],
  ['over HTTPS', { certificates: createCertificates(sharedFolder()) }],
])('answers: requests behind one that asks for another protocol are taken too, %s', async (_, options) => {
  const { capture, port } = await rig(options)
  const asking = requestBytes('POST', '/asks', 'h2c?', ['Connection', 'Upgrade', 'Upgrade', 'h2c'])
  const [first, second] = [requestBytes('POST', '/1', '1'), requestBytes('POST', '/2', '22')]
  const packet = Buffer.concat([asking, first, asking, second.subarray(0, 20)])
  const steps = [asking.subarray(0, -1), 30, Buffer.concat([asking.subarray(-1), packet]), 30]
  const { answers } = await raw(
    { port, secure: 'certificates' in options },
    [...steps, second.subarray(20)],
    {
      answers: 5,
    },
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(capture.deliveries.map(({ url, body }) => [url, String(body)])).toEqual([
    ...[0, 1].map(() => ['/asks', 'h2c?']),
    ...[
      ['/1', '1'],
      ['/asks', 'h2c?'],
      ['/2', '22'],
    ],
  ])
})

test('answers: a sender that closes its sending half still gets its answer', async () => {
  const { statuses } = await rig()
  expect(await statuses(requestBytes('POST', '/', '{}'), { endAfter: true, answers: 0 })).toEqual([200])
})

import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { ANSWER_KEPT } from '#contract/values.ts'
import { bodyOf } from '#core/replay/request.ts'
import { listening } from '../../support/hook-receiver.ts'
import { type Answering, gives, NO_CONTENT, outgoing, rawTarget, reached, sender, text } from './rig.ts'

async function sent(answering: Answering, change: Parameters<typeof outgoing>[1] = {}) {
  const { to, send } = await reached(answering)
  return { to, outcome: await send(change) }
}

test('each phase has its own bound: connecting: a name that is never found', async () => {
  const sends = sender({ lookup: () => new Promise(() => {}) })
  const { error, timings } = await sends.send(outgoing('http://slow.test/', { timeouts: { connectMs: 30 } }))
  expect(error).toMatchObject({ code: 'connect-timeout', params: { host: 'slow.test', port: 80, ms: 30 } })
  expect(error?.message).toContain('no name server answered')
  expect(timings).toMatchObject({ lookupUs: null, connectUs: null, sendUs: null })
})

test('each phase has its own bound: connecting: TLS that is never agreed on', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume())
  const port = await listening(silent)
  const request = outgoing(`https://127.0.0.1:${port}/`, { timeouts: { connectMs: 60 } })
  const { error, timings } = await sender().send(request)
  expect(error).toMatchObject({ code: 'connect-timeout', params: { reason: 'tls' } })
  expect(error?.message).toContain('did not agree on TLS within 60 ms. Check that the port is for https')
  expect(timings.connectUs).toBeGreaterThan(0)
  expect(timings.tlsUs).toBeNull()
  await expect
    .poll(() => new Promise((resolve) => silent.getConnections((_, count) => resolve(count))))
    .toBe(0)
})

test.each([
  ['no answer', ''],
  ['an interim one, which is none', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('each phase has its own bound: answering, counted from the last byte sent: %s', async (_, answer) => {
  const { outcome, to } = await sent(gives(answer), { timeouts: { answerMs: 40 } })
  expect(outcome).toMatchObject({ answer: null, error: { code: 'answer-timeout', params: { ms: 40 } } })
  expect(outcome.timings.waitUs).toBeGreaterThanOrEqual(40_000)
  expect(outcome.error?.message).toMatch(/^http:\/\/127\.0\.0\.1:\d+ took the request but did not begin/)
  await expect.poll(() => to.sockets.size).toBe(0)
})

test('each phase has its own bound: in all: an answer that never ends has its beginning and the reason', async () => {
  const { outcome } = await sent(gives('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'), {
    timeouts: { totalMs: 80 },
  })
  expect(outcome).toMatchObject({
    answer: { status: 200, size: 4 },
    error: { code: 'total-timeout', params: { ms: 80 } },
  })
  expect(Buffer.from(outcome.answer?.body ?? []).toString()).toBe('half')
  expect(outcome.timings.receiveUs).toBeGreaterThan(0)
})

test('each phase has its own bound: in all: a target that takes nothing', async () => {
  const { send } = await reached(undefined, { paused: true })
  const body = bodyOf(Buffer.alloc(40 * 1024 * 1024))
  const { error } = await send({ body, timeouts: { answerMs: 1, totalMs: 80 } })
  expect(error?.code).toBe('total-timeout')
})

test('cancelling: before it began sends nothing', async () => {
  const { to, send } = await reached()
  expect((await send({}, AbortSignal.abort())).error?.code).toBe('cancelled')
  expect(to.connections()).toBe(0)
})

test('cancelling: ends what shares the signal, and nothing else', async () => {
  const { to, send } = await reached((socket, _request, nth) => nth === 3 && socket.write(NO_CONTENT))
  const stop = new AbortController()
  const cancelled = [send({}, stop.signal), send({}, stop.signal)]
  await expect.poll(() => to.requests.length).toBe(2)
  const other = send({}, new AbortController().signal)
  stop.abort()
  for (const one of await Promise.all(cancelled)) expect(one.error?.code).toBe('cancelled')
  expect((await other).error).toBeNull()
})

test('cancelling: while connecting leaves no connection behind', async () => {
  let found = (_: readonly { address: string; family: 4 }[]) => {}
  const to = await rawTarget()
  const stop = new AbortController()
  const sends = sender({ lookup: () => new Promise((resolve) => (found = resolve)) })
  const sending = sends.send(outgoing(`http://late.test:${to.port}/`), stop.signal)
  stop.abort()
  expect((await sending).error?.code).toBe('cancelled')
  found([{ address: '127.0.0.1', family: 4 }])
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(to.requests).toEqual([])
  expect(to.sockets.size).toBe(0)
})

test('cancelling: comes with the closing of the sender', async () => {
  const { to, sends, send } = await reached(() => {})
  const sending = send()
  await expect.poll(() => to.requests.length).toBe(1)
  sends.close()
  expect((await sending).error?.code).toBe('cancelled')
})

test('connections that fail: refused: says that nothing listens there', async () => {
  const free = createServer()
  const port = await listening(free)
  await new Promise((resolve) => free.close(resolve))
  const { error } = await sender().send(outgoing(`http://127.0.0.1:${port}/`))
  expect(error).toMatchObject({ code: 'connection-refused', params: { reason: 'ECONNREFUSED', port } })
  expect(error?.message).toBe(
    `Nothing listens at http://127.0.0.1:${port}: the connection was refused. Start the application, or correct the port.`,
  )
  // The sender tries both addresses of the name.
  expect((await sender().send(outgoing(`http://localhost:${port}/`))).error?.code).toBe('connection-refused')
})

test.each([
  ['ENOTFOUND', 'name-not-found', /There is no address for the name gone\.test/],
  ['EAI_AGAIN', 'name-not-found', /no name server answered/],
  ['ESERVFAIL', 'name-not-found', /could not be looked up \(queryA\)/],
])('connections that fail: a look-up that ends with %s is %s', async (reason, code, words) => {
  const sends = sender({ lookup: () => Promise.reject(Object.assign(new Error('queryA'), { code: reason })) })
  const { error } = await sends.send(outgoing('http://gone.test/'))
  expect(error).toMatchObject({ code, params: { host: 'gone.test', reason } })
  expect(error?.message).toMatch(words)
})

test('connections that fail: reset before the answer, or closed in good order: the request may have been taken', async () => {
  const { outcome } = await sent((socket) => socket.resetAndDestroy())
  expect(outcome).toMatchObject({
    answer: null,
    error: { code: 'connection-closed', params: { phase: 'wait', reason: 'ECONNRESET' } },
    reusedConnection: false,
  })
  expect(outcome.error?.message).toMatch(/closed the connection before it answered\. It may or may not/)
  const closed = (await sent((socket) => socket.end())).outcome
  expect(closed.error).toMatchObject({ code: 'connection-closed', params: { phase: 'wait' } })
})

test('connections that fail: closed in the middle of a body that is being sent', async () => {
  const target = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const port = await listening(target)
  const body = bodyOf(Buffer.alloc(30 * 1024 * 1024))
  const { error } = await sender().send(outgoing(`http://127.0.0.1:${port}/`, { body }))
  expect(error).toMatchObject({ code: 'connection-closed', params: { phase: 'send' } })
})

test('connections that fail: a kept connection that the target closes as it is used is not tried again by itself', async () => {
  const { to, send } = await reached((socket, _request, nth) =>
    nth === 1 ? socket.write(NO_CONTENT) : socket.resetAndDestroy(),
  )
  expect((await send()).error).toBeNull()
  const { error, reusedConnection } = await send()
  expect(error?.code).toBe('connection-closed')
  expect(error?.message).toContain('reused from the previous request')
  expect(reusedConnection).toBe(true)
  expect(to.requests).toHaveLength(2)
})

test.each([
  ['SSH-2.0-OpenSSH_9.6\r\n', 'HPE_INVALID_CONSTANT'],
  ['220 smtp ready\r\n', 'HPE_INVALID_CONSTANT'],
  ['HTTP/1.1 abc\r\n\r\n', 'HPE_INVALID_STATUS'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 'HPE_UNEXPECTED_CONTENT_LENGTH'],
])('answers: %j is not HTTP', async (answer, reason) => {
  const { outcome } = await sent(gives(answer))
  expect(outcome).toMatchObject({ answer: null, error: { code: 'not-http', params: { reason } } })
  expect(outcome.error?.message).toContain('Check that the port')
})

test('answers: what speaks TLS at an http URL is told so', async () => {
  const { outcome } = await sent(gives(Buffer.from('15030300020246', 'hex')))
  expect(outcome.error).toMatchObject({ code: 'not-http', params: { reason: 'tls' } })
  expect(outcome.error?.message).toContain('Write https://')
})

test('answers: 5,000 headers come through whole, with case, order and duplicates', async () => {
  const headers = Array.from({ length: 10_000 }, (_, i) => (i % 2 ? `v${i}` : `X-h${i % 9}`))
  const lines = headers.map((one, i) => (i % 2 ? `${one}\r\n` : `${one}: `)).join('')
  const { outcome } = await sent(gives(`HTTP/1.1 200 Fine by me\r\n${lines}Content-Length: 0\r\n\r\n`))
  expect(outcome.answer).toMatchObject({ status: 200, statusText: 'Fine by me', size: 0 })
  expect(outcome.answer?.headers).toEqual([...headers, 'Content-Length', '0'])
})

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const EARLY = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n'
const APACHE = 'Upgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive'
test.each([
  ['HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nabc', 201, 'abc', 'connection-closed'],
  [`${CHUNKED}3\r\nabc\r\n`, 200, 'abc', 'connection-closed'],
  [`${CHUNKED}3\r\nabc\r\nzz\r\n`, 200, 'abc', 'not-http'],
  [`${CHUNKED}1;x=y\r\na\r\n2\r\nbc\r\n0\r\nT: 1\r\n\r\n`, 200, 'abc'],
  ['HTTP/1.1 204 No Content\r\n\r\n', 204, ''],
  ['HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n', 304, ''],
  [`${EARLY}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`, 200, ''],
  ['HTTP/1.1 999 \r\nContent-Length: 0\r\n\r\n', 999, ''],
  ['HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n', 502, ''],
  ['HTTP/1.0 200 OK\r\n\r\nuntil the end', 200, 'until the end'],
  ['HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end', 200, 'until the end'],
  [`HTTP/1.1 200 OK\r\n${APACHE}\r\nContent-Length: 2\r\n\r\nok`, 200, 'ok'],
  ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc', 200, 'abc'],
])('answers: %j has status %i, body %j and error %s', async (answer, status, body, code = undefined) => {
  const { outcome } = await sent((socket) => socket.end(text(answer)))
  expect(outcome.error?.code).toBe(code)
  expect(outcome.answer).toMatchObject({ status, size: body.length })
  expect(Buffer.from(outcome.answer?.body ?? []).toString()).toBe(body)
})

test.each([
  ['HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\ndone', 204, ''],
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more', 200, 'ok'],
])('answers: %j is whole though bytes follow it', async (answer, status, body) => {
  const { outcome, to } = await sent(gives(answer))
  expect(outcome).toMatchObject({ error: null, answer: { status, size: body.length } })
  expect(Buffer.from(outcome.answer?.body ?? []).toString()).toBe(body)
  await expect.poll(() => to.sockets.size).toBe(0)
})

test('answers: of HEAD has no body whatever its length says', async () => {
  const { outcome } = await sent(gives('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'), { method: 'HEAD' })
  expect(outcome).toMatchObject({ error: null, answer: { status: 200, size: 0 } })
})

test('answers: that comes before the request is whole is the answer, and the rest is not sent', async () => {
  const target = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => socket.write(text('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')))
    socket.pause()
    socket.once('readable', () => socket.read())
  })
  const port = await listening(target)
  const body = bodyOf(Buffer.alloc(60 * 1024 * 1024))
  const outcome = await sender().send(outgoing(`http://127.0.0.1:${port}/`, { body }))
  expect(outcome).toMatchObject({ error: null, answer: { status: 413 }, timings: { waitUs: null } })
})

test('answers: beyond 10 MiB are counted, not kept', async () => {
  const size = ANSWER_KEPT + 1_000_000
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`
  const { outcome } = await sent(gives(head, Buffer.alloc(size, 'x')))
  expect(outcome).toMatchObject({ error: null, answer: { size } })
  expect(outcome.answer?.body.length).toBe(ANSWER_KEPT)
})

test('answers: without end are cut off after 100 MiB', async () => {
  const piece = Buffer.alloc(4 * 1024 * 1024)
  const { outcome, to } = await sent((socket) => {
    socket.write(text('HTTP/1.1 200 OK\r\n\r\n'))
    const more = () => {
      while (socket.writable && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })
  expect(outcome.error).toBeNull()
  expect(outcome.answer?.size).toBeGreaterThanOrEqual(100 * 1024 * 1024)
  expect(outcome.answer?.body.length).toBe(ANSWER_KEPT)
  await expect.poll(() => to.sockets.size).toBe(0)
})

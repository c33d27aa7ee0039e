import type { Socket } from 'node:net'
import { expect, test } from 'vitest'

import { bodyOf } from '#core/replay/request.ts'
import { idleAtMost } from '#outbound/answer.ts'
import { NO_CONTENT, outgoing, reached, text, written } from './rig.ts'

type Piece = string | Buffer | 'end' | 'reset'
const ANSWERS: readonly (readonly [name: string, pieces: readonly Piece[]])[] = [
  ['a length', ['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello']],
  ['no body', ['HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n']],
  ['bytes of any value', ['HTTP/1.1 500 Oh \xe9\r\nX: \xff\xfe\tz\r\nContent-Length: 3\r\n\r\n\x00\xff\x0a']],
  ['duplicates, case and blanks', ['HTTP/1.1 200\r\na:1\r\nA: \t2\r\nb:\r\nCONTENT-LENGTH:0\r\n\r\n']],
  ['204', ['HTTP/1.1 204 No Content\r\nDate: now\r\n\r\n']],
  ['204 with a length', ['HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n']],
  ['204 with a body', ['HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\ndone']],
  ['more than its length', ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more']],
  ['304', ['HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n']],
  ['chunks', ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n']],
  ['an end in place of a length', ['HTTP/1.1 200 OK\r\n\r\nall of it', 'end']],
  ['Connection: close', ['HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok', 'end']],
  ['HTTP/1.0', ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', 'end']],
  ['a head in two pieces', ['HTTP/1.1 200 OK\r\nConte', 'nt-Length: 2\r\n\r\nok']],
  ['a body in two pieces', ['HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab', 'cd']],
  ['a large body', [`HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`]],
  [
    'an interim answer first',
    ['HTTP/1.1 102 Processing\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ],
  ['a switch', ['HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n']],
  ['the same length twice', ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx']],
  ['two lengths', ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy']],
  [
    'a length and chunks',
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ],
  ['a folded header', ['HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\nContent-Length: 0\r\n\r\n']],
  ['a header without a colon', ['HTTP/1.1 200 OK\r\nwhat\r\nContent-Length: 0\r\n\r\n']],
  ['a blank behind a value', ['HTTP/1.1 200 OK \r\nA: 1 \r\nContent-Length: 0 \r\n\r\n']],
  ['bare line feeds', ['HTTP/1.1 200 OK\nContent-Length: 0\n\n']],
  ['a length that is none', ['HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc', 'end']],
  ['no HTTP', ['SSH-2.0-x\r\n', 'end']],
  ['nothing', ['end']],
  ['half of it', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'end']],
  ['a reset in the middle', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', 'reset']],
]

async function give(socket: Socket, pieces: readonly Piece[]) {
  for (const [i, piece] of pieces.entries()) {
    // With a pause, since the system would otherwise join the pieces.
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    if (piece === 'end') socket.end()
    else if (piece === 'reset') socket.resetAndDestroy()
    else socket.write(typeof piece === 'string' ? text(piece) : piece)
  }
}

const BODY = bodyOf(Buffer.from('{"a":"\xff"}', 'latin1'))

test.each(ANSWERS)('without node:http: when the answer has %s', async (_name, pieces) => {
  let kept = false
  const { to, send } = await reached((socket) => void give(socket, kept ? pieces : [NO_CONTENT]))
  const fresh = await reached((socket) => void give(socket, pieces))
  await send({ body: BODY })
  kept = true
  const direct = await send({ body: BODY })
  const usual = await fresh.send({ body: BODY })
  expect(direct.answer).toEqual(usual.answer)
  expect(direct.error?.code).toEqual(usual.error?.code)
  expect(direct.error?.params.phase).toEqual(usual.error?.params.phase)
  expect(direct).toMatchObject({ reusedConnection: true, address: `127.0.0.1:${to.port}` })
  expect(direct.timings).toMatchObject({ lookupUs: null, connectUs: null, tlsUs: null })
  expect(direct.timings.sendUs).toBeGreaterThanOrEqual(0)
  expect(to.requests[1]).toEqual(written(outgoing('', { body: BODY }), '/hook?x=1'))
  expect(to.connections()).toBe(1)
})

test('without node:http: an answer that is handed on keeps its bounds, and its connection is used no more', async () => {
  const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n'
  const { to, send } = await reached((socket, _, nth) => socket.write(nth === 2 ? text(chunks) : NO_CONTENT))
  await send()
  const cut = await send({ timeouts: { totalMs: 60 } })
  expect(cut).toMatchObject({ error: { code: 'total-timeout' }, answer: { status: 200, size: 1 } })
  await expect.poll(() => to.sockets.size).toBe(0)
  expect(await send()).toMatchObject({ error: null, reusedConnection: false })
})

test('without node:http: no answer: the bounds hold from the last byte, and for cancelling', async () => {
  const { to, send } = await reached((socket, _, nth) => nth % 2 === 1 && socket.write(NO_CONTENT))
  await send()
  const late = await send({ timeouts: { answerMs: 40 } })
  expect(late).toMatchObject({ error: { code: 'answer-timeout' }, reusedConnection: true })
  expect(late.timings.waitUs).toBeGreaterThanOrEqual(39_000)
  await send()
  const abort = new AbortController()
  setTimeout(() => abort.abort(), 20)
  expect(await send({}, abort.signal)).toMatchObject({ error: { code: 'cancelled' } })
  await expect.poll(() => to.sockets.size).toBe(0)
})

test('without node:http: bytes without a request end a kept connection', async () => {
  const { to, send } = await reached((socket) => {
    socket.write(NO_CONTENT)
    setTimeout(() => socket.write(NO_CONTENT), 20)
  })
  await send()
  await expect.poll(() => to.sockets.size).toBe(0)
  expect(await send()).toMatchObject({ error: null, reusedConnection: false })
})

test.each([
  ['a header that cannot be sent', { headers: ['Host', 'x', 'A', 'b\nc'] }, 'unsendable'],
  ['a name that cannot be sent', { headers: ['Host', 'x', 'A B', 'c'] }, 'unsendable'],
  ['a body that is gone', { body: { size: 3, pieces: () => [Buffer.from('ab')] } }, 'delivery-gone'],
])('without node:http: what cannot be sent says why: %s', async (_name, change, code) => {
  const { to, send } = await reached()
  await send()
  const { error } = await send(change)
  expect(error?.code).toBe(code)
  expect(to.requests).toHaveLength(1)
})

test('connections are kept: as many as are busy at once', async () => {
  const { to, send } = await reached((socket) => setTimeout(() => socket.write(NO_CONTENT), 20))
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 16 }, () => send()))
  expect(to.connections()).toBe(16)
})

test('connections are kept: not for more than about a second of idleness: the target may close them as they are used', async () => {
  const { to, send } = await reached()
  await send()
  await expect.poll(() => to.sockets.size, { timeout: 5_000 }).toBe(0)
  expect(await send()).toMatchObject({ error: null, reusedConnection: false })
})

test('connections are kept: not after this thread was blocked for longer, before any clock could tell', async () => {
  const { send } = await reached()
  await send()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_050)
  expect(await send()).toMatchObject({ error: null, reusedConnection: false })
})

test.each([
  ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['Keep-Alive: timeout=0', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n'],
])('connections are kept: not when the answer says %s', async (_what, answer) => {
  const { send } = await reached((socket) => socket.write(text(answer)))
  expect(await send()).toMatchObject({ error: null })
  expect(await send()).toMatchObject({ error: null, reusedConnection: false })
})

test.each([
  [[], 1_000],
  [['Keep-Alive', 'timeout=5, max=100'], 1_000],
  [['A', '1', 'keep-alive', 'timeout=1'], 500],
  [['KEEP-ALIVE', 'max=3'], 1_000],
  [['Keep-Alive', 'Timeout=0'], 0],
])('connections are kept: with %j for %i ms at most', (headers, ms) => expect(idleAtMost(headers)).toBe(ms))

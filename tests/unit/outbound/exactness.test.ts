import { expect, test } from 'vitest'

import { buildRequest, typedTarget } from '#core/replay/request.ts'
import { CORPUS, type OddRequest } from './corpus.ts'
import { outgoing, rawTarget, reached, sender, written } from './rig.ts'

const built = (captured: OddRequest, port: number) => {
  const target = { ...typedTarget(`http://127.0.0.1:${port}/base/?own=1`), path: 'append' as const }
  return buildRequest({ captured, target, attemptId: 77, secretHeaders: new Set() })
}

/** The expected bytes, computed in another way than by the sender: as lines of text. */
function expected({ method, url, headers, body }: OddRequest, port: number): Buffer {
  const pairs = headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? ''] as const] : []))
  const named = (wanted: string) => pairs.filter(([name]) => name.toLowerCase() === wanted)
  const nominated = named('connection').flatMap(([, value]) => value.split(','))
  const dropped = new Set(
    `connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade expect
    ${nominated.map((one) => one.trim().toLowerCase()).join(' ')}`.split(/\s+/),
  )
  const lines = pairs.flatMap(([name, value], i) => {
    const lower = name.toLowerCase()
    const first = pairs.findIndex((pair) => pair[0].toLowerCase() === lower) === i
    if (lower === 'host') return first ? [`${name}: 127.0.0.1:${port}`] : []
    if (lower === 'content-length') return first ? [`${name}: ${body.size}`] : []
    return dropped.has(lower) ? [] : [`${name}: ${value}`]
  })
  if (named('host').length === 0) lines.unshift(`Host: 127.0.0.1:${port}`)
  const chunked = named('transfer-encoding').length > 0
  if (named('content-length').length === 0 && (chunked || body.size > 0))
    lines.push(`Content-Length: ${body.size}`)
  lines.push('X-Acuse-Replay: 77')
  const [path = '', ...query] = url.replace(/^http:\/\/[^/?]*/i, '').split('?')
  const asked = query.join('?')
  const at = `/base${path === '*' || path === '' ? '/' : path}?own=1${asked === '' ? '' : `&${asked}`}`
  const head = `${method} ${at} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), ...body.pieces()])
}

test('exactly what was captured goes out: for a corpus of 200 odd requests over kept connections', async () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(200)
  const { to, sends } = await reached()
  for (const captured of CORPUS) {
    const before = to.requests.length
    const outcome = await sends.send(built(captured, to.port))
    expect(outcome, captured.name).toMatchObject({ error: null, answer: { status: 204 } })
    expect(to.requests.length, captured.name).toBe(before + 1)
    const came = to.requests[before] ?? Buffer.alloc(0)
    const wanted = expected(captured, to.port)
    // Compare all bytes, but show only a readable part.
    if (!came.equals(wanted))
      expect(came.toString('latin1', 0, 3_000), captured.name).toBe(wanted.toString('latin1', 0, 3_000))
    expect(came.equals(wanted), captured.name).toBe(true)
  }
  // All requests used one connection, so each left it usable.
  expect(to.connections()).toBe(1)
})

test('exactly what was captured goes out: also side by side, each on a connection of its own', async () => {
  const { to, sends } = await reached()
  const few = CORPUS.slice(0, 100)
  await Promise.all(few.map((captured) => sends.send(built(captured, to.port))))
  const came = to.requests.map((bytes) => bytes.toString('latin1')).sort()
  expect(came).toEqual(few.map((captured) => expected(captured, to.port).toString('latin1')).sort())
})

test('exactly what was captured goes out: and nothing is added to a list that has no Host, no length and no Connection', async () => {
  const { to, send } = await reached()
  const change = { headers: ['b', '1', 'A', ''] }
  expect(await send(change)).toMatchObject({ error: null })
  expect(to.requests).toEqual([written(outgoing('', change), '/hook?x=1')])
})

test('exactly what was captured goes out: a body is asked for piece by piece, never faster than the target takes it', async () => {
  let asked = 0
  const { to, send } = await reached(undefined, { paused: true })
  const piece = Buffer.alloc(1024 * 1024, 'x')
  const body = {
    size: 64 * piece.length,
    *pieces() {
      for (let i = 0; i < 64; i++) {
        asked += 1
        yield piece
      }
    },
  }
  const sent = send({ body })
  await expect.poll(() => asked).toBeGreaterThan(1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  // No more than the system's buffers took.
  expect(asked).toBeLessThan(40)
  for (const socket of to.sockets) socket.resume()
  expect(await sent).toMatchObject({ error: null })
  expect(to.requests[0]?.length).toBeGreaterThan(body.size)
})

test.each([
  ['/a b', 'path', 'U+0020'],
  ['/a\r\nX: y', 'path', 'U+000D'],
  ['/日', 'path', 'U+65E5'],
  ['/\ud83c\udf89', 'path', 'U+1F389'],
])('a path %j that no request line can carry is unsendable', async (path, part, character) => {
  const to = await rawTarget()
  const { error, answer } = await sender().send(outgoing(`http://127.0.0.1:${to.port}${path}`))
  expect(error).toMatchObject({ code: 'unsendable', params: { part, character } })
  expect(answer).toBeNull()
  expect(to.connections()).toBe(0)
})

const header = (name: string, value: string) => ({ headers: ['Host', 'x', name, value] })
test.each<[change: Parameters<typeof outgoing>[1], params: object, named: string]>([
  [header('Bad Name', '1'), { part: 'header name', name: 'Bad Name', at: 2 }, '"Bad Name"'],
  [header('', '1'), { part: 'header name', name: '', at: 2 }, '""'],
  [header('X', 'a\r\nInjected: 1'), { part: 'header value', name: 'X', at: 2 }, '"X"'],
  [header('X', '日本'), { part: 'header value', name: 'X', at: 2 }, '"X"'],
  [header('X', 'a\0b'), { part: 'header value', name: 'X', at: 2 }, '"X"'],
  [{ method: 'CONNECT' }, { part: 'method' }, ''],
  [{ method: 'BAD METHOD' }, { part: 'method' }, ''],
  [{ method: '' }, { part: 'method' }, ''],
])('%j is unsendable, and the message says which', async (change, params, named) => {
  const { to, send } = await reached()
  const { error } = await send(change)
  expect(error).toMatchObject({ code: 'unsendable', params, message: expect.stringContaining(named) })
  expect(to.connections()).toBe(0)
})

test.each([
  ['less', () => [Buffer.from('abc')]],
  ['more', () => [Buffer.from('abcde'), Buffer.from('fgh')]],
  [
    'none, for it is gone',
    () => {
      throw new Error('no such delivery')
    },
  ],
])('a body that gives %s than its size is said to be gone', async (_what, pieces) => {
  const { to, send } = await reached()
  const { error, answer } = await send({ body: { size: 5 + 2, pieces } })
  expect(error).toMatchObject({ code: 'delivery-gone' })
  expect(answer).toBeNull()
  expect(to.requests).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { idleAtMost } from '#outbound/answer.ts'
import { NO_CONTENT, rawTarget, text } from './raw-target.ts'
import { outgoing, sender } from './rig.ts'

describe('connections are kept', () => {
  test('and used again, also after a request without a length', async () => {
    const to = await rawTarget()
    const sends = sender()
    const request = outgoing(`http://127.0.0.1:${to.port}/`)
    expect(await sends.send(request)).toMatchObject({ reusedConnection: false, timings: { lookupUs: null } })
    const again = await sends.send({ ...request, method: 'GET' })
    expect(again).toMatchObject({ reusedConnection: true, address: `127.0.0.1:${to.port}` })
    expect(again.timings).toMatchObject({ lookupUs: null, connectUs: null, tlsUs: null })
    expect(again.tookUs).toBeGreaterThan(0)
    expect(to.connections()).toBe(1)
  })

  test('as many as are busy at once', async () => {
    const to = await rawTarget((socket) => setTimeout(() => socket.write(NO_CONTENT), 20))
    const sends = sender()
    const request = outgoing(`http://127.0.0.1:${to.port}/`)
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 16 }, () => sends.send(request)))
    expect(to.connections()).toBe(16)
  })

  test('not for more than about a second of idleness: the target may close them as they are used', async () => {
    const to = await rawTarget()
    const sends = sender()
    const request = outgoing(`http://127.0.0.1:${to.port}/`)
    await sends.send(request)
    await expect.poll(() => to.sockets.size, { timeout: 5_000 }).toBe(0)
    expect(await sends.send(request)).toMatchObject({ error: null, reusedConnection: false })
  })

  test('not after this thread was blocked for longer, before any clock could tell', async () => {
    const to = await rawTarget()
    const sends = sender()
    const request = outgoing(`http://127.0.0.1:${to.port}/`)
    await sends.send(request)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_050)
    expect(await sends.send(request)).toMatchObject({ error: null, reusedConnection: false })
  })

  test.each([
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['Keep-Alive: timeout=0', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n'],
  ])('not when the answer says %s', async (_what, answer) => {
    const to = await rawTarget((socket) => socket.write(text(answer)))
    const sends = sender()
    const request = outgoing(`http://127.0.0.1:${to.port}/`)
    expect(await sends.send(request)).toMatchObject({ error: null })
    expect(await sends.send(request)).toMatchObject({ error: null, reusedConnection: false })
  })

  test.each([
    [[], 1_000],
    [['Keep-Alive', 'timeout=5, max=100'], 1_000],
    [['A', '1', 'keep-alive', 'timeout=1'], 500],
    [['KEEP-ALIVE', 'max=3'], 1_000],
    [['Keep-Alive', 'Timeout=0'], 0],
  ])('with %j for %i ms at most', (headers, ms) => expect(idleAtMost(headers)).toBe(ms))
})

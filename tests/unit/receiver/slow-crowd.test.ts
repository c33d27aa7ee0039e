import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { rig } from './rig.ts'

const EACH = 300

test(`${EACH} slow heads and ${EACH} slow bodies hold up nobody, and each of them is kept when it is cut (reliability, row 16)`, async () => {
  const { capture, port } = await rig({ times: { head: 2_500, bodyIdle: 2_500, body: 2_500, check: 100 } })
  const slow: Socket[] = []
  const ended: Promise<unknown>[] = []
  for (let n = 0; n < EACH * 2; n++) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => socket.destroy())
    socket.resume()
    const head = `POST /slow/${n} HTTP/1.1\r\nHost: a\r\n`
    socket.write(n % 2 ? head : `${head}Content-Length: 1000\r\n\r\n`)
    ended.push(new Promise((resolve) => socket.on('close', resolve)))
    slow.push(socket)
  }
  const drip = setInterval(() => {
    for (const [n, socket] of slow.entries()) if (socket.writable) socket.write(n % 2 ? `X-${n}: y\r\n` : 'x')
  }, 200)
  for (let n = 0; n < 40; n++) {
    const { answers } = await raw({ port }, requestBytes('POST', `/good/${n}`, '{}'))
    expect(answers[0]?.status).toBe(200)
  }
  // The good ones were through while slow ones were still at it: they did not wait for their end.
  expect(capture.deliveries.length).toBeLessThan(40 + EACH * 2)
  await Promise.all(ended)
  clearInterval(drip)
  const kept = await capture.kept(40 + EACH * 2)
  const cut = kept.filter(({ url }) => url.startsWith('/slow'))
  expect(new Set(cut.map(({ malformed }) => malformed))).toEqual(new Set(['timeout']))
  expect(new Set(cut.map(({ url }) => url)).size).toBe(EACH * 2)
})

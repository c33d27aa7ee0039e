import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { createBrowserHost } from '#hosts/browser/server.ts'
import { openLink } from '../../../support/browser-session.ts'
import { EngineDouble, QUIET_STATUS } from '../../../support/engine-double.ts'
import { sharedFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { windowFolder } from '../../../support/window-folder.ts'

const engine = new EngineDouble({ 'status.get': async () => QUIET_STATUS })
const folder = windowFolder(sharedFolder())
const host = createBrowserHost({ engine, rendererDir: folder, port: 0 })
let url: string
let headers: Record<string, string>
let key: string

beforeAll(async () => {
  url = (await host.start()).url
  const opened = await openLink(host.link())
  key = opened.key
  headers = { Origin: opened.origin }
})
afterAll(() => host.close())

const sockets: WebSocket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await until(() => engine.listeners === 0)
})

async function connected() {
  const before = engine.listeners
  const socket = new WebSocket(`${url.replace('http', 'ws')}api/pushes`, ['acuse', key], { headers })
  sockets.push(socket)
  await once(socket, 'open')
  await until(() => engine.listeners > before)
  return socket
}
const next = async (socket: WebSocket) => JSON.parse(String((await once(socket, 'message'))[0]))

test('a window is answered without its key, and pushed to no more when it is gone', async () => {
  const socket = await connected()
  expect(socket.protocol).toBe('acuse')
  expect(engine.listeners).toBe(1)
  socket.terminate()
  await until(() => engine.listeners === 0)
  engine.push('store.reset', { reason: 'retention' })
})

test('a client that talks too much is cut, and the host lives on', async () => {
  const socket = await connected()
  const closed = once(socket, 'close')
  socket.send('x'.repeat(100_000))
  await closed
  const other = await connected()
  const came = next(other)
  engine.push('store.reset', { reason: 'evicted' })
  expect((await came).seq).toBe(1)
})

test('a slow window skips pushes, and sees the gap as soon as it reads on', async () => {
  const socket = await connected()
  const seen: number[] = []
  socket.pause()
  const long = { ...QUIET_STATUS, store: { ...QUIET_STATUS.store, path: 'x'.repeat(200_000) } }
  for (let i = 0; i < 200; i++) engine.push('status.changed', long)
  const gap = new Promise<void>((resolve) => {
    socket.on('message', (data) => {
      const { seq } = JSON.parse(String(data))
      const last = seen.at(-1) ?? 0
      seen.push(seq)
      if (seq > last + 1) resolve()
    })
  })
  socket.resume()
  await gap
  expect(seen.length).toBeLessThan(200)
  expect(seen.at(-1)).toBeGreaterThanOrEqual(201)
})

test('a quiet host still sends an empty message, so that a page can see a broken tunnel', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const socket = await connected()
  const came = once(socket, 'message')
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  expect(String((await came)[0])).toBe('')
})

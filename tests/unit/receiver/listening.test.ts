import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { ReceiverState } from '#contract/status.ts'
import { listenFailure, urlOf } from '#receiver/listen.ts'
import { createReceiver } from '#receiver/receiver.ts'
import { raw } from '../../support/raw-client.ts'
import { RecordingCapture } from '../../support/recording-capture.ts'
import { endpoint, only, rig } from './rig.ts'

function idle() {
  const rules = { ...DEFAULT_SETTINGS.receiver, endpoints: [endpoint()], bodyLimit: 1_024 }
  return createReceiver({ capture: new RecordingCapture(), rules: () => rules, now: () => 1, warn: () => {} })
}

test('a port in use is said with the next free one; the receiver can then take that', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const receiver = idle()
  const state = await receiver.start('127.0.0.1', port)
  if (state.state !== 'failed') throw new Error('it should not listen')
  expect(state.failure).toMatchObject({ code: 'port-in-use', host: '127.0.0.1', port })
  const free = state.failure.nextFreePort ?? 0
  expect(free).toBeGreaterThan(port)
  expect((await receiver.start('127.0.0.1', free)).state).toBe('listening')
  await receiver.stop()
  other.close()
})

test.each([['192.0.2.1'], ['no-such-host.invalid'], ['not an address']])(
  'an address that is not this machine’s (%s) is a bad address',
  async (host) => {
    const state = await idle().start(host, 0)
    expect(state).toMatchObject({
      state: 'failed',
      failure: { code: 'bad-address', host, nextFreePort: null },
    })
  },
)

test('no permission is said as such', async () => {
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' })
  const failure = await listenFailure('127.0.0.1', 80, denied)
  expect(failure.code).toBe('no-permission')
  expect(failure.nextFreePort).toBeGreaterThanOrEqual(1_024)
})

test('addresses make URLs that work on this machine', () => {
  expect(urlOf('127.0.0.1', 4400)).toBe('http://127.0.0.1:4400/')
  expect(urlOf('::1', 4400)).toBe('http://[::1]:4400/')
  expect(urlOf('fe80::1%eth0', 1)).toBe('http://[fe80::1%25eth0]:1/')
  expect(urlOf('0.0.0.0', 1)).toBe('http://127.0.0.1:1/')
  expect(urlOf('::', 1)).toBe('http://[::1]:1/')
})

test('listeners see every state, in order, until they leave', async () => {
  const receiver = idle()
  const seen: ReceiverState['state'][] = []
  const leave = receiver.onState((state) => seen.push(state.state))
  await receiver.start('127.0.0.1', 0)
  await receiver.stop()
  leave()
  await receiver.start('127.0.0.1', 0)
  await receiver.stop()
  expect(seen).toEqual(['starting', 'listening', 'off'])
  expect(receiver.state()).toEqual({ state: 'off' })
})

test('stop finishes what is in flight, closes idle connections, and nothing connects afterwards', async () => {
  const { capture, port, receiver } = await rig({ times: { stop: 3_000 } })
  const quiet = connect(port, '127.0.0.1')
  await once(quiet, 'connect')
  quiet.resume()
  let release = () => {}
  capture.gate = new Promise((resolve) => {
    release = resolve
  })
  const inFlight = raw({ port }, ['POST /f HTTP/1.1\r\nContent-Length: 3\r\n\r\na', 80, 'bc'], { answers: 0 })
  await new Promise((resolve) => setTimeout(resolve, 40))
  const stopping = receiver.stop()
  await once(quiet, 'close')
  release()
  const { answers, closed } = await inFlight
  await stopping
  expect(answers[0]?.status).toBe(200)
  expect(closed).toBe(true)
  expect(only(capture)).toMatchObject({ malformed: null, bodySize: 3 })
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('stop does not wait for ever: what is not done is kept as cut off', async () => {
  const { capture, port, receiver } = await rig({ times: { stop: 80 } })
  const body = raw({ port }, 'POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\na', { answers: 0 })
  const head = raw({ port }, 'POST /h HTTP/1.1\r\nX', { answers: 0 })
  await new Promise((resolve) => setTimeout(resolve, 40))
  await receiver.stop()
  expect(capture.deliveries.map((d) => [d.url, d.malformed, d.answer]).sort()).toEqual([
    ['/b', 'cut-off', null],
    ['/h', 'cut-off', null],
  ])
  await Promise.all([body, head])
})

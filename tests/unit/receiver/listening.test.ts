import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { createCertificates } from '#hosts/certificates.ts'
import { listenFailure, urlOf } from '#receiver/listen.ts'
import { createReceiver } from '#receiver/receiver.ts'
import { takenPort } from '../../support/listening-port.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { RecordingCapture } from '../../support/recording-capture.ts'
import { sharedFolder } from '../../support/temp-folder.ts'
import { endpoint, only, rig } from './rig.ts'

function idle() {
  const rules = { ...DEFAULT_SETTINGS.receiver, endpoints: [endpoint()], bodyLimit: 1_024 }
  return createReceiver({ capture: new RecordingCapture(), rules: () => rules, now: () => 1, warn: () => {} })
}

test('a port in use is said with the next free one; the receiver can then take that', async () => {
  using taken = await takenPort()
  const { port } = taken
  const receiver = idle()
  const state = await receiver.start('127.0.0.1', port)
  if (state.state !== 'failed') throw new Error('it should not listen')
  expect(state.failure).toMatchObject({ code: 'port-in-use', host: '127.0.0.1', port })
  const free = state.failure.nextFreePort ?? 0
  expect(free).toBeGreaterThan(port)
  expect((await receiver.start('127.0.0.1', free)).state).toBe('listening')
  await receiver.stop()
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

test('stop finishes what is in flight, closes idle connections, and nothing connects afterwards', async () => {
  const { capture, port, receiver } = await rig({ times: { stop: 3_000 } })
  const quiet = connect(port, '127.0.0.1')
  await once(quiet, 'connect')
  quiet.resume()
  const release = capture.hold()
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

test('stop waits for a body that goes on, and only shortly for senders that have fallen silent', async () => {
  const { capture, port, receiver } = await rig({ times: { stop: 9_000, stopSilent: 200 } })
  const going = ['POST /g HTTP/1.1\r\nContent-Length: 9\r\n\r\n', ...Array(9).fill(['a', 50]).flat()]
  const sent = [going, ['POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\na'], ['POST /h HTTP/1.1\r\nX']]
  const senders = sent.map((parts) => raw({ port }, parts, { answers: 0 }))
  await new Promise((resolve) => setTimeout(resolve, 40))
  const began = performance.now()
  await receiver.stop()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(capture.deliveries.map((d) => [d.url, d.malformed]).sort()).toEqual([
    ['/b', 'cut-off'],
    ['/g', null],
    ['/h', 'cut-off'],
  ])
  await Promise.all(senders)
})

test('stop does not wait for ever: what is not done is kept as cut off', async () => {
  const { capture, port, receiver } = await rig({ times: { stop: 80 } })
  const body = raw({ port }, 'POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\na', { answers: 0 })
  const head = raw({ port }, 'POST /h HTTP/1.1\r\nX', { answers: 0 })
  await new Promise((resolve) => setTimeout(resolve, 400))
  await receiver.stop()
  expect(capture.deliveries.map((d) => [d.url, d.malformed, d.answer]).sort()).toEqual([
    ['/b', 'cut-off', null],
    ['/h', 'cut-off', null],
  ])
  await Promise.all([body, head])
})

const certificates = createCertificates(sharedFolder())

const bodies = { POST: '{"Event":"factura.created"}', GET: '{ "Event":"dgii.accepted" }\n', PUT: 'ñ\u0000' }

test('the receiver over HTTPS takes what it takes over HTTP: each method byte for byte, and from a sender that closes its half', async () => {
  const { capture, port } = await rig({ certificates })
  for (const [method, body] of Object.entries(bodies)) {
    const endAfter = method === 'GET'
    const sent = requestBytes(method, `/a?m=${method}`, body)
    const { answers } = await raw({ port, secure: true }, sent, { endAfter })
    expect(answers[0]?.status).toBe(200)
    const kept = capture.deliveries.at(-1)
    expect(kept).toMatchObject({ method, url: `/a?m=${method}`, remoteAddress: '127.0.0.1', malformed: null })
    expect(Buffer.from(kept?.body as Uint8Array).toString()).toBe(body)
  }
})

test('the receiver over HTTPS takes what it takes over HTTP: what is no HTTP behind the handshake is kept as it came, and answered 400', async () => {
  const { capture, port } = await rig({ certificates })
  const { answers, closed } = await raw({ port, secure: true }, 'no http at all\r\n\r\n', { answers: 0 })
  expect([answers[0]?.status, closed]).toEqual([400, true])
  expect(only(capture)).toMatchObject({ malformed: 'unparseable' })
  expect(capture.bytes(only(capture).body).toString()).toBe('no http at all\r\n\r\n')
})

test('what comes to the HTTPS port and is no HTTPS: a delivery in the clear is kept with its bytes, and told to use https://', async () => {
  const { capture, port } = await rig({ certificates })
  const sent = requestBytes('POST', '/hooks?x=1', '{"Event":"factura.created"}')
  const { answers, closed } = await raw({ port }, [sent.subarray(0, 30), 20, sent.subarray(30)], {
    answers: 0,
  })
  expect([answers[0]?.status, closed]).toEqual([400, true])
  expect(answers[0]?.body.toString()).toContain('https://')
  const kept = only(capture)
  expect(kept).toMatchObject({ method: 'POST', url: '/hooks?x=1', malformed: 'unparseable' })
  expect(capture.bytes(kept.body).equals(sent)).toBe(true)
  expect((await raw({ port, secure: true }, sent)).answers[0]?.status).toBe(200)
})

test('what comes to the HTTPS port and is no HTTPS: a handshake that fails leaves nothing but a sentence', async () => {
  const { capture, port, warnings } = await rig({ certificates })
  await raw({ port }, '\x16\x03\x01\x00\x05hello', { endAfter: true, answers: 0 }).catch(() => undefined)
  await expect.poll(() => warnings.length).toBe(1)
  expect(warnings[0]).toContain('could not agree on TLS')
  expect(capture.deliveries).toEqual([])
  expect((await raw({ port, secure: true }, requestBytes('POST', '/', '{}'))).answers[0]?.status).toBe(200)
})

test('what comes to the HTTPS port and is no HTTPS: a connection that says nothing does not keep the receiver from stopping', async () => {
  const { receiver, port } = await rig({ certificates })
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  const gone = new Promise((resolve) => socket.once('close', resolve))
  await receiver.stop()
  await gone
  expect(receiver.state()).toEqual({ state: 'off' })
})

test('the state says https:// and whose certificate it is', async () => {
  const { receiver, port } = await rig({ certificates })
  expect(receiver.state()).toMatchObject({
    state: 'listening',
    url: `https://127.0.0.1:${port}/`,
    tls: { source: 'generated', fingerprint: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/) },
  })
})

test('a certificate that cannot be used is a failure with its sentence, and nothing listens', async () => {
  const { receiver } = await rig()
  const state = await receiver.start('127.0.0.1', 0, { certificate: 'generated' })
  expect(state).toMatchObject({ state: 'failed', failure: { code: 'bad-certificate' } })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { createCertificates } from '#hosts/certificates.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { only, rig } from './rig.ts'

const folder = mkdtempSync(join(tmpdir(), 'acuse-tls-'))
const certificates = createCertificates(folder)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bodies = { POST: '{"Event":"factura.created"}', GET: '{ "Event":"dgii.accepted" }\n', PUT: 'ñ\u0000' }

test('the receiver over HTTPS takes what it takes over HTTP: GET, PUT and POST arrive byte for byte with their bodies', async () => {
  const { capture, port } = await rig({ certificates })
  for (const [method, body] of Object.entries(bodies)) {
    const { answers } = await raw({ port, secure: true }, requestBytes(method, `/a?m=${method}`, body))
    expect(answers[0]?.status).toBe(200)
    const kept = capture.deliveries.at(-1)
    expect(kept).toMatchObject({
      method,
      url: `/a?m=${method}`,
      remoteAddress: '127.0.0.1',
      malformed: null,
    })
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

test('the receiver over HTTPS takes what it takes over HTTP: a sender that closes its half after the request still gets its answer', async () => {
  const { port } = await rig({ certificates })
  const { answers } = await raw({ port, secure: true }, requestBytes('POST', '/', '{}'), { endAfter: true })
  expect(answers[0]?.status).toBe(200)
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

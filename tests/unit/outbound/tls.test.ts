import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { bodyOf } from '#core/replay/request.ts'
import { listening } from '../../support/hook-receiver.ts'
import { outgoing, secureTarget, sender, text, trustTheAuthority, written } from './rig.ts'

const BODY = { body: bodyOf(Buffer.from('{"a":"\xff"}', 'latin1')) }

test('TLS: to a trusted certificate, by address and by name', async () => {
  trustTheAuthority()
  const { port, requests, all } = await secureTarget('issued')
  const sends = sender()
  for (const host of ['127.0.0.1', 'localhost']) {
    const outcome = await sends.send(outgoing(`https://${host}:${port}/a?b`, BODY))
    expect(outcome).toMatchObject({ error: null, answer: { status: 204 }, address: `127.0.0.1:${port}` })
    expect(outcome.timings.tlsUs).toBeGreaterThan(0)
    expect(outcome.timings.connectUs).toBeGreaterThan(0)
  }
  expect(all.map((socket) => socket.servername)).toEqual([false, 'localhost'])
  const again = await sends.send(outgoing(`https://localhost:${port}/a?b`, BODY))
  expect(again).toMatchObject({ reusedConnection: true, timings: { tlsUs: null, connectUs: null } })
  expect(requests).toEqual(Array(3).fill(written(outgoing('', BODY), '/a?b')))
})

test.each([
  ['self-signed', 'self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', /is self-signed\. Accept any certificate/],
  ['issued', 'unknown-issuer', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /issuer that this machine does not trust/],
  ['expired', 'expired', 'CERT_HAS_EXPIRED', /has expired\. Renew it/],
  ['other-name', 'wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID', /is for another name/],
])('TLS: a certificate that is %s is explained as %s', async (name, reason, code, words) => {
  if (reason !== 'unknown-issuer') trustTheAuthority()
  const { port, requests } = await secureTarget(name)
  const { error, answer, timings } = await sender().send(outgoing(`https://127.0.0.1:${port}/`))
  expect(error).toMatchObject({ code: 'tls', params: { reason, code, host: '127.0.0.1', port } })
  expect(error?.message).toMatch(words)
  expect(error?.message).toContain(`https://127.0.0.1:${port}`)
  expect({ answer, tlsUs: timings.tlsUs }).toEqual({ answer: null, tlsUs: null })
  expect(requests).toEqual([])
})

test.each(['self-signed', 'issued', 'expired', 'other-name'])('TLS: accepted on demand: %s', async (name) => {
  const { port } = await secureTarget(name)
  const sends = sender()
  const request = outgoing(`https://127.0.0.1:${port}/`)
  expect(await sends.send({ ...request, acceptAnyCertificate: true })).toMatchObject({ error: null })
  // Must not reuse the connection without certificate check.
  expect(await sends.send(request)).toMatchObject({ error: { code: 'tls' } })
})

const speaks = (answer: string) => (socket: Socket) => socket.once('data', () => socket.write(text(answer)))
test.each<[string, (socket: Socket) => unknown, string]>([
  ['speaks HTTP', speaks('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'), 'not-tls'],
  ['speaks another protocol', speaks('SSH-2.0-OpenSSH_9.6\r\n'), 'not-tls'],
  ['hangs up', (socket) => socket.once('data', () => socket.resetAndDestroy()), 'closed'],
])('TLS: a port that %s is told', async (_what, onConnection, reason) => {
  const port = await listening(createServer((socket) => void onConnection(socket.on('error', () => {}))))
  const { error } = await sender().send(outgoing(`https://127.0.0.1:${port}/`))
  expect(error).toMatchObject({ code: 'tls', params: { reason } })
  expect(error?.message.includes('Write http:// instead of https://')).toBe(reason === 'not-tls')
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)('TLS: one that wants a certificate (%s)', async (version) => {
  const versions = { minVersion: version, maxVersion: version }
  const { port } = await secureTarget('self-signed', {
    requestCert: true,
    rejectUnauthorized: true,
    ...versions,
  })
  const request = outgoing(`https://127.0.0.1:${port}/`, { acceptAnyCertificate: true })
  const { error, answer } = await sender().send(request)
  expect(answer).toBeNull()
  expect(['tls', 'connection-closed']).toContain(error?.code)
})

test.each([
  [
    'protocol-version',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    '1.2 or 1.3',
  ],
  ['no-common-cipher', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }, 'cipher'],
] as const)('TLS: a server that we cannot agree with: %s', async (reason, options, words) => {
  const { port } = await secureTarget('self-signed', options)
  const request = outgoing(`https://127.0.0.1:${port}/`, { acceptAnyCertificate: true })
  const { error } = await sender().send(request)
  expect(error).toMatchObject({ code: 'tls', params: { reason }, message: expect.stringContaining(words) })
})

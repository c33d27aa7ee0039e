import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { checkServerIdentity } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { failureOf } from '#sandbox/dispatch/attempt.ts'
import { hookReceiver, listening } from '../../../support/hook-receiver.ts'
import { runningSandbox } from '../../../support/running-sandbox.ts'

// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36525 -subj "/CN=Acuse test receiver"
//   -addext "subjectAltName=IP:127.0.0.1,DNS:localhost"
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../../fixtures/tls', `self-signed-${name}.pem`), 'utf8')
const certificate = fixture('certificate')

/** A receiver behind TLS with a self-signed certificate; closed after the test. */
async function secureReceiver() {
  const bodies: string[] = []
  let connections = 0
  const server = createServer({ key: fixture('key'), cert: certificate }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces).toString())
      response.end()
    })
  })
  server.on('connection', () => connections++)
  return { port: await listening(server), bodies, connections: () => connections }
}

async function emittedTo(url: string) {
  const { client } = await runningSandbox()
  const { body: subscription } = await client.admin('POST', '/subscriptions', { url })
  const { body } = await client.admin('POST', '/emit', { kind: 'factura.created' })
  return { client, subscription, events: body.events, entries: await client.ended(body.run) }
}

describe('a destination behind TLS (Authentication, rule 2)', () => {
  test('with a certificate of no trusted authority gets nothing, once, and the log says what that means', async () => {
    const receiver = await secureReceiver()
    // Loopback under a name that the sandbox does not recognise, so it checks the certificate.
    const { entries, client } = await emittedTo(`https://[::ffff:127.0.0.1]:${receiver.port}/hook`)
    expect(entries).toMatchObject([{ outcome: 'failed', status: null, lost: true, answer: null }])
    expect(entries[0].error).toContain(
      'certificate is not accepted: no authority that this machine trusts has signed it',
    )
    expect(entries[0].error).toContain('self-signed certificate')
    expect(entries[0].error).toContain('NODE_EXTRA_CA_CERTS')
    expect([receiver.bodies, receiver.connections()]).toEqual([[], 1])
    const { body } = await client.admin('POST', '/subscriptions/1/test')
    expect(body).toMatchObject({ outcome: 'failed', error: entries[0].error })
    expect([receiver.bodies, receiver.connections()]).toEqual([[], 2])
  })

  test('on this machine gets the body whoever signed its certificate (a sandbox choice)', async () => {
    const receiver = await secureReceiver()
    const { entries, events, subscription } = await emittedTo(`https://127.0.0.1:${receiver.port}/hook`)
    expect(entries).toMatchObject([{ outcome: 'delivered', status: 200, lost: false, error: null }])
    expect([receiver.bodies, subscription.warnings]).toEqual([[events[0].body], []])
  })

  test('that turns out to speak plain HTTP is told so', async () => {
    const hook = await hookReceiver()
    const { entries } = await emittedTo(`https://127.0.0.1:${hook.port}/`)
    expect(entries).toMatchObject([{ outcome: 'failed', lost: true }])
    expect(entries[0].error).toContain('is it an http:// address?')
    expect(hook.received).toEqual([])
  })

  test('whose certificate is for another name, or is out of date, is told so', () => {
    const error = checkServerIdentity('other.example', new X509Certificate(certificate).toLegacyObject())
    expect(error && failureOf(error)).toMatchObject({
      code: 'certificate',
      message: expect.stringContaining('it is for another name than the one in the address'),
    })
    const expired = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })
    expect(failureOf(expired)).toEqual({
      code: 'certificate',
      message: "the receiver's certificate is not accepted: it has expired (certificate has expired)",
    })
  })
})

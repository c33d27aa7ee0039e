import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { expect, test } from 'vitest'
import { toRefusal } from '#contract/errors.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import { demandCurrent } from '#core/connect/self-test.ts'
import { createCertificates, generatedCertificate } from '#hosts/certificates.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const DAY = 86_400_000
const name = { type: 2, value: 'hooks.example' } as const
const altNames = [name, { type: 7, ip: '192.0.2.7' } as const]
const pair = (from: Date, to: Date) =>
  generate([{ name: 'commonName', value: 'hooks.example' }], {
    ...{ keyType: 'ec', curve: 'P-256', algorithm: 'sha256', notBeforeDate: from, notAfterDate: to },
    extensions: [{ name: 'subjectAltName', altNames }],
  })
const now = Date.now()
const good = await pair(new Date(now - DAY), new Date(now + 90 * DAY))
const other = await pair(new Date(now - DAY), new Date(now + 90 * DAY))

const LOCKED = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----'

async function said(cert: string | null, key: string | null): Promise<string> {
  const folder = tempFolder()
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  if (cert !== null) writeFileSync(files.certificate, cert)
  if (key !== null) writeFileSync(files.key, key)
  return createCertificates(folder)
    .load(files)
    .then(
      ({ info }) => `${info.source} ${info.names.join(' ')}`,
      (error: unknown) => {
        const { code, message, details } = toRefusal(error)
        return `${code} ${details?.path} ${message.replaceAll(`${folder}/`, '')}`
      },
    )
}

test.each([
  ['a pair that belongs together', good.cert, good.private, 'files hooks.example 192.0.2.7'],
  ['a chain, own certificate first', `${good.cert}\n${other.cert}`, good.private, 'files hooks.example'],
  ['a chain in the wrong order', `${other.cert}\n${good.cert}`, good.private, 'must come first'],
  ['a key of another certificate', good.cert, other.private, 'receiver.tls.key key.pem is not the key of'],
  ['no certificate', null, good.private, 'receiver.tls.certificate cert.pem cannot be read: there is no '],
  ['no key file', good.cert, null, 'receiver.tls.key key.pem cannot be read: there is no such file.'],
  ['the key where the certificate belongs', good.private, good.private, 'holds a private key and no certif'],
  ['the certificate where the key belongs', good.cert, good.cert, 'holds no private key in PEM form'],
  ['a certificate that is no PEM', '\x30\x82\x01', good.private, 'holds no certificate in PEM form'],
  ['a key with a passphrase', good.cert, LOCKED, 'protected by a passphrase'],
  ['a damaged certificate', good.cert.replace(/\n.{8}/, '\nAAAAAAAA'), good.private, 'bad-params'],
])('%s', async (_, cert, key, says) => {
  expect(await said(cert, key)).toContain(says)
})

test('one that expired, or is not valid yet, is refused where a person chooses it', async () => {
  const folder = tempFolder()
  const tls: ReceiverTls = { certificate: 'generated' }
  const certificate = await createCertificates(folder).load(tls)
  expect(() => demandCurrent(certificate, now)).not.toThrow()
  expect(() => demandCurrent(certificate, now + 500 * DAY)).toThrow(/expired on \d{4}-\d\d-\d\d/)
  expect(() => demandCurrent(certificate, now - 5 * DAY)).toThrow(/valid from/)
})

test('the generated one stays the same, its file is this user’s alone, and it is for this machine', async () => {
  const folder = tempFolder()
  const first = await createCertificates(folder).load({ certificate: 'generated' })
  const again = await createCertificates(folder).load({ certificate: 'generated' })
  expect(again).toEqual(first)
  expect(first.info.names).toEqual(expect.arrayContaining(['localhost', '127.0.0.1']))
  const file = join(folder, 'receiver-certificate.pem')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(new X509Certificate(first.cert).checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(readFileSync(file, 'utf8')).toContain(first.cert)
})

test('the generated one is renewed before it ends, and where its file is damaged', async () => {
  const folder = tempFolder()
  const first = await generatedCertificate(folder, now)
  expect(await generatedCertificate(folder, now + 300 * DAY)).toEqual(first)
  const renewed = await generatedCertificate(folder, now + 370 * DAY)
  expect(renewed.cert).not.toBe(first.cert)
  writeFileSync(join(folder, 'receiver-certificate.pem'), '-----BEGIN CERTIFICATE-----\nno\n')
  expect((await generatedCertificate(folder, now)).cert).not.toBe(renewed.cert)
})

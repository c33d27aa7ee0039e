import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { AcuseError, messageOf } from '#contract/errors.ts'
import type { ReceiverTls } from '#contract/settings.ts'
import type { CertificateInfo } from '#contract/status.ts'
import { fileTrouble } from '#core/file-trouble.ts'
import type { Certificate, Certificates } from '#core/ports.ts'
import { readIfThere, readOrdinary, writeAtomically } from './atomic-file.ts'

/** Holds both certificate and key, so that a crash cannot leave one without the other. */
const FILE = 'receiver-certificate.pem'
const DAY_MS = 86_400_000
/** Validity. Some senders refuse server certificates with a longer one. */
const LIFE_MS = 397 * DAY_MS
const RENEW_MS = 30 * DAY_MS
/** The validity starts earlier by this time, since a sender's clock may be behind ours. */
const SKEW_MS = DAY_MS

interface Pair {
  readonly cert: string
  readonly key: string
}

/** @returns the generated certificate; makes a new one when it is missing or expires soon. Only this user can read the file. */
export async function generatedCertificate(folder: string, now = Date.now()): Promise<Pair> {
  const path = join(folder, FILE)
  const present = usable(await readIfThere(path), now)
  if (present) return present
  const pair = await make(now)
  await writeAtomically(path, `${pair.key}\n${pair.cert}\n`)
  return pair
}

/** @returns null for invalid content too: the caller replaces the file, which holds nothing of the user's */
function usable(content: string | undefined, now: number): Pair | null {
  const [key] = content?.match(/-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/) ?? []
  const [cert] = content?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/) ?? []
  if (key === undefined || cert === undefined) return null
  try {
    return Date.parse(new X509Certificate(cert).validTo) - now > RENEW_MS ? { cert, key } : null
  } catch {
    return null
  }
}

async function make(now: number): Promise<Pair> {
  // Imported here, since most receivers have no certificate or the user's own.
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'Acuse receiver' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - SKEW_MS),
    notAfterDate: new Date(now - SKEW_MS + LIFE_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: alternativeNames() },
    ],
  })
  return { cert: made.cert.trim(), key: made.private.trim() }
}

/** All names and addresses of this machine. */
function alternativeNames() {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const ips = new Set(['127.0.0.1', '::1', ...addresses.map(({ address }) => address.replace(/%.*$/, ''))])
  const names = new Set(['localhost', hostname().toLowerCase()].filter((name) => /^[a-z0-9.-]+$/.test(name)))
  return [
    ...[...names].map((value) => ({ type: 2 as const, value })),
    ...[...ips].map((ip) => ({ type: 7 as const, ip })),
  ]
}

const CERTIFICATE = 'receiver.tls.certificate'
const KEY = 'receiver.tls.key'

export function createCertificates(folder: string): Certificates {
  return {
    async load(tls: ReceiverTls) {
      if ('key' in tls) return readPair(tls)
      const { cert, key } = await generatedCertificate(folder)
      return { cert, key, info: infoOf(new X509Certificate(cert), 'generated') }
    },
  }
}

async function readPair(files: { readonly certificate: string; readonly key: string }): Promise<Certificate> {
  const [cert, key] = [await read(files.certificate, CERTIFICATE), await read(files.key, KEY)]
  const chain = certificatesIn(cert, files.certificate)
  const secret = keyIn(key, files.key)
  const [own] = chain
  if (!own?.checkPrivateKey(secret))
    throw refused(
      chain.some((one) => one.checkPrivateKey(secret))
        ? `In ${files.certificate} the server's own certificate must come first, and those of its issuers after it. Change their order.`
        : `${files.key} is not the key of the certificate in ${files.certificate}. Give the two that were made together.`,
      KEY,
    )
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw refused(`The certificate and its key cannot be used for TLS (${messageOf(error)}).`, CERTIFICATE)
  }
  return { cert, key, info: infoOf(own, 'files') }
}

async function read(path: string, at: string): Promise<string> {
  try {
    return await readOrdinary(path, 'latin1')
  } catch (error) {
    throw refused(`${path} cannot be read: ${fileTrouble(error)}.`, at)
  }
}

function certificatesIn(content: string, path: string): readonly X509Certificate[] {
  const parts = content.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (parts.length === 0)
    throw refused(
      content.includes('PRIVATE KEY-----')
        ? `${path} holds a private key and no certificate. Give the certificate here, and the key as the key.`
        : `${path} holds no certificate in PEM form ("-----BEGIN CERTIFICATE-----"). Convert it, for instance with openssl x509 or openssl pkcs12.`,
      CERTIFICATE,
    )
  try {
    return parts.map((part) => new X509Certificate(part))
  } catch (error) {
    throw refused(`The certificate in ${path} cannot be read (${messageOf(error)}).`, CERTIFICATE)
  }
}

function keyIn(content: string, path: string): KeyObject {
  if (!content.includes('PRIVATE KEY-----'))
    throw refused(
      `${path} holds no private key in PEM form ("-----BEGIN PRIVATE KEY-----"). Give the key that the certificate was made with.`,
      KEY,
    )
  if (/BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(content))
    throw refused(
      `The key in ${path} is protected by a passphrase. Give one without: openssl pkey -in ${path} -out key.pem`,
      KEY,
    )
  try {
    return createPrivateKey(content)
  } catch (error) {
    throw refused(`The key in ${path} cannot be read (${messageOf(error)}).`, KEY)
  }
}

function infoOf(certificate: X509Certificate, source: CertificateInfo['source']): CertificateInfo {
  return {
    source,
    fingerprint: certificate.fingerprint256,
    names: namesOf(certificate),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
  }
}

/** Reads only subjectAltName, since senders ignore the common name (RFC 9525). */
function namesOf({ subjectAltName = '' }: X509Certificate): readonly string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) => name)
}

const refused = (sentence: string, path: string) => new AcuseError('bad-params', sentence, { path })

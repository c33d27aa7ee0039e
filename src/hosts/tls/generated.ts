import { X509Certificate } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { readIfThere, writeAtomically } from '../atomic-file.ts'

/** Certificate and key in one file of the data folder, so that a crash cannot leave one without the other. */
const FILE = 'receiver-certificate.pem'
const DAY_MS = 86_400_000
/** Longer-lived server certificates are refused by some senders. */
const LIFE_MS = 397 * DAY_MS
/** It is made anew so long before its end. */
const RENEW_MS = 30 * DAY_MS
/** The sender's clock may be behind ours. */
const SKEW_MS = DAY_MS

interface Pair {
  readonly cert: string
  readonly key: string
}

/** The certificate that Acuse made for itself; it is made when there is none, or its end is near. The file is this user's alone. */
export async function generatedCertificate(folder: string, now = Date.now()): Promise<Pair> {
  const path = join(folder, FILE)
  const present = usable(await readIfThere(path), now)
  if (present) return present
  const pair = await make(now)
  await writeAtomically(path, `${pair.key}\n${pair.cert}\n`)
  return pair
}

/** What cannot be read is made anew: nothing of the person's is in it. */
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
  // Loaded only here: most receivers have no certificate, or the user's own.
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

/** Every name that leads to this machine as far as it knows itself. */
function alternativeNames() {
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const ips = new Set(['127.0.0.1', '::1', ...addresses.map(({ address }) => address.replace(/%.*$/, ''))])
  const names = new Set(['localhost', hostname().toLowerCase()].filter((name) => /^[a-z0-9.-]+$/.test(name)))
  return [
    ...[...names].map((value) => ({ type: 2 as const, value })),
    ...[...ips].map((ip) => ({ type: 7 as const, ip })),
  ]
}

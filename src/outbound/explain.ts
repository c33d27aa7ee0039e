import { messageOf } from '#contract/errors.ts'
import type { AttemptError } from '#contract/replay.ts'
import type { TLS_REASONS } from '#contract/values.ts'
import { failure } from '#core/replay/statuses.ts'
import type { Address } from './address.ts'
import type { NamedProxy } from './proxies.ts'

/** Carries an explained failure through interfaces that only pass an Error. */
export class ExplainedError extends Error {
  readonly explained: AttemptError
  constructor(explained: AttemptError) {
    super(explained.message)
    this.name = 'ExplainedError'
    this.explained = explained
  }
}

export type Connecting = 'lookup' | 'connect' | 'tls' | 'tunnel'

/** Explains why connecting failed: what, where, and what to do. `params.reason` has Node's code. */
export function explainConnecting(
  error: Error,
  phase: Connecting,
  address: Address,
  proxy: NamedProxy | null,
): AttemptError {
  if (error instanceof ExplainedError) return error.explained
  if (proxy) {
    const params = { proxy: proxy.name, variable: proxy.variable, reason: codeOf(error) }
    const message = `The proxy ${proxy.name} (${proxy.variable}) could not be used for ${address.origin}: ${phase === 'tls' ? tlsWords(error, codeOf(error)) : wordsOf(error)}. Start or correct it, or name the destination in NO_PROXY.`
    return failure('proxy', message, params)
  }
  if (phase === 'lookup') return explainLookup(error, address)
  if (phase === 'tls') return explainTls(error, codeOf(error), address)
  return explainConnect(error, address)
}

function explainLookup(error: Error, { hostname }: Address): AttemptError {
  const reason = codeOf(error)
  const unknown = ['ENOTFOUND', 'ENODATA', 'EAI_NONAME'].includes(reason)
  const message = unknown
    ? `There is no address for the name ${hostname}. Check its spelling, and that this machine can resolve it.`
    : reason === 'EAI_AGAIN'
      ? `The name ${hostname} could not be looked up just now: no name server answered. Check the network, then try again.`
      : `The name ${hostname} could not be looked up (${wordsOf(error)}). Check its spelling and the network.`
  return failure('name-not-found', message, { host: hostname, reason })
}

const CONNECT_WORDS: Readonly<Record<string, string>> = {
  ETIMEDOUT: 'nothing answered. Check the address and any firewall in between',
  EHOSTUNREACH: 'there is no way to that machine. Check the address and the network',
  EHOSTDOWN: 'that machine does not answer. Check that it is on',
  ENETUNREACH: 'there is no way to that network. Check the network connection',
  ENETDOWN: 'the network is down. Check the network connection',
  EADDRNOTAVAIL: 'the address cannot be connected to from here. Check the address and the port',
  EAFNOSUPPORT: 'this machine has no network of that kind (IPv6?). Give an address that it has',
  EACCES: 'the system does not allow it. Check the address and any firewall on this machine',
  EPERM: 'the system does not allow it. Check any firewall on this machine',
  EMFILE: 'this process has too many files and connections open. Lower the concurrency',
  ENFILE: 'the system has too many files open. Close other programs',
}

function explainConnect(error: Error, { origin, hostname, port }: Address): AttemptError {
  const reason = codeOf(error)
  const params = { host: hostname, port, reason }
  const refused = `Nothing listens at ${origin}: the connection was refused. Start the application, or correct the port.`
  if (reason === 'ECONNREFUSED') return failure('connection-refused', refused, params)
  if (reason === 'ECONNRESET')
    return failure('connection-closed', `${origin} closed the connection at once. Check its log.`, params)
  const words = CONNECT_WORDS[reason] ?? `${wordsOf(error)}. Check the address and the network`
  return failure('connection-failed', `No connection to ${origin}: ${words}.`, params)
}

export type Exchanging = 'send' | 'wait' | 'receive'

export function explainExchange(error: Error, phase: Exchanging, address: Address, kept: boolean) {
  if (error instanceof ExplainedError) return error.explained
  const { origin, hostname, port } = address
  const reason = codeOf(error)
  // With TLS 1.3, a server requests a client certificate only after the handshake.
  if (reason.startsWith('ERR_SSL_')) return explainTls(error, reason, address)
  const params = { host: hostname, port, reason, phase }
  if (reason.startsWith('HPE_')) return notHttp(error, reason, origin, params)
  const when = {
    send: 'before the request was sent whole',
    wait: 'before it answered',
    receive: 'in the middle of its answer',
  }[phase]
  const words = reason === 'ECONNRESET' || reason === 'EPIPE' ? '' : ` (${wordsOf(error)})`
  const doubt =
    phase === 'receive'
      ? 'The part of the answer that arrived is kept'
      : kept
        ? 'The connection was reused from the previous request; the target may or may not have received this one'
        : 'It may or may not have processed the request; check its log'
  return failure('connection-closed', `${origin} closed the connection ${when}${words}. ${doubt}.`, params)
}

/** Content type and version of a TLS record in place of a status line. */
const isTlsRecord = (packet: unknown): boolean =>
  packet instanceof Uint8Array && (packet[0] === 0x15 || packet[0] === 0x16) && packet[1] === 0x03

function notHttp(error: Error, reason: string, origin: string, params: AttemptError['params']): AttemptError {
  const tls = 'rawPacket' in error && isTlsRecord(error.rawPacket)
  const message = tls
    ? `${origin} speaks TLS, not plain HTTP. Write https:// instead of http://.`
    : reason === 'HPE_HEADER_OVERFLOW'
      ? `The answer of ${origin} has more than 1 MiB of headers.`
      : `What ${origin} answered is not HTTP (${error.message}). Check that the port is the application's.`
  return failure('not-http', message, tls ? { ...params, reason: 'tls' } : params)
}

/** Code of Node or the system; of an AggregateError, the code of its first error. */
export function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  const first = error instanceof AggregateError ? error.errors[0] : undefined
  return first instanceof Error ? codeOf(first) : 'unknown'
}

/** Node leaves the message of an AggregateError empty. */
function wordsOf(error: Error): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((one) => messageOf(one)).join('; ')
  return error.message.trim() || codeOf(error)
}

type Reason = (typeof TLS_REASONS)[number]

interface Explained {
  readonly reason: Reason
  readonly words: string
}

/** Advice for errors of the certificate alone. */
const TRUST =
  'Accept any certificate for this target if you know it, or start Acuse with NODE_EXTRA_CA_CERTS naming a file of certificates to trust'
const RENEW = 'Renew it, or accept any certificate for this target if you know it'

const self: Explained = { reason: 'self-signed', words: `is self-signed. ${TRUST}` }
const issuer: Explained = {
  reason: 'unknown-issuer',
  words: `has an issuer that this machine does not trust, or the server does not send its intermediate certificates. ${TRUST}`,
}
const expired: Explained = { reason: 'expired', words: `has expired. ${RENEW}` }

/** Codes of Node and OpenSSL for rejected certificates. */
const CERTIFICATE: Readonly<Record<string, Explained>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: self,
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: 'unknown-issuer',
    words: `leads to an authority that this machine does not trust. ${TRUST}`,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: issuer,
  UNABLE_TO_GET_ISSUER_CERT: issuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: issuer,
  CERT_UNTRUSTED: issuer,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: {
    reason: 'not-yet-valid',
    words: 'is not valid yet. Check the clocks of both machines',
  },
  CERT_REVOKED: { reason: 'revoked', words: 'was revoked. Replace it' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    reason: 'wrong-name',
    words:
      'is for another name. Give the name that it is for, or accept any certificate for this target if you know it',
  },
}

/** Errors of the handshake itself, matched by a part of OpenSSL's code, whose prefix depends on its version. */
const HANDSHAKE: readonly (Explained & { readonly code: RegExp })[] = [
  {
    code: /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_LAYER_FAILURE|INVALID_HEADER/,
    reason: 'not-tls',
    words: 'does not speak TLS at this port. Write http:// instead of https://, or give its TLS port',
  },
  {
    code: /CERTIFICATE_REQUIRED|BAD_CERTIFICATE|ALERT_CERTIFICATE|UNKNOWN_CA/,
    reason: 'client-certificate',
    words: 'asks for a client certificate, which Acuse cannot present. Give an address that does not',
  },
  {
    code: /UNRECOGNIZED_NAME/,
    reason: 'unknown-name',
    words: 'has no certificate for that name. Check the name',
  },
  {
    code: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE/,
    reason: 'protocol-version',
    words: 'speaks no TLS version that is safe to use (1.2 or 1.3). Enable one there',
  },
  {
    code: /HANDSHAKE_FAILURE|NO_SHARED_CIPHER|DH_KEY_TOO_SMALL|EE_KEY_TOO_SMALL|SIGNATURE|CIPHER/,
    reason: 'no-common-cipher',
    words: 'has no cipher or key in common with this machine. Update its TLS settings',
  },
]
const handshakeOf = (error: Error, code: string): Explained | undefined =>
  HANDSHAKE.find((one) => one.code.test(code === 'EPROTO' ? error.message.toUpperCase() : code))

/** Why TLS with a proxy failed, phrased to follow its name; OpenSSL's own messages help no user. */
function tlsWords(error: Error, code: string): string {
  const certificate = CERTIFICATE[code]
  if (certificate) return `its certificate ${certificate.words.split('. ')[0]}`
  const handshake = handshakeOf(error, code)
  return handshake ? `it ${handshake.words.split('. ')[0]}` : error.message.trim()
}

/** Why TLS failed. `params.reason` distinguishes the cases, `params.code` is the code of OpenSSL or Node. */
function explainTls(error: Error, code: string, { origin, hostname, port }: Address): AttemptError {
  const tls = (reason: Reason, message: string) =>
    failure('tls', message, { host: hostname, port, code, reason })
  const certificate = CERTIFICATE[code]
  if (certificate) return tls(certificate.reason, `The certificate of ${origin} ${certificate.words}.`)
  const handshake = handshakeOf(error, code)
  if (handshake) return tls(handshake.reason, `${origin} ${handshake.words}.`)
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return tls(
      'closed',
      `${origin} closed the connection before TLS was agreed on. Check that the port is for https, and the server's log.`,
    )
  if (/^(?:CERT_|UNABLE_TO_|ERR_TLS_CERT|CRL_|INVALID_|PATH_|HOSTNAME_)/.test(code))
    return tls('certificate', `The certificate of ${origin} is not accepted (${error.message}). ${TRUST}.`)
  return tls('handshake', `TLS with ${origin} failed (${error.message.trim()}). Check its log.`)
}

import type { AttemptError } from '#contract/replay.ts'
import type { TLS_REASONS } from '#contract/values.ts'
import { failure } from '#core/replay/statuses.ts'
import type { Address } from './address.ts'

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
export function tlsWords(error: Error, code: string): string {
  const certificate = CERTIFICATE[code]
  if (certificate) return `its certificate ${certificate.words.split('. ')[0]}`
  const handshake = handshakeOf(error, code)
  return handshake ? `it ${handshake.words.split('. ')[0]}` : error.message.trim()
}

/** Why TLS failed. `params.reason` distinguishes the cases, `params.code` is the code of OpenSSL or Node. */
export function explainTls(error: Error, code: string, { origin, hostname, port }: Address): AttemptError {
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

/** What OpenSSL and Node say when a certificate is not accepted, and what the owner of the address can do. */
const CERTIFICATE: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody this machine trusts has signed it',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody this machine trusts has signed it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the receiver does not send its intermediate certificates, or nobody trusted has signed them',
  UNABLE_TO_GET_ISSUER_CERT: 'the receiver does not send all of its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is not trusted on this machine',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name than the one in the address',
}
/** Those that trusting the certificate, or who signed it, would cure. */
const CURED_BY_TRUST = /SELF_SIGNED|UNABLE_TO_/

/**
 * Why an attempt failed, in words: the system's own, and before them what they mean where they are a riddle.
 * @param error as it came from the socket
 */
export function failureWords(error: Error): string {
  // Node leaves the message of an error with several causes empty.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
  const code = 'code' in error ? String(error.code) : ''
  const why = CERTIFICATE[code]
  if (why !== undefined) {
    const cure = CURED_BY_TRUST.test(code)
      ? '; NODE_EXTRA_CA_CERTS names a file of certificates to trust'
      : ''
    return `the receiver's certificate is not accepted: ${why} (${error.message})${cure}`
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return `the receiver does not speak TLS as expected; is it an http:// address? (${error.message.trim()})`
  return error.message
}

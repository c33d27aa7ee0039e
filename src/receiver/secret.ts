import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Two accepted values, each in two encodings: so many comparisons are always made. */
const COMPARISONS = 4

/** Digests of the values that one secret header may carry. */
export interface AcceptedSecret {
  /** Lower case. */
  readonly header: string
  readonly digests: readonly Buffer[]
}

const digest = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/**
 * Prepares the check of a secret header.
 * @param accepted 1 or 2 values; none makes every request fail
 */
export function acceptSecret(header: string, accepted: readonly string[]): AcceptedSecret {
  const digests = accepted.slice(0, COMPARISONS / 2).flatMap((value) => {
    // Senders write a character beyond ASCII as UTF-8 or as latin-1. One beyond latin-1 has no latin-1 form: cutting it to a byte would accept other secrets.
    const latin1 = Buffer.from(value, 'latin1')
    const forms = [Buffer.from(value, 'utf8')]
    if (latin1.toString('latin1') === value) forms.push(latin1)
    return forms.map(digest)
  })
  while (digests.length < COMPARISONS) digests.push(randomBytes(32))
  return { header: header.toLowerCase(), digests }
}

/**
 * Whether every value that came under the header's name is an accepted one, and at least one came (Authentication, rule 1). The work
 * does not depend on where a value differs, nor on how many are accepted (reliability, section 6).
 * @param rawHeaders flat list of names and latin-1 values as received
 */
export function secretMatches(secret: AcceptedSecret, rawHeaders: readonly string[]): boolean {
  let came = 0
  let matching = 0
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length !== secret.header.length || name.toLowerCase() !== secret.header) continue
    came++
    matching += matches(secret, rawHeaders[i + 1] ?? '')
  }
  if (came === 0) matches(secret, '')
  return came > 0 && matching === came
}

function matches(secret: AcceptedSecret, value: string): number {
  const presented = digest(Buffer.from(value, 'latin1'))
  let found = 0
  for (const accepted of secret.digests) found |= Number(timingSafeEqual(presented, accepted))
  return found
}

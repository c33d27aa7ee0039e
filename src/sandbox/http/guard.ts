import type { IncomingMessage } from 'node:http'
import { bearer, sameToken } from '../records/tokens.ts'
import { Refusal } from './refusal.ts'

// The port is free on purpose: behind a tunnel the caller knows us under another one.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i

/**
 * Lets scripts and hosts of this machine use the admin API, and no web page, whatever name it gave to this address.
 * @throws Refusal 403 or 401
 */
export function guardAdmin(request: IncomingMessage, adminToken: string): void {
  const hosts = request.headersDistinct.host ?? []
  if (hosts.length !== 1 || !LOOPBACK.test(hosts[0] ?? ''))
    throw new Refusal(403, 'not-loopback', 'The admin API answers under 127.0.0.1 and localhost only.')
  const site = request.headers['sec-fetch-site']
  if (request.headers.origin !== undefined || (site !== undefined && site !== 'none'))
    throw new Refusal(403, 'browser-refused', 'Web pages may not use the admin API.')
  const token = bearer(request.headers.authorization)
  if (token === undefined || !sameToken(token, adminToken))
    throw new Refusal(401, 'unknown-token', 'Send the admin token as Authorization: Bearer.', {
      'WWW-Authenticate': 'Bearer',
    })
}

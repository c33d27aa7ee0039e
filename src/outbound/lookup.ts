import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopbackName } from '#core/replay/destination.ts'

export interface Resolved {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a name, in the order to try them. Rejects as node:dns does. */
export type Lookup = (hostname: string) => Promise<readonly Resolved[]>

/** @param resolve default: the system's resolver */
export function createLookup(resolve: Lookup = systemLookup): Lookup {
  return async (hostname) => {
    const family = isIP(hostname)
    if (family !== 0) return [{ address: hostname, family: family === 4 ? 4 : 6 }]
    // Names of this machine need no resolver, and many resolvers do not know app.localhost (RFC 6761, 6.3).
    if (isLoopbackName(hostname)) return LOOPBACK
    const found = await resolve(hostname)
    if (found.length === 0)
      throw Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' })
    return found
  }
}

const LOOPBACK: readonly Resolved[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function systemLookup(hostname: string): Promise<readonly Resolved[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

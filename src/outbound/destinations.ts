import { setTimeout } from 'node:timers/promises'
import type { Destinations } from '#core/ports.ts'
import { parseAddress } from './address.ts'
import { createDestinationPolicy } from './destination-policy.ts'
import { createLookup, type Lookup } from './lookup.ts'

/** Maximum wait of a user who saves a target; if the name resolves later, the first attempt reports a refusal. */
const LOOKUP_MS = 2_000

/** Reports refusals before anything is sent. Names that cannot be resolved pass, since a proxy may know them. */
export function createDestinations(
  own: () => { readonly host: string; readonly port: number } | null,
  lookup?: Lookup,
): Destinations {
  const policy = createDestinationPolicy()
  const find = createLookup(lookup)
  const addressesOf = async (hostname: string): Promise<readonly string[]> => {
    const late = setTimeout(LOOKUP_MS, [], { ref: false })
    const found = await Promise.race([find(hostname).catch(() => []), late])
    return found.map(({ address }) => address)
  }
  return {
    async refused(url) {
      const parsed = parseAddress(url)
      if ('error' in parsed) return parsed.error
      const { hostname, port } = parsed.address
      const addresses = await addressesOf(hostname)
      policy.setOwnReceiver(own())
      return policy.checkName(hostname) ?? policy.checkAddresses(hostname, port, addresses)
    },
  }
}

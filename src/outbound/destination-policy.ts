import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { AttemptError } from '#contract/replay.ts'
import type { Destinations } from '#core/ports.ts'
import {
  type AddressRange,
  FORBIDDEN_CLASSES,
  FORBIDDEN_NAMES,
  FORBIDDEN_RANGES,
  type ForbiddenClass,
  isLoopbackName,
  LOOPBACK_RANGES,
} from '#core/replay/destination.ts'
import { failure } from '#core/replay/statuses.ts'
import { parseAddress } from './address.ts'

interface OwnReceiver {
  readonly host: string
  readonly port: number
}

/** Decides by addresses, since a name may resolve differently a moment later. */
export interface DestinationPolicy {
  /** Checks a name before this machine or a proxy resolves it. */
  checkName(hostname: string): AttemptError | null
  /** @param addresses all addresses of the name; one forbidden address forbids the name */
  checkAddresses(hostname: string, port: number, addresses: readonly string[]): AttemptError | null
  setOwnReceiver(receiver: OwnReceiver | null): void
}

const CLASS_WORDS: Readonly<Record<ForbiddenClass, string>> = {
  'link-local': 'a link-local address, where clouds hand out credentials',
  metadata: 'a metadata service of a cloud, which hands out credentials',
  unspecified: 'no address of one machine',
  multicast: 'a multicast address',
  broadcast: 'the broadcast address',
}

/** @param interfaces returns the addresses of this machine */
export function createDestinationPolicy(
  interfaces: () => readonly string[] = machineAddresses,
): DestinationPolicy {
  const forbidden = FORBIDDEN_CLASSES.map(
    (cls) => [cls, blockList(FORBIDDEN_RANGES.filter((range) => range.class === cls))] as const,
  )
  const loopback = blockList(LOOPBACK_RANGES)
  let own: OwnReceiver | null = null

  const refused = (hostname: string, address: string): AttemptError | null => {
    const found = forbidden.find(([, list]) => within(list, address))
    if (found) return forbids(hostname, address, found[0])
    // Loopback targets get the receiver's secret header, so a name like localhost must really be loopback.
    if (!isLoopbackName(hostname) || within(loopback, address)) return null
    const message = `Nothing is sent to ${named(hostname, address)}: a name of this machine must lead to a loopback address.`
    return failure('destination-refused', message, { host: hostname, address, class: 'not-loopback' })
  }

  const isOwn = (address: string, port: number): boolean => {
    if (!own || own.port !== port) return false
    const listening = plain(own.host)
    if (listening === 'localhost') return within(loopback, address)
    if (listening !== '0.0.0.0' && listening !== '::') return listening === plain(address)
    return within(loopback, address) || interfaces().some((one) => plain(one) === plain(address))
  }

  return {
    checkName(hostname) {
      const forbidden = FORBIDDEN_NAMES.has(hostname.toLowerCase().replace(/\.$/, ''))
      return forbidden ? forbids(hostname, hostname, 'metadata') : null
    },
    checkAddresses(hostname, port, addresses) {
      for (const address of addresses) {
        const problem = refused(hostname, address)
        if (problem) return problem
        if (!isOwn(address, port)) continue
        const message = `${named(hostname, address)}, port ${port}, is Acuse's own receiver: what is sent there would come back as a new delivery. Choose another target.`
        return failure('own-receiver', message, { host: hostname, address, port })
      }
      return null
    },
    setOwnReceiver(receiver) {
      own = receiver
    },
  }
}

function forbids(hostname: string, address: string, of: ForbiddenClass): AttemptError {
  const message = `Nothing is sent to ${named(hostname, address)}: it is ${CLASS_WORDS[of]}. Give the address of your own application.`
  return failure('destination-refused', message, { host: hostname, address, class: of })
}

const named = (hostname: string, address: string): string =>
  hostname === address ? address : `${hostname} (${address})`

function blockList(ranges: readonly AddressRange[]): BlockList {
  const list = new BlockList()
  for (const { network, prefix, family } of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** True for an invalid address too: better refused than misread. */
function within(list: BlockList, address: string): boolean {
  const bare = withoutZone(address)
  const family = isIP(bare)
  return family === 0 || list.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

const withoutZone = (address: string): string => address.replace(/%.*$/, '')

/** Normalises an address: shortest form, IPv4-mapped addresses as IPv4. */
function plain(address: string): string {
  const bare = withoutZone(address).toLowerCase()
  if (isIP(bare) !== 6) return bare
  const short = URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) ?? bare
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!mapped) return short
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
}

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

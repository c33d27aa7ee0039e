import { BlockList, isIP } from 'node:net'
import { isLoopbackHost } from '#core/replay/destination.ts'
import type { Address } from './address.ts'

export interface NamedProxy {
  readonly secure: boolean
  readonly hostname: string
  readonly port: number
  /** Value of Proxy-Authorization, or null. */
  readonly authorization: string | null
  /** For messages, without the password. */
  readonly name: string
  /** False for a SOCKS proxy or an invalid URL. */
  readonly usable: boolean
  readonly variable: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Chooses the proxy of a request by HTTP_PROXY, HTTPS_PROXY and NO_PROXY, as curl does; none for loopback destinations. */
export function createProxies(environment: Environment): (address: Address) => NamedProxy | null {
  const plain = proxyOf(environment, 'http_proxy')
  const secure = proxyOf(environment, 'https_proxy')
  const direct = exceptions(environment.no_proxy ?? environment.NO_PROXY ?? '')
  return (address) => {
    const proxy = address.secure ? secure : plain
    return proxy && !isLoopbackHost(address.hostname) && !direct(address) ? proxy : null
  }
}

function proxyOf(environment: Environment, small: string): NamedProxy | null {
  const variable = environment[small] ? small : small.toUpperCase()
  const text = environment[variable]?.trim()
  if (!text) return null
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  const usable = url !== null && url.hostname !== '' && /^https?:$/.test(url.protocol)
  const named = { name: url ? `${url.protocol}//${url.host}` : 'its value', variable }
  if (!url || !usable)
    return { ...named, usable: false, secure: false, hostname: '', port: 0, authorization: null }
  const secure = url.protocol === 'https:'
  const user = `${decoded(url.username)}:${decoded(url.password)}`
  return {
    ...named,
    usable,
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    authorization: user === ':' ? null : `Basic ${Buffer.from(user).toString('base64')}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A password with a bare "%" is used literally.
    return text
  }
}

/** Reads NO_PROXY as curl and Go do: names with their subdomains, addresses, ranges as a.b.c.d/n, each with an optional port, "*": all. */
function exceptions(list: string): (address: Address) => boolean {
  const ranges = new BlockList()
  const names: { readonly name: string; readonly port: number | null }[] = []
  for (const entry of list.toLowerCase().split(/[\s,]+/)) {
    const [network = '', prefix] = entry.split('/')
    const family = isIP(network)
    const most = family === 4 ? 32 : 128
    if (family !== 0 && prefix !== undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= most)
      ranges.addSubnet(network, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
    else if (entry !== '') names.push(exception(entry))
  }
  return ({ hostname, port }) => {
    const host = hostname.toLowerCase().replace(/\.$/, '')
    const family = isIP(host)
    if (family !== 0 && ranges.check(host, family === 4 ? 'ipv4' : 'ipv6')) return true
    return names.some(
      (one) =>
        (one.port === null || one.port === port) &&
        (one.name === '*' || host === one.name || (family === 0 && host.endsWith(`.${one.name}`))),
    )
  }
}

function exception(entry: string): { readonly name: string; readonly port: number | null } {
  if (isIP(entry) === 6) return { name: entry, port: null }
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  const name = host === '*' ? host : host.replace(/^\[|\]$/g, '').replace(/^\*?\./, '')
  return { name, port: port === undefined ? null : Number(port) }
}

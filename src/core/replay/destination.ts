import type { Target } from '#contract/target.ts'

export const FORBIDDEN_CLASSES = ['link-local', 'metadata', 'unspecified', 'multicast', 'broadcast'] as const
export type ForbiddenClass = (typeof FORBIDDEN_CLASSES)[number]

export interface AddressRange {
  readonly family: 'ipv4' | 'ipv6'
  readonly network: string
  readonly prefix: number
}
export interface ForbiddenRange extends AddressRange {
  readonly class: ForbiddenClass
}

type V4 = readonly [number, number, number, number]
interface V4Range {
  readonly class: ForbiddenClass
  readonly network: V4
  readonly prefix: number
}

/** Addresses that answer for the machine or its cloud. Private and loopback addresses are allowed, since only the user can name them. */
const FORBIDDEN_V4: readonly V4Range[] = [
  { class: 'link-local', network: [169, 254, 0, 0], prefix: 16 },
  { class: 'unspecified', network: [0, 0, 0, 0], prefix: 8 },
  { class: 'multicast', network: [224, 0, 0, 0], prefix: 4 },
  { class: 'broadcast', network: [255, 255, 255, 255], prefix: 32 },
  // Alibaba Cloud, Oracle Cloud, Azure.
  { class: 'metadata', network: [100, 100, 100, 200], prefix: 32 },
  { class: 'metadata', network: [192, 0, 0, 192], prefix: 32 },
  { class: 'metadata', network: [168, 63, 129, 16], prefix: 32 },
]

const v6 = (cls: ForbiddenClass, network: string, prefix: number): ForbiddenRange => ({
  class: cls,
  family: 'ipv6',
  network,
  prefix,
})

const FORBIDDEN_V6: readonly ForbiddenRange[] = [
  v6('unspecified', '::', 128),
  v6('link-local', 'fe80::', 10),
  v6('multicast', 'ff00::', 8),
  // AWS, Google Cloud, Scaleway.
  v6('metadata', 'fd00:ec2::254', 128),
  v6('metadata', 'fd20:ce::254', 128),
  v6('metadata', 'fd00:42::42', 128),
]

const hex = (high: number, low: number): string => ((high << 8) | low).toString(16)

/** Forms of IPv6 addresses that embed an IPv4 address, with the length of their prefix. */
const TRANSLATIONS: readonly { readonly bits: number; readonly write: (v4: V4) => string }[] = [
  // Mapped (RFC 4291), compatible, NAT64 (RFC 6052) with its well-known prefix, 6to4 (RFC 3056).
  { bits: 96, write: ([a, b, c, d]) => `::ffff:${hex(a, b)}:${hex(c, d)}` },
  { bits: 96, write: ([a, b, c, d]) => `::${hex(a, b)}:${hex(c, d)}` },
  { bits: 96, write: ([a, b, c, d]) => `64:ff9b::${hex(a, b)}:${hex(c, d)}` },
  { bits: 96, write: ([a, b, c, d]) => `64:ff9b:1::${hex(a, b)}:${hex(c, d)}` },
  { bits: 16, write: ([a, b, c, d]) => `2002:${hex(a, b)}:${hex(c, d)}::` },
]

/** A compatible `::/8` would contain `::1` and all mapped addresses, so "unspecified" is only ::/128 there. */
const translated = ({ class: cls, network, prefix }: V4Range): readonly ForbiddenRange[] =>
  TRANSLATIONS.filter((_, form) => !(cls === 'unspecified' && form === 1)).map(({ bits, write }) =>
    v6(cls, write(network), bits + prefix),
  )

export const FORBIDDEN_RANGES: readonly ForbiddenRange[] = [
  ...FORBIDDEN_V4.map(
    (range): ForbiddenRange => ({ ...range, family: 'ipv4', network: range.network.join('.') }),
  ),
  ...FORBIDDEN_V6,
  ...FORBIDDEN_V4.flatMap(translated),
]

/** Lower-case names of metadata services, checked by name because a proxy would resolve them out of our sight. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

export const LOOPBACK_RANGES: readonly AddressRange[] = [
  { family: 'ipv4', network: '127.0.0.0', prefix: 8 },
  { family: 'ipv6', network: '::1', prefix: 128 },
]

/** Whether the name means this machine (RFC 6761, 6.3); it must resolve to loopback addresses only. */
export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  return name === 'localhost' || name.endsWith('.localhost')
}

/** @param hostname from URL, without brackets; URL normalises every spelling of an IPv4 address to four decimal numbers */
export function isLoopbackHost(hostname: string): boolean {
  return (
    isLoopbackName(hostname) ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname) ||
    hostname === '::1' ||
    /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(hostname)
  )
}

export interface TargetUrl {
  /** Scheme and authority as typed; the whole text when it is not an http URL, so that the attempt reports it. */
  readonly origin: string
  /** Without brackets, in lower case; empty when the text is not a URL. */
  readonly hostname: string
  readonly host: string
  /** Without the query; empty when there is none. */
  readonly path: string
  /** With the "?"; empty when there is none. */
  readonly query: string
}

const PARTS = /^(https?:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i

export function targetUrl(text: string): TargetUrl {
  const [, origin = text.trim(), path = '', query = ''] = PARTS.exec(text.trim()) ?? []
  const parsed = URL.parse(origin)
  return {
    origin,
    hostname: parsed?.hostname.replace(/^\[|\]$/g, '') ?? '',
    host: parsed?.host ?? '',
    path: sendable(path),
    query: sendable(query),
  }
}

/** Percent-encodes characters that a request line cannot contain, as a browser does. */
function sendable(typed: string): string {
  return typed.toWellFormed().replace(/[^\x21-\x7e]/gu, (letter) => encodeURIComponent(letter))
}

/** Builds the URL by the target's policies; the delivery's part is unchanged. @param requestTarget a path, an absolute URL or "*" */
export function outgoingUrl(url: TargetUrl, policy: Pick<Target, 'path' | 'query'>, requestTarget: string) {
  const local = requestTarget.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = local.indexOf('?')
  const cameBy = mark === -1 ? local : local.slice(0, mark)
  const asked = mark === -1 ? '' : local.slice(mark)
  const path = policy.path === 'append' ? joined(url.path, cameBy) : url.path
  const query = policy.query === 'append' ? bothQueries(url.query, asked) : url.query
  return `${url.origin}${path === '' ? '/' : path}${query}`
}

function joined(base: string, path: string): string {
  if (path === '' || path === '*') return base
  return `${base.replace(/\/$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
}

function bothQueries(own: string, asked: string): string {
  if (asked === '' || asked === '?') return own === '' ? asked : own
  return own === '' || own === '?' ? asked : `${own}&${asked.slice(1)}`
}

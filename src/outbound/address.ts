import type { AttemptError } from '#contract/replay.ts'
import { failure } from '#core/replay/statuses.ts'

export interface Address {
  readonly secure: boolean
  /** Without brackets; IPv4 addresses are normalised to four decimal numbers. */
  readonly hostname: string
  readonly port: number
  /** `host` or `host:port` with brackets, as for Host and proxies. */
  readonly authority: string
  /** For messages. */
  readonly origin: string
}

/** Parses scheme and authority only: URL would normalise path and query. URL also ends the authority at a backslash, unlike a reader. */
const PARTS = /^([^:/?#\\]*):\/\/([^/?#\\]*)(.*)$/s
const known = new Map<string, Address>()
const REMEMBERED = 64

/** @param url absolute; path and query are returned unchanged @returns an error `bad-url` or `unsendable` for an unusable URL */
export function parseAddress(url: string): Parsed {
  // Cached, since a job sends to one URL a hundred thousand times.
  if (url !== last.url) last = { url, parsed: parse(url) }
  return last.parsed
}

type Parsed = { readonly address: Address; readonly path: string } | { readonly error: AttemptError }
let last: { readonly url: string; readonly parsed: Parsed } = { url: '', parsed: parse('') }

function parse(url: string): Parsed {
  const [, scheme = '', authority = '', rest = ''] = PARTS.exec(url) ?? []
  const start = `${scheme}://${authority}`
  let address = known.get(start)
  if (!address) {
    const read = readAddress(scheme.toLowerCase(), authority, url)
    if ('code' in read) return { error: read }
    address = read
    if (known.size >= REMEMBERED) known.clear()
    known.set(start, address)
  }
  if (rest.startsWith('\\')) return { error: badUrl(url, 'a backslash cannot begin a path') }
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const at = path.search(/[^\x21-\xff]/)
  if (at === -1) return { address, path }
  const character = `U+${(path.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const message = `The path cannot be sent: ${character} at character ${at + 1} does not fit into a request line. Write it percent-encoded.`
  return { error: failure('unsendable', message, { part: 'path', at: at + 1, character }) }
}

function readAddress(scheme: string, authority: string, url: string): Address | AttemptError {
  if (scheme === '' || authority === '') return badUrl(url, 'it is no absolute http:// or https:// URL')
  if (scheme !== 'http' && scheme !== 'https') return badUrl(url, `"${scheme}:" is not http: or https:`)
  if (authority.includes('@'))
    return badUrl(url, 'user and password do not belong into it; use an Authorization header')
  if (/[^!-~\u0080-\uffff]/.test(authority)) return badUrl(url, 'its host has a blank or a control character')
  const parsed = URL.parse(`${scheme}://${authority}/`)
  if (!parsed || parsed.hostname === '') return badUrl(url, 'its host or its port is not valid')
  const secure = scheme === 'https'
  return {
    secure,
    hostname: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? (secure ? 443 : 80) : Number(parsed.port),
    authority: parsed.host,
    origin: `${scheme}://${parsed.host}`,
  }
}

function badUrl(url: string, why: string): AttemptError {
  const shown = url.length > 200 ? `${url.slice(0, 200)}…` : url
  return failure('bad-url', `Nothing can be sent to ${JSON.stringify(shown)}: ${why}.`, { url: shown, why })
}

import type { Target } from '#contract/target.ts'

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

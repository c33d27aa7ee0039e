import type { IncomingMessage } from 'node:http'

/** What a request must look like before anything else is asked of it. */
export type Guarded =
  | {
      readonly ok: true
      /** The authority under which the browser reached us, lower case: a loopback name with or without a port. */
      readonly host: string
    }
  | { readonly ok: false; readonly reason: string }

// The port is free on purpose: behind an SSH tunnel the browser knows us under another one.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/
// Origin-form only, visible ASCII, not "//": everything else has been a way past somebody's prefix check.
const TARGET = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/

/**
 * Decides on the raw request, before routing, whether it can come from our own page or from the person at this machine
 * (DNS rebinding, cross-site requests, WebSocket hijacking). Holds for every method, every path and the WebSocket alike: checks by
 * path have been bypassed by encoding the path.
 */
export function guard(request: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>): Guarded {
  if (!TARGET.test(request.url ?? '')) return refused('The request target is not a plain path.')

  const hosts = values(request.rawHeaders, 'host')
  const host = hosts[0]?.toLowerCase()
  if (hosts.length !== 1 || host === undefined) return refused('Exactly one Host header is needed.')
  if (!LOOPBACK.test(host))
    return refused('Acuse answers under 127.0.0.1 and localhost only; open the link as it was printed.')

  const origins = values(request.rawHeaders, 'origin')
  if (origins.length > 1 || (origins[0] !== undefined && origins[0].toLowerCase() !== `http://${host}`))
    return refused('Another site may not speak to Acuse.')

  const sites = values(request.rawHeaders, 'sec-fetch-site')
  if (sites.length > 1 || (sites[0] !== undefined && !siteFits(sites[0], request)))
    return refused('Another site may not speak to Acuse; paste the link into the address bar.')
  return { ok: true, host }
}

/** `none` is what a typed or pasted address carries, and only that. */
function siteFits(site: string, request: Pick<IncomingMessage, 'method' | 'rawHeaders'>): boolean {
  if (site === 'same-origin') return true
  const modes = values(request.rawHeaders, 'sec-fetch-mode')
  return site === 'none' && request.method === 'GET' && modes.length === 1 && modes[0] === 'navigate'
}

/** All values of a header, as sent. The joined or first-wins values of `headers` would hide a second one. */
export function values(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
}

const refused = (reason: string): Guarded => ({ ok: false, reason })

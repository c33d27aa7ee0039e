import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type Guarded =
  | {
      readonly ok: true
      /** Origin of our page under the request's Host: a loopback name with any port, or one of the public origins. */
      readonly origin: string
    }
  | { readonly ok: false; readonly reason: string }

// Accepts any port, since an SSH tunnel may use another one than ours.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/
// Origin-form only, visible ASCII, not "//": attackers have used every other form to bypass prefix checks.
const TARGET = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/

/**
 * Decides on the raw request, before routing, whether it can come from our own page or from the user of this machine
 * (DNS rebinding, cross-site requests, WebSocket hijacking). It applies to every method, every path and the WebSocket alike: checks by
 * path have been bypassed by encoding the path. It reads no header of a proxy, such as X-Forwarded-Host: any client can send them.
 * @param publicOrigins HTTPS origins under which a proxy offers the page
 */
export function guard(
  request: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>,
  publicOrigins: readonly string[] = [],
): Guarded {
  if (!TARGET.test(request.url ?? '')) return refused('The request target is not a plain path.')

  const hosts = values(request.rawHeaders, 'host')
  const host = hosts[0]?.toLowerCase()
  if (hosts.length !== 1 || host === undefined) return refused('Exactly one Host header is needed.')
  const origin = LOOPBACK.test(host)
    ? `http://${host}`
    : publicOrigins.find((one) => one === `https://${host}`)
  if (origin === undefined)
    return refused(
      'Acuse answers under 127.0.0.1, localhost and the names of "acuse serve --origin" only; open the link as it was printed.',
    )

  const origins = values(request.rawHeaders, 'origin')
  if (origins.length > 1 || (origins[0] !== undefined && origins[0].toLowerCase() !== origin))
    return refused('Another site may not speak to Acuse.')

  const sites = values(request.rawHeaders, 'sec-fetch-site')
  if (sites.length > 1 || (sites[0] !== undefined && !siteFits(sites[0], request)))
    return refused('Another site may not speak to Acuse.')
  return { ok: true, origin }
}

/**
 * Allows a typed address (`none`), a link on another page, and the file that opens the window: each opens the page in a tab, and a
 * navigation can carry no key. Refuses frames, images, scripts and requests of other sites.
 */
function siteFits(site: string, request: Pick<IncomingMessage, 'method' | 'rawHeaders'>): boolean {
  if (site === 'same-origin') return true
  const only = (name: string, wanted: string) =>
    values(request.rawHeaders, name).length === 1 && values(request.rawHeaders, name)[0] === wanted
  return (
    ['none', 'same-site', 'cross-site'].includes(site) &&
    request.method === 'GET' &&
    only('sec-fetch-mode', 'navigate') &&
    only('sec-fetch-dest', 'document')
  )
}

/** All values of a header, as sent. The joined or first-wins values of `headers` would hide a second one. */
export function values(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name)
}

/** Whether a request has exactly one Authorization header, with this token. */
export function hasToken({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, token: string): boolean {
  const [given, ...others] = values(rawHeaders, 'authorization')
  const [bytes, expected] = [Buffer.from(given ?? ''), Buffer.from(`Bearer ${token}`)]
  return others.length === 0 && bytes.length === expected.length && timingSafeEqual(bytes, expected)
}

const refused = (reason: string): Guarded => ({ ok: false, reason })

import type { WindowFile } from '#hosts/assemble.ts'
import { APP_PAGE, originOf } from './page.ts'

/** What the page may do: run and show our own files, reach nothing. Commands travel over IPC, which no policy governs. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Answers one request of the `app:` scheme: GET of exactly a listed file of our host, else 404 or 405. The path is compared as the URL
 * parser left it, so encoded separators and dots match nothing.
 * @param files of the built window, by path
 */
export function serveFile(
  request: Pick<Request, 'url' | 'method'>,
  files: ReadonlyMap<string, WindowFile>,
): Response {
  const url = URL.parse(request.url)
  const file =
    url && !url.username && originOf(request.url) === APP_PAGE.origin ? files.get(url.pathname) : undefined
  if (!file) return new Response(null, { status: 404, headers: HEADERS })
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { ...HEADERS, allow: 'GET' } })
  return new Response(file.bytes, { headers: { ...HEADERS, 'content-type': file.type } })
}

import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { APP_PAGE, originOf } from './page.ts'

/** URL path -> absolute file. Made once at start from what was built: no request ever becomes a path. */
export type ServedFiles = ReadonlyMap<string, string>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

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

/** Lists the built renderer, without the other host's page and without what has no known type (source maps). */
export function listServedFiles(folder: string): ServedFiles {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`
    if (entry.isFile() && TYPES[extname(file)] && path !== '/index.html') files.set(path, file)
  }
  return files
}

/**
 * Answers one request of the `app:` scheme: GET of exactly a listed file of our host, else 404 or 405. The path is compared as the URL
 * parser left it, so encoded separators and dots match nothing.
 */
export async function serveFile(
  request: Pick<Request, 'url' | 'method'>,
  files: ServedFiles,
): Promise<Response> {
  const url = URL.parse(request.url)
  const file =
    url && !url.username && originOf(request.url) === APP_PAGE.origin ? files.get(url.pathname) : undefined
  if (!file) return new Response(null, { status: 404, headers: HEADERS })
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { ...HEADERS, allow: 'GET' } })
  const body = await readFile(file)
  return new Response(body, { headers: { ...HEADERS, 'content-type': TYPES[extname(file)] ?? '' } })
}

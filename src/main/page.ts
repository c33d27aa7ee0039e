import { join } from 'node:path'
import { contentPolicy, type WindowFile } from '#hosts/window-files.ts'
import type { WindowKind } from './placement.ts'

export interface PageSource {
  readonly url: string
  readonly origin: string
}

export const SCHEME = 'app'
const HOST = 'acuse'
export const APP_PAGE: PageSource = {
  url: `${SCHEME}://${HOST}/electron.html`,
  origin: `${SCHEME}://${HOST}`,
}

export const rendererFolder = (mainFolder: string): string => join(mainFolder, '../renderer')
export const preloadFile = (mainFolder: string): string => join(mainFolder, '../preload/index.cjs')

/** The page to load: the built one, or while `npm run dev` runs the development server's, whose address electron-vite gives. */
export function pageSource(devServer: string | undefined): PageSource {
  if (!devServer) return APP_PAGE
  const { origin } = new URL(devServer)
  return { url: `${origin}/electron.html`, origin }
}

/** Scheme and host of a URL; empty when it is none. `URL.origin` would say "null" for every scheme that is not a web one. */
export function originOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}` : ''
}

export const hashOf = (url: string): string => /#.*/s.exec(url)?.[0] ?? ''

export const windowKind = (hash: string): WindowKind =>
  /^#\/delivery\/\d+$/.test(hash) ? 'delivery' : 'list'

/** The hash of our own page, as a page asks for a window of it; undefined for other addresses, and for what is no link a person could use. */
export function ownPlace(url: string, pageUrl: string): string | undefined {
  const hash = hashOf(url)
  return url === `${pageUrl}${hash}` && url.length <= 40_000 ? hash : undefined
}

const HEADERS = {
  // It reaches nothing: commands travel over IPC, which no policy governs.
  'content-security-policy': contentPolicy("'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Answers one request of the `app:` scheme: GET of exactly a listed file of our host, else 404 or 405. The path is compared as the URL
 * parser left it, so encoded separators and dots match nothing.
 */
export function serveFile(request: Pick<Request, 'url' | 'method'>, files: ReadonlyMap<string, WindowFile>) {
  const url = URL.parse(request.url)
  const file =
    url && !url.username && originOf(request.url) === APP_PAGE.origin ? files.get(url.pathname) : undefined
  if (!file) return new Response(null, { status: 404, headers: HEADERS })
  if (request.method !== 'GET')
    return new Response(null, { status: 405, headers: { ...HEADERS, allow: 'GET' } })
  return new Response(file.bytes, { headers: { ...HEADERS, 'content-type': file.type } })
}

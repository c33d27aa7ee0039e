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

/** The page to load: the built one, or under `npm run dev` that of the development server. @param devServer its address, from electron-vite */
export function pageSource(devServer: string | undefined): PageSource {
  if (!devServer) return APP_PAGE
  const { origin } = new URL(devServer)
  return { url: `${origin}/electron.html`, origin }
}

/** @returns scheme and host of a URL, empty for other text. `URL.origin` is "null" for schemes such as `app:` */
export function originOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.protocol}//${parsed.host}` : ''
}

export const hashOf = (url: string): string => /#.*/s.exec(url)?.[0] ?? ''

export const windowKind = (hash: string): WindowKind =>
  /^#\/delivery\/\d+$/.test(hash) ? 'delivery' : 'list'

/** @returns the hash when the URL is our own page, as in a request for a new window; undefined for other and for overlong URLs */
export function ownPlace(url: string, pageUrl: string): string | undefined {
  const hash = hashOf(url)
  return url === `${pageUrl}${hash}` && url.length <= 40_000 ? hash : undefined
}

const HEADERS = {
  // The page needs no connection: its commands use IPC, to which no policy applies.
  'content-security-policy': contentPolicy("'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Answers one request of the `app:` scheme: GET of a listed file of our host, else 404 or 405. It compares the path in the form that the URL
 * parser gives, so that encoded separators and dots match nothing.
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

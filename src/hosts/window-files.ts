import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

export interface WindowFile {
  readonly bytes: Buffer<ArrayBuffer>
  readonly type: string
}

/** Content security policy of the window: its own files, connections to `connect`, no other origin, no frames. */
export const contentPolicy = (connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Each host has its own page, which names that host's transport; the other page cannot work here. */
export type WindowPage = '/index.html' | '/electron.html'

const PAGES: ReadonlySet<string> = new Set<WindowPage>(['/index.html', '/electron.html'])
/** Files of other types (source maps) are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/**
 * Reads the built window into memory, by URL path. Requests look up this map only, so no request becomes a file path;
 * and a build that replaces the folder meanwhile cannot leave a page with some old and some new files.
 */
export function readWindow(folder: string, page: WindowPage): Map<string, WindowFile> {
  const files = new Map<string, WindowFile>()
  for (const file of list(folder)) {
    const path = `/${relative(folder, file).split(sep).map(encodeURIComponent).join('/')}`
    const type = TYPES[extname(file)]
    if (type !== undefined && (path === page || !PAGES.has(path)))
      files.set(path, { bytes: readFileSync(file), type })
  }
  return files
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    // The window is not built; the caller reports it.
    return []
  }
}

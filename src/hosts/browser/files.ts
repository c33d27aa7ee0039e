import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { AcuseError } from '#contract/errors.ts'

export interface StaticFile {
  readonly bytes: Buffer
  readonly type: string
  readonly cacheControl: string
}

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
/** The page of the Electron host names another transport and would only fail here. */
const NOT_SERVED: ReadonlySet<string> = new Set(['/electron.html'])

/**
 * Reads the built window into memory: what is in the map is what exists, by exact path, so there is no path to resolve and a build that
 * replaces the folder meanwhile cannot leave a page with half of its parts.
 * @param folder the built renderer
 * @throws AcuseError `not-available` when the window was not built
 */
export function readWindow(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const name of list(folder)) {
    const path = `/${name.split(sep).join('/')}`
    const type = TYPES[extname(name)]
    if (type === undefined || NOT_SERVED.has(path)) continue
    files.set(path, { bytes: readFileSync(join(folder, name)), type, cacheControl: caching(path) })
  }
  const index = files.get('/index.html')
  if (!index)
    throw new AcuseError(
      'not-available',
      `The window is not built: there is no index.html in ${folder}. Run "npm run build".`,
    )
  return files.set('/', index)
}

/** The bundler puts a hash of the content into every name under assets/. */
function caching(path: string): string {
  if (path.endsWith('.html')) return 'no-store'
  return path.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'private, no-cache'
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  } catch {
    return []
  }
}

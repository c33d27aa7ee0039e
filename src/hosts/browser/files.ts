import { AcuseError } from '#contract/errors.ts'
import { readWindow, type WindowFile } from '../window-files.ts'

export interface StaticFile extends WindowFile {
  readonly cacheControl: string
}

/** The files that the browser host serves, by exact path. @throws AcuseError `not-available` when the window was not built */
export function staticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const [path, file] of readWindow(folder, '/index.html'))
    files.set(path, { ...file, cacheControl: caching(path) })
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

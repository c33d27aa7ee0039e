import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export interface StartOptions {
  readonly data?: string
  /** A session file to open instead. */
  readonly session?: string
  readonly receiver: { readonly enabled: true; readonly host?: string; readonly port?: number }
}

/** Reads the flags of `acuse serve` that the app shares, such as `npm start -- --data DIR`, and the path of a session; Chromium reads the others. */
export function readOptions(args: readonly string[]): StartOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      data: { type: 'string' },
      'receiver-host': { type: 'string' },
      'receiver-port': { type: 'string' },
    },
  })
  const { data, 'receiver-host': host, 'receiver-port': port } = values
  const given = positionals.find((path) => /\.acuse$/i.test(path))
  const session = given === undefined ? given : pathOf(given)
  return {
    ...(typeof data === 'string' ? { data } : {}),
    ...(session === undefined ? {} : { session }),
    receiver: {
      enabled: true,
      ...(typeof host === 'string' ? { host } : {}),
      ...(typeof port === 'string' && /^\d{1,5}$/.test(port) && Number(port) < 65_536
        ? { port: Number(port) }
        : {}),
    },
  }
}

/** A desktop may give the file of a double click as a URL. A malformed one stays, and opening it names it as a file that is not there. */
function pathOf(given: string): string {
  if (!given.startsWith('file:')) return given
  try {
    return fileURLToPath(given)
  } catch {
    return given
  }
}

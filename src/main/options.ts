import { parseArgs } from 'node:util'

export interface StartOptions {
  readonly data?: string
  readonly receiver: { readonly enabled: true; readonly host?: string; readonly port?: number }
}

/** Reads the flags of `acuse serve` that the app shares, such as `npm start -- --data DIR`; Chromium reads the others. */
export function readOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: {
      data: { type: 'string' },
      'receiver-host': { type: 'string' },
      'receiver-port': { type: 'string' },
    },
  })
  const { data, 'receiver-host': host, 'receiver-port': port } = values
  return {
    ...(typeof data === 'string' ? { data } : {}),
    receiver: {
      enabled: true,
      ...(typeof host === 'string' ? { host } : {}),
      ...(typeof port === 'string' && /^\d{1,5}$/.test(port) && Number(port) < 65_536
        ? { port: Number(port) }
        : {}),
    },
  }
}

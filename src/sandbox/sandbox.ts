import { recordsPath } from './records/open-records.ts'
import { type Sandbox, type SandboxCredentials, startService } from './service.ts'
import { openWorld } from './state/open-world.ts'

export interface SandboxOptions {
  /** SQLite file of the workspace, or ":memory:"; the service's own records stand beside it. Made when it is not there. */
  readonly file: string
  /** Of a workspace that is made; same seed, same data. */
  readonly seed: number
  /** 0 takes a free one. */
  readonly port: number
  readonly host?: string
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** Of Timestamp, such as "-04:00" (sandbox choice: the default). */
  readonly offset?: string
  /** For one delivery (sandbox choice: 10 s). */
  readonly deliveryTimeoutMs?: number
  /** Accepts these again instead of issuing new ones. */
  readonly credentials?: Partial<SandboxCredentials>
  readonly warn?: (message: string) => void
}

/** Sandbox choice: one attempt, ever, and so long for it. */
export const DELIVERY_TIMEOUT_MS = 10_000

/**
 * Starts the sandbox: the invoicing service in small, with its own port and its own file, reached over HTTP only.
 * @throws the system's error when the port or the file cannot be had
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { file, seed, port, host = '127.0.0.1', now = Date.now, offset } = options
  const world = openWorld({ file, seed, now, ...(offset === undefined ? {} : { offset }) })
  return startService(world, {
    ...{ records: recordsPath(file), host, port, now },
    deliveryTimeoutMs: options.deliveryTimeoutMs ?? DELIVERY_TIMEOUT_MS,
    credentials: options.credentials ?? {},
    warn: options.warn ?? (() => {}),
  })
}

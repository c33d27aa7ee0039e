import { join } from 'node:path'
import { z } from 'zod'
import { AcuseError } from '#contract/errors.ts'
import { createSandbox } from '#sandbox/sandbox.ts'
import type { Sandbox } from '#sandbox/service.ts'
import { readIfThere, writeAtomically } from './atomic-file.ts'
import { ensureDataDir } from './data-dir.ts'

/** How to reach the sandbox of a data folder, in the words of the ready line. */
export interface SandboxReady {
  readonly sandbox: string
  readonly admin: string
  readonly apiKey: string
  readonly pluginToken: string
}

const FILE = 'sandbox.json'
const kept = z.object({
  /** Null while none runs. */
  url: z.string().nullable(),
  admin: z.string().min(1),
  apiKey: z.string().min(1),
  pluginToken: z.string().min(1),
})
type Kept = z.infer<typeof kept>

export interface SandboxHostOptions {
  /** Absolute path of the data folder; made when it is not there. */
  readonly folder: string
  /** 0 takes a free one. */
  readonly port: number
  /** Of a workspace that is made; one that is there goes on with its own. */
  readonly seed: number
  warn(message: string): void
}

export interface SandboxHost {
  readonly ready: SandboxReady
  close(): Promise<void>
}

/**
 * Starts the sandbox of a data folder, with the same tokens as last time, and leaves word of it for the commands.
 * @throws AcuseError `in-use` when one runs on the folder already or the port is taken
 */
export async function startSandboxHost({
  folder,
  port,
  seed,
  warn,
}: SandboxHostOptions): Promise<SandboxHost> {
  ensureDataDir(folder)
  const before = await readKept(folder)
  const running = before && (await reached(before))
  if (running)
    throw new AcuseError('in-use', `A sandbox runs on this data folder already, at ${running.sandbox}.`)
  const sandbox = await open(join(folder, 'sandbox.db'), { port, seed, warn }, before)
  const { url, adminToken: admin, apiKey, pluginToken } = sandbox
  const word = (at: string | null) =>
    writeAtomically(
      join(folder, FILE),
      JSON.stringify({ url: at, admin, apiKey, pluginToken } satisfies Kept),
    )
  try {
    await word(url)
  } catch (error) {
    await sandbox.close()
    throw error
  }
  return {
    ready: { sandbox: url, admin, apiKey, pluginToken },
    async close() {
      await sandbox.close()
      await word(null)
    },
  }
}

/** The sandbox that runs on a data folder; undefined when none does. */
export async function runningSandbox(folder: string): Promise<SandboxReady | undefined> {
  const found = await readKept(folder)
  return found && reached(found)
}

function open(
  file: string,
  { port, seed, warn }: Pick<SandboxHostOptions, 'port' | 'seed' | 'warn'>,
  before: Kept | undefined,
): Promise<Sandbox> {
  const credentials = before
    ? { adminToken: before.admin, apiKey: before.apiKey, pluginToken: before.pluginToken }
    : {}
  return createSandbox({ file, seed, port, credentials, warn }).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new AcuseError(
        'in-use',
        `Port ${port} on 127.0.0.1 is in use; port 0 takes a free one for the sandbox.`,
        { port },
      )
    throw error
  })
}

/** Asks it: a process that was killed leaves its word behind. */
async function reached({ url, admin, apiKey, pluginToken }: Kept): Promise<SandboxReady | undefined> {
  if (url === null) return undefined
  try {
    const answer = await fetch(`${url}/_sandbox/`, {
      headers: { Authorization: `Bearer ${admin}` },
      signal: AbortSignal.timeout(5_000),
    })
    await answer.body?.cancel()
    return answer.ok ? { sandbox: url, admin, apiKey, pluginToken } : undefined
  } catch {
    return undefined
  }
}

async function readKept(folder: string): Promise<Kept | undefined> {
  const text = await readIfThere(join(folder, FILE))
  try {
    return text === undefined ? undefined : kept.parse(JSON.parse(text))
  } catch {
    // New tokens are issued then; nothing else stands in the file.
    return undefined
  }
}

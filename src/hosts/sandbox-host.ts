import { join } from 'node:path'
import { refused } from '#contract/errors.ts'
import { systemCode } from '#core/file-trouble.ts'
import { createSandbox, type Sandbox } from '#sandbox/sandbox.ts'
import { ensureDataDir } from './data-dir.ts'
import { leaveWord, readWord, runningSandbox, type SandboxReady, type SandboxWord } from './sandbox-word.ts'

export interface SandboxHostOptions {
  readonly folder: string
  readonly port: number
  /** Seed of a new workspace; an existing one keeps its own. */
  readonly seed: number
  warn(message: string): void
}

export interface SandboxHost {
  readonly ready: SandboxReady
  close(): Promise<void>
}

/** Starts a data folder's sandbox with its former tokens, and writes its address for the commands. @throws AcuseError `in-use` */
export async function startSandboxHost({
  folder,
  port,
  seed,
  warn,
}: SandboxHostOptions): Promise<SandboxHost> {
  ensureDataDir(folder, warn)
  const running = await runningSandbox(folder)
  if (running) throw refused('in-use', 'sandbox-runs', { url: running.sandbox })
  const before = await readWord(folder)
  const sandbox = await open(join(folder, 'sandbox.db'), { port, seed, warn }, before)
  const { url, adminToken: admin, apiKey, pluginToken } = sandbox
  const word = (at: string | null) => leaveWord(folder, { url: at, admin, apiKey, pluginToken })
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

function open(
  file: string,
  { port, seed, warn }: Pick<SandboxHostOptions, 'port' | 'seed' | 'warn'>,
  before: SandboxWord | undefined,
): Promise<Sandbox> {
  const credentials = before
    ? { adminToken: before.admin, apiKey: before.apiKey, pluginToken: before.pluginToken }
    : {}
  return createSandbox({ file, seed, port, credentials, warn }).catch((error: unknown) => {
    if (systemCode(error) === 'EADDRINUSE') throw refused('in-use', 'sandbox-port', { port })
    throw error
  })
}

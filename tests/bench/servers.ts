import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { LEAN } from '#hosts/launch/project.mjs'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { words } from '../support/words.ts'

const ROOT = resolve(import.meta.dirname, '../..')

export type Running = Awaited<ReturnType<typeof start>>

export interface Placement {
  /** CPUs the server and all its threads may use, as taskset takes them; undefined for all. */
  readonly cpus?: string
  /** The cli.js of another build, which reports call `base`. */
  readonly cli?: string
  /** Whether the data folder stays when the server stops. */
  readonly keep?: boolean
}

export const startBare = (placement: Placement = {}) =>
  start('bare node:http', [join(import.meta.dirname, 'targets/bare.ts')], placement, null)
export const startExpress = (placement: Placement = {}) =>
  start('express', [join(import.meta.dirname, 'targets/express.ts')], placement, null)

/** @param installed folder with an npm installation of mockttp, which is no dependency of Acuse */
export const startMockttp = (installed: string, placement: Placement) =>
  start('mockttp', [join(import.meta.dirname, 'targets/mockttp.ts'), installed], placement, null)

/** Starts the built product (ACUSE_CLI names another build) with a fresh data folder under the system's temporary folder. */
export function startAcuse(
  placement: Placement = {},
  dataDir = mkdtempSync(join(tmpdir(), 'acuse-bench-')),
  extra: readonly string[] = ['--ui-port', '0'],
): Promise<Running> {
  const cli = placement.cli || process.env.ACUSE_CLI || 'out/main/cli.js'
  // As `npm run serve` starts it.
  const args = words`${LEAN.flags} ${cli} serve --data ${dataDir} --receiver-port 0 --json ${extra}`
  return start(placement.cli ? 'base' : 'acuse', args, placement, dataDir)
}

export async function clientOf({ dataDir }: Running): Promise<LocalClient> {
  const client = await connectLocal(dataDir ?? '')
  if (!client) throw new Error('the host does not answer on its local socket')
  return client
}

/** @returns a fresh link to the window of a host */
export async function uiLink(host: Running): Promise<string> {
  const client = await clientOf(host)
  const { url } = await client.call('ui.link', {})
  await client.close()
  return url
}

/** Waits until all answered deliveries are filed. @returns the number of stored deliveries */
export async function listed(host: Running): Promise<number> {
  const client = await clientOf(host)
  for (;;) {
    const { stored, unfiled } = (await client.call('status.get', {})).counts
    // Builds of 0.1 file at once and lack this count.
    if (!(unfiled > 0)) {
      await client.close()
      return stored
    }
    await wait(50)
  }
}

export async function judged(host: Running): Promise<void> {
  const client = await clientOf(host)
  while ((await client.call('deliveries.settled', { timeoutMs: 1_000 })).unjudged > 0) await wait(50)
  await client.close()
}

async function start(name: string, args: readonly string[], placement: Placement, dataDir: string | null) {
  const pinned = placement.cpus !== undefined && process.platform === 'linux'
  const command = pinned ? 'taskset' : process.execPath
  const all = pinned ? ['-c', String(placement.cpus), process.execPath, ...args] : [...args]
  const child = spawn(command, all, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...LEAN.env, ...process.env },
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`${name} ended with ${code} before it was ready`)),
    ),
  ])) as [string]
  const ready = JSON.parse(line) as { receiver: string }
  return {
    name,
    url: new URL(ready.receiver),
    child,
    dataDir,
    /** Resident memory in MB, from the kernel. */
    rss: () => residentMb(child.pid),
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
      if (dataDir && !placement.keep) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

const ROOT = resolve(import.meta.dirname, '../..')
/** The built command line; ACUSE_CLI names another one. */
export const CLI = process.env.ACUSE_CLI || join(ROOT, 'out/main/cli.js')

/** Content of the ready lines of `sandbox` and `serve --sandbox`. */
export interface ReadySandbox {
  readonly sandbox: string
  readonly admin: string
  readonly apiKey: string
  readonly pluginToken: string
}

export type RunningHost = Awaited<ReturnType<typeof startHost>>

export interface HostStart {
  /** Default: a fresh folder, removed at the end. */
  readonly dataDir?: string
  /** Arguments in addition to --data, --json and free ports. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Path of another Node. */
  readonly node?: string
}

/** What a command that runs until a signal prints with --json once it is ready. */
interface Ready {
  readonly receiver?: string | null
  readonly metrics?: string | null
  readonly ui?: string | null
  readonly data: string
  readonly sandbox: ReadySandbox | null
}

/**
 * Starts a command of the built command line that runs until a signal, and waits for its ready line.
 * @throws with its stderr when the process ends instead
 */
export async function startedCli(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node?: string,
) {
  const child = spawnCli([command, '--json', ...args], env, node)
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  const exited = exit(child)
  const ended = exited.then((code) => {
    throw new Error(`acuse ${command} ended with ${code}: ${errors}`)
  })
  ended.catch(() => {})
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  const ready: Ready = JSON.parse(line)
  return {
    ready,
    pid: child.pid ?? 0,
    /** Everything on stderr so far. */
    stderr: () => errors,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** @returns the exit code; null when a signal ended the process */
    end(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal)
      return exited
    },
  }
}

/**
 * Starts the built `acuse serve` on free ports and waits for its ready line.
 * @throws with its stderr when the process ends instead
 */
export async function startHost({ dataDir, args = [], env = {}, node }: HostStart = {}) {
  const own = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'acuse-host-')) : undefined
  const folder = dataDir ?? join(own ?? '', 'data')
  const free = ['--receiver-port', '0', ...(args.includes('--no-ui') ? [] : ['--ui-port', '0'])]
  const { ready, pid, stderr, end } = await startedCli(
    ['serve', '--data', folder, ...free, ...args],
    env,
    node,
  )
  const ended = (signal: NodeJS.Signals) =>
    end(signal).finally(() => {
      if (own !== undefined) rmSync(own, { recursive: true, force: true })
    })
  return {
    /** Empty when the port was taken. */
    receiverUrl: ready.receiver ?? '',
    /** A one-time link to the window; empty with --no-ui. */
    uiUrl: ready.ui ?? '',
    dataDir: ready.data,
    sandbox: ready.sandbox,
    pid,
    stderr,
    /** Sends SIGKILL. A folder given as `dataDir` stays. */
    async kill() {
      await ended('SIGKILL')
    },
    /** Sends SIGTERM. @returns the exit code; null when a signal ended the process */
    stop: () => ended('SIGTERM'),
  }
}

export interface CliInput {
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
}
export type CliOutcome = Awaited<ReturnType<typeof outcomeOf>>

export async function runCli(
  args: readonly string[],
  options: CliInput & { readonly node?: string } = {},
): Promise<CliOutcome> {
  const child = spawnCli(args, options.env, options.node)
  // A command that does not read its stdin may have ended before we wrote.
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  return outcomeOf(child)
}

/** @returns a process's exit code, stdout and stderr */
export async function outcomeOf(child: ChildProcess & { stdout: Readable; stderr: Readable }) {
  const [code, stdout, stderr] = await Promise.all([exit(child), text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  node = process.execPath,
): ChildProcessWithoutNullStreams {
  if (!existsSync(CLI)) throw new Error('The command line is not built; run "npm run build" first.')
  const { ACUSE_DATA: _data, ACUSE_SECRET: _secret, ...inherited } = process.env
  return spawn(node, [CLI, ...args], { env: { ...inherited, ...env }, stdio: 'pipe' })
}

async function exit(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'close')
  return code
}

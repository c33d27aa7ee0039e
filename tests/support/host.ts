import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const ROOT = resolve(import.meta.dirname, '../..')
/** The built command line; ACUSE_CLI names another one. */
const CLI = process.env.ACUSE_CLI || join(ROOT, 'out/main/cli.js')

/** As the ready lines of `sandbox` and `serve --sandbox` say. */
export interface ReadySandbox {
  readonly sandbox: string
  readonly admin: string
  readonly apiKey: string
  readonly pluginToken: string
}

export interface RunningHost {
  /** Of the receiver, as the ready line says; empty when its port was taken. */
  readonly receiverUrl: string
  /** A one-time link to the window; empty with --no-ui. */
  readonly uiUrl: string
  readonly dataDir: string
  readonly sandbox: ReadySandbox | null
  readonly pid: number
  /** What it said to the person so far. */
  stderr(): string
  /** SIGKILL. The data stays when its folder was given. */
  kill(): Promise<void>
  /** SIGTERM. @returns the exit code; null when a signal ended it */
  stop(): Promise<number | null>
}

export interface HostStart {
  /** Default: a folder of its own, removed in the end. */
  readonly dataDir?: string
  /** Besides --data, --json and free ports. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What runs it, instead of this Node. */
  readonly node?: string
}

/**
 * Starts the built `acuse serve` on free ports and waits until it says that it is ready.
 * @throws with what it said when it ends instead
 */
export async function startHost({
  dataDir,
  args = [],
  env = {},
  node,
}: HostStart = {}): Promise<RunningHost> {
  const own = dataDir === undefined ? mkdtempSync(join(tmpdir(), 'acuse-host-')) : undefined
  const folder = dataDir ?? join(own ?? '', 'data')
  const child = spawnCli(
    ['serve', '--data', folder, '--receiver-port', '0', '--ui-port', '0', '--json', ...args],
    env,
    node,
  )
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  const exited = exit(child).finally(() => {
    if (own !== undefined) rmSync(own, { recursive: true, force: true })
  })
  const ended = exited.then((code) => {
    throw new Error(`acuse serve ended with ${code}: ${errors}`)
  })
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  const ready = JSON.parse(line)
  return {
    receiverUrl: ready.receiver ?? '',
    uiUrl: ready.ui ?? '',
    dataDir: ready.data,
    sandbox: ready.sandbox,
    pid: child.pid ?? 0,
    stderr: () => errors,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

export interface CliOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function runCli(
  args: readonly string[],
  options: {
    readonly stdin?: string | Buffer
    readonly env?: Readonly<Record<string, string>>
    readonly node?: string
  } = {},
): Promise<CliOutcome> {
  const child = spawnCli(args, options.env, options.node)
  // A command that does not read its stdin may have ended before we wrote.
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
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

async function exit(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  const [code] = await once(child, 'close')
  return code
}

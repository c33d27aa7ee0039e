import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import { AcuseError } from '#contract/errors.ts'
import type { ListenFailure } from '#contract/status.ts'
import { ownFileTrouble } from '#core/file-trouble.ts'
import { openPair, postgresPrograms } from '#log/shared/cluster.ts'
import { listen, listenFailure } from '#receiver/listen.ts'
import { FolderLock } from '#storage/disk/lock.ts'

export interface TrialOptions {
  /** Null: a temporary one, which goes with the trial. */
  readonly folder: string | null
  /** Of the balancer; 0 takes a free one. */
  readonly port: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Command that runs Acuse: the program and its first arguments. */
  readonly command: readonly [program: string, ...args: readonly string[]]
  /** File of the program that guards a server. */
  readonly guard: string
  say(sentence: string): void
}

interface Place {
  readonly url: string
  readonly pid: number
}

export interface Trial {
  readonly balancer: string
  readonly receivers: readonly Place[]
  readonly primary: Place
  readonly standby: Place
  /** URL of the shared log. */
  readonly log: string
  readonly folder: string
  close(): Promise<void>
}

const RECEIVERS = 2
const HOST = '127.0.0.1'

/** Starts a shared log with everything that belongs to it on this machine, to see it work. @throws AcuseError */
export async function startTrial({ folder, port, env, command, guard, say }: TrialOptions): Promise<Trial> {
  await using started = new AsyncDisposableStack()
  const own = folder ?? mkdtempSync(join(tmpdir(), 'acuse-trial-'))
  if (folder === null) started.defer(() => rmSync(own, { recursive: true, force: true, maxRetries: 3 }))
  demandFolder(own)
  const lock = FolderLock.take(join(own, 'acuse.lock'), own)
  started.defer(() => lock.release())
  const receivers: Receiver[] = []
  const balancer = balance(receivers)
  // First, since all else takes seconds.
  const taken = await listen(balancer, HOST, port).catch(async (error) => {
    throw new AcuseError('in-use', whyNot(await listenFailure(HOST, port, error)))
  })
  started.defer(() => void balancer.close())
  const pair = started.use(await openPair({ bin: postgresPrograms(own, env), guard }, own))
  for (let n = 1; n <= RECEIVERS; n++) {
    const receiver = await startReceiver(command, pair.url, join(own, `receiver-${n}`), say)
    started.defer(() => receiver.close())
    receivers.push(receiver)
  }
  const running = started.move()
  return {
    balancer: `http://${HOST}:${taken}/`,
    receivers,
    primary: { url: pair.primary.url, pid: pair.primary.pid },
    standby: { url: pair.standby.url, pid: pair.standby.pid },
    log: pair.url,
    folder: own,
    close: () => running.disposeAsync(),
  }
}

const whyNot = ({ port, message, nextFreePort }: ListenFailure): string =>
  `The balancer cannot use port ${port} (${message}). ${nextFreePort === null ? 'Say another one: --receiver-port PORT' : `Port ${nextFreePort} is free: --receiver-port ${nextFreePort}`}.`

/** Makes the folder of a trial. @throws AcuseError */
function demandFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
    // An earlier trial may have been killed before it made its first server.
    const isOurs =
      existsSync(join(folder, 'one')) ||
      readdirSync(folder).every((name) => /^(acuse|postgres|one)(\..+)?$/.test(name))
    if (!isOurs)
      throw new AcuseError(
        'conflict',
        `${folder} has other files. Say an empty folder, or that of an earlier trial.`,
      )
    // When root starts the trial, the servers run as the user nobody.
    chmodSync(folder, process.getuid?.() === 0 ? 0o755 : 0o700)
  } catch (error) {
    throw error instanceof AcuseError ? error : ownFileTrouble(folder, 'written', error)
  }
}

interface Receiver extends Place {
  close(): Promise<void>
}

async function startReceiver(
  [program, ...args]: TrialOptions['command'],
  log: string,
  folder: string,
  say: (sentence: string) => void,
): Promise<Receiver> {
  const own = ['receive', '--log', log, '--data', folder, '--receiver-port', '0', '--json']
  // Detached: Ctrl-C ends it after the balancer. Its channel ends it when this process is killed.
  const child = spawn(program, [...args, ...own, '--name', folder.split(/[\\/]/).at(-1) ?? ''], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.channel?.unref()
  if (child.stderr) createInterface(child.stderr).on('line', say)
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new AcuseError('not-available', 'A receiver of the trial ended at once.')),
  )
  ended.catch(() => {})
  const [line] = child.stdout ? await Promise.race([once(createInterface(child.stdout), 'line'), ended]) : []
  return { url: String(JSON.parse(line).receiver), pid: child.pid ?? 0, close: () => ends(child) }
}

async function ends(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Passes each connection to the next receiver that takes it. */
function balance(receivers: readonly Place[]): Server {
  let turn = 0
  const pass = (from: Socket, tries: number): void => {
    const { hostname, port } = new URL(receivers[turn++ % receivers.length]?.url ?? `http://${HOST}`)
    const to = connect(Number(port), hostname)
    const next = () => (tries > 1 ? pass(from, tries - 1) : from.destroy())
    to.once('error', next).once('connect', () => {
      to.off('error', next)
      pipeline(from, to, () => {})
      pipeline(to, from, () => {})
    })
  }
  return createServer((from) =>
    pass(
      from.on('error', () => {}),
      receivers.length,
    ),
  )
}

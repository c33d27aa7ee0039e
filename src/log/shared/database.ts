import pg from 'pg'
import { AcuseError, messageOf } from '#contract/errors.ts'

export type SharedClient = pg.Client

const CONNECT_MS = 3_000
/** Longest wait for the answer to a small question: a cut network reports no error. */
export const ANSWER_MS = 5_000

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
 * @param answerMs longest wait for an answer; absent: without end
 * @throws AcuseError `store-failed` with the reason of each host
 */
export async function connectPrimary(url: string, name: string, answerMs?: number): Promise<pg.Client> {
  const reasons: string[] = []
  for (const host of hostsOf(url)) {
    const client = new pg.Client({
      connectionString: host,
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: answerMs,
      keepAlive: true,
    })
    // An idle connection that breaks ends the process without a listener; the next query reports it.
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby')
      if (rows[0]?.standby === false) return client
      reasons.push(`${new URL(host).host} is a standby`)
    } catch (error) {
      reasons.push(`${new URL(host).host}: ${messageOf(error) || codeOf(error)}`)
    }
    end(client)
  }
  throw new AcuseError('store-failed', `The shared log cannot be reached: ${reasons.join('; ')}.`)
}

/** Ends a connection without waiting for the server, which may be gone. */
export function end(client: pg.Client): void {
  client.end().catch(() => {})
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer'

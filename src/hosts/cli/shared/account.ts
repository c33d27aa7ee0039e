import { createHash } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import { headerValue, httpUrl } from '#contract/params.ts'
import { addressProblem } from '#core/connect/reach.ts'
import { checkedText, option } from './command.ts'
import { wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'
import { find, type Things } from './things.ts'

export const CONNECTIONS: Things<Connection> = {
  noun: 'connection',
  needs: '--base-url https://service.example --api-key-env ACUSE_API_KEY',
  all: async (call) => (await call('settings.get', {})).connections,
}

/** Reads where the service is, without a slash at the end, as the routes' own path begins with one. */
export function baseUrlFrom(text: string): string {
  const url = new URL(checkedText(httpUrl, text))
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('Give the address without a query: the routes have their own.')
  return text.replace(/\/+$/, '')
}

/** What to say of an address that carries secrets unprotected beyond this computer; null for none. @param exposed what others can read */
export function plainAddressWarning(address: unknown, exposed: string): string | null {
  if (typeof address !== 'string' || addressProblem(address) !== 'plain') return null
  return `Warning: ${address} is plain HTTP beyond this computer. Everybody on the way can read ${exposed}; use HTTPS.`
}
export const SERVICE_EXPOSED = 'the API key and the documents'
export const RECEIVER_EXPOSED = 'the deliveries and the secret header'

const CREDENTIALS = {
  apiKey: { variable: 'ACUSE_API_KEY', words: 'API key', option: '--api-key-stdin' },
  pluginToken: { variable: 'ACUSE_PLUGIN_TOKEN', words: 'plugin token', option: '--plugin-token-stdin' },
} as const
type Credential = keyof typeof CREDENTIALS

/** The account that a command works with: a connection, or one that is made for this run from an address. */
export interface Account {
  readonly connection: Connection
  /** Saves what is for this run only. Nothing has been changed before. */
  open(): Promise<void>
  /** Takes back what `open` saved. @param keep leaves it, as the work is to be gone on with */
  close(keep: boolean): Promise<void>
}

export const accountOptions = (about: string, otherwise: string) => ({
  connection: option('<name>', about),
  baseUrl: option('<address>', otherwise, baseUrlFrom),
})
interface Named {
  readonly connection?: string | undefined
  readonly baseUrl?: string | undefined
}

/** Judges words and the environment alone. @throws CommandFailure unless the account is named in exactly one way and has a usable credential */
export function checkAccount({ connection, baseUrl }: Named, credential: Credential, env: Terminal['env']) {
  if ((connection === undefined) === (baseUrl === undefined))
    throw wrongUsage('Say with which account: --connection NAME, or --base-url URL.')
  const { variable, words } = CREDENTIALS[credential]
  const value = env[variable]
  if (value && !headerValue.safeParse(value).success)
    throw wrongUsage(
      `${variable}: its value cannot stand in a header; it has a line break, or letters that no header takes.`,
    )
  if (baseUrl !== undefined && !value)
    throw wrongUsage(
      `There is no ${words}: put it into the environment as ${variable}. It never stands on the command line.`,
    )
}

export async function accountOf(
  { call }: Pick<Reached, 'call'>,
  named: Named,
  credential: Credential,
  { env }: Terminal,
): Promise<Account> {
  const { variable, words, option } = CREDENTIALS[credential]
  const given = env[variable]
  const connections = await CONNECTIONS.all(call)
  if (named.baseUrl !== undefined) return accountAt(named.baseUrl, connections, credential, given, call)
  const connection = find(CONNECTIONS, named.connection ?? '', connections)
  if (connection[credential] !== 'none') return { connection, open: async () => {}, close: async () => {} }
  if (!given)
    throw wrongUsage(
      `Connection ${connection.name} has no ${words}: acuse connections set ${connection.name} ${option}, or put it into the environment as ${variable}.`,
    )
  // It lies in this command's environment, not in that of the Acuse that runs: lent for the run.
  const lend = async (value: string | null) => {
    const { name } = connection
    await call('connections.save', {
      previousName: name,
      ...withoutCredentials(connection),
      [credential]: value,
    })
  }
  return { connection, open: () => lend(given), close: () => lend(null) }
}

function accountAt(
  baseUrl: string,
  connections: readonly Connection[],
  credential: Credential,
  given: string | undefined,
  call: Reached['call'],
): Account {
  // The same for the same address, so that a sweep that was paused is found again.
  const digest = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)
  const name = `cli-${credential === 'apiKey' ? 'sync' : 'publish'}-${digest}`
  const settings = { ...withoutCredentials(DEFAULT_CONNECTION), name, baseUrl }
  const previous = connections.some((one) => one.name === name) ? { previousName: name } : {}
  return {
    connection: { ...settings, apiKey: 'none', pluginToken: 'none', [credential]: 'stored' },
    async open() {
      await call('connections.save', { ...previous, ...settings, [credential]: given ?? null })
    },
    async close(keep) {
      if (keep) return
      try {
        const { sweeps } = await call('sweeps.list', { connection: name })
        for (const { id } of sweeps) await call('sweeps.remove', { id })
        await call('connections.remove', { name })
      } catch (error) {
        // Another command has begun with the same address meanwhile, and takes it away in the end.
        if (!(error instanceof AcuseError && error.code === 'conflict')) throw error
      }
    },
  }
}

/** A connection without its credentials, which no command shows. */
export function withoutCredentials<T extends Pick<Connection, Credential>>(
  connection: T,
): Omit<T, Credential> {
  const { apiKey: _key, pluginToken: _token, ...rest } = connection
  return rest
}

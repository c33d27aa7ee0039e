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

/** Parses the service's base URL; drops trailing slashes, since each route's path begins with one. */
export function baseUrlFrom(text: string): string {
  const url = new URL(checkedText(httpUrl, text))
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('Give the address without a query: the routes have their own.')
  return text.replace(/\/+$/, '')
}

/** @returns a warning for a plain-HTTP address on another computer, else null @param exposed the data that others could read */
export function plainAddressWarning(address: unknown, exposed: string): string | null {
  if (typeof address !== 'string' || addressProblem(address) !== 'plain') return null
  return `Warning: ${address} uses plain HTTP beyond this machine. Anyone on the network path can read ${exposed}; use HTTPS.`
}
export const SERVICE_EXPOSED = 'the API key and the documents'
export const RECEIVER_EXPOSED = 'the deliveries and the secret header'

const CREDENTIALS = {
  apiKey: { variable: 'ACUSE_API_KEY', words: 'API key', option: '--api-key-stdin' },
  pluginToken: { variable: 'ACUSE_PLUGIN_TOKEN', words: 'plugin token', option: '--plugin-token-stdin' },
} as const
type Credential = keyof typeof CREDENTIALS

/** Account that a command uses: a saved connection, or a temporary one made from an address. */
export interface Account {
  readonly connection: Connection
  /** Saves the temporary connection or credential. Before this call the settings are unchanged. */
  open(): Promise<void>
  /** Removes what `open` saved. @param keep keeps a temporary connection, so that a later command can resume the work */
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

/** Checks options and environment without opening a store. @throws CommandFailure unless one account and a usable credential are given */
export function checkAccount({ connection, baseUrl }: Named, credential: Credential, env: Terminal['env']) {
  if ((connection === undefined) === (baseUrl === undefined))
    throw wrongUsage('Name the account: --connection NAME, or --base-url URL.')
  const { variable, words } = CREDENTIALS[credential]
  const value = env[variable]
  if (value && !headerValue.safeParse(value).success)
    throw wrongUsage(
      `${variable}: its value is not valid in a header: remove line breaks and letters beyond Latin-1.`,
    )
  if (baseUrl !== undefined && !value)
    throw wrongUsage(
      `There is no ${words}: put it into the environment as ${variable}. It cannot be passed on the command line.`,
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
  // Only this command's environment has the credential, so the running Acuse stores it for the time of the command.
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
  // Derived from the address, so that the next run finds a paused sweep.
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
        // Another command uses the same address and will remove the connection when it ends.
        if (!(error instanceof AcuseError && error.code === 'conflict')) throw error
      }
    },
  }
}

/** Removes the credentials of a connection; no command prints them. */
export function withoutCredentials<T extends Pick<Connection, Credential>>(
  connection: T,
): Omit<T, Credential> {
  const { apiKey: _key, pluginToken: _token, ...rest } = connection
  return rest
}

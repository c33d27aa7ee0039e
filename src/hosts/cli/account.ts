import { createHash } from 'node:crypto'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import { AcuseError } from '#contract/errors.ts'
import { headerValue } from '#contract/params.ts'
import { type ConnectionSettings, knownConnection } from './connection-change.ts'
import { wrongUsage } from './failures.ts'
import type { Reached } from './reach.ts'
import type { Terminal } from './terminal.ts'

/** Which of its two credentials a command needs. */
export type Credential = 'apiKey' | 'pluginToken'

const VARIABLES = { apiKey: 'ACUSE_API_KEY', pluginToken: 'ACUSE_PLUGIN_TOKEN' } as const
const WORDS = { apiKey: 'API key', pluginToken: 'plugin token' } as const
const OPTIONS = { apiKey: '--api-key-stdin', pluginToken: '--plugin-token-stdin' } as const

/** The account that a command works with: a connection, or one that is made for this run from an address. */
export interface Account {
  readonly connection: Connection
  /** Saves what is for this run only. Nothing has been changed before. */
  open(): Promise<void>
  /** Takes back what `open` saved. @param keep leaves it: the work is to be gone on with */
  close(keep: boolean): Promise<void>
}

interface Named {
  readonly connection?: string
  readonly baseUrl?: string
}

/**
 * Looks at words and the environment alone.
 * @throws CommandFailure when an address needs a credential that the environment does not have, or has one that no header takes
 */
export function checkCredential({ baseUrl }: Named, credential: Credential, env: Terminal['env']): void {
  const variable = VARIABLES[credential]
  const value = env[variable]
  if (value && !headerValue.safeParse(value).success)
    throw wrongUsage(
      `${variable}: what it holds cannot stand in a header; it has a line break, or letters that none takes.`,
    )
  if (baseUrl !== undefined && !value)
    throw wrongUsage(
      `There is no ${WORDS[credential]}: put it into the environment as ${variable}. It never stands on the command line.`,
    )
}

/** @throws CommandFailure when there is no such connection, or no credential for it */
export async function accountOf(
  { call }: Pick<Reached, 'call'>,
  named: Named,
  credential: Credential,
  terminal: Terminal,
): Promise<Account> {
  checkCredential(named, credential, terminal.env)
  const given = terminal.env[VARIABLES[credential]]
  const { connections } = await call('settings.get', {})
  if (named.baseUrl !== undefined) {
    const name = nameFor(named.baseUrl, credential)
    const settings: ConnectionSettings = {
      ...withoutCredentials(DEFAULT_CONNECTION),
      name,
      baseUrl: named.baseUrl,
    }
    const present = connections.find((one) => one.name === name)
    return {
      connection: { ...settings, apiKey: 'none', pluginToken: 'none', [credential]: 'stored' },
      async open() {
        await call('connections.save', {
          ...(present === undefined ? {} : { previousName: name }),
          ...settings,
          [credential]: given ?? null,
        })
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
  const connection = knownConnection(named.connection ?? '', connections)
  if (connection[credential] !== 'none') return { connection, open: async () => {}, close: async () => {} }
  if (!given)
    throw wrongUsage(
      `Connection ${connection.name} has no ${WORDS[credential]}: acuse connections set ${connection.name} ${OPTIONS[credential]}, or put it into the environment as ${VARIABLES[credential]}.`,
    )
  // It lies in this command's environment, not in that of the Acuse that runs: lent for the run.
  const lend = async (value: string | null) => {
    const { name } = connection
    await call('connections.save', {
      previousName: name,
      ...withoutCredentials(connection),
      name,
      [credential]: value,
    })
  }
  return {
    connection,
    open: () => lend(given),
    close: () => lend(null),
  }
}

/** The same for the same address, so that a sweep that was paused is found again. */
function nameFor(baseUrl: string, credential: Credential): string {
  const digest = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12)
  return `cli-${credential === 'apiKey' ? 'sync' : 'publish'}-${digest}`
}

function withoutCredentials<T extends Pick<Connection, Credential>>(connection: T): Omit<T, Credential> {
  const { apiKey: _key, pluginToken: _token, ...rest } = connection
  return rest
}

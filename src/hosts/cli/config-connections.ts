import { z } from 'zod'
import type { Connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Step } from './config-paths.ts'
import { checked } from './config-step.ts'
import { wrongUsage } from './failures.ts'

/** Where `config get` says that a credential lies, or the variable that it is to be taken from. */
const credential = z.union([
  z.enum(['none', 'stored', 'environment']),
  z.strictObject({ fromEnv: z.string().min(1) }),
])
/** A connection in a configuration file: as `config get` prints it, or parts of it. */
export const fileConnection = z.strictObject({
  name: z.string(),
  baseUrl: z.unknown().optional(),
  endpoints: z.unknown().optional(),
  kinds: z.unknown().optional(),
  zone: z.unknown().optional(),
  apiKey: credential.optional(),
  pluginToken: credential.optional(),
  pluginHeader: z.record(z.string(), z.unknown()).optional(),
  timeouts: z.record(z.string(), z.unknown()).optional(),
  proxy: z.unknown().optional(),
  acceptAnyCertificate: z.unknown().optional(),
  mapping: z.unknown().optional(),
  documentTypes: z.unknown().optional(),
  documentTypesComplete: z.unknown().optional(),
  notYetDue: z.record(z.string(), z.unknown()).optional(),
  ignoredFields: z.unknown().optional(),
})
type FileConnection = z.infer<typeof fileConnection>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a configuration file asks of the connections. Those that it does not name stay.
 * @throws CommandFailure saying where the file is wrong, or which variable a credential is set by
 */
export function connectionSteps(
  connections: readonly FileConnection[],
  settings: Settings,
  env: Environment,
): readonly Step[] {
  return connections.map((wanted, i) => {
    const at = `connections.${i}`
    const old = settings.connections.find(({ name }) => name === wanted.name)
    if (!old && wanted.baseUrl === undefined)
      throw wrongUsage(`${at}: there is no connection named "${wanted.name}"; give a baseUrl to make it.`)
    const { apiKey: _, pluginToken: __, ...base } = old ?? { ...DEFAULT_CONNECTION, name: '', baseUrl: '' }
    const { apiKey, pluginToken, ...rest } = wanted
    const next = {
      ...base,
      ...rest,
      pluginHeader: { ...base.pluginHeader, ...wanted.pluginHeader },
      timeouts: { ...base.timeouts, ...wanted.timeouts },
      notYetDue: { ...base.notYetDue, ...wanted.notYetDue },
      ...credentialFrom('apiKey', apiKey, old, at, env),
      ...credentialFrom('pluginToken', pluginToken, old, at, env),
    }
    return checked(
      'connections.save',
      old ? { previousName: old.name, ...next } : next,
      at,
      `connection ${wanted.name} ${old ? 'changed' : 'made'}`,
    )
  })
}

function credentialFrom(
  member: 'apiKey' | 'pluginToken',
  given: FileConnection['apiKey'],
  old: Connection | undefined,
  at: string,
  env: Environment,
): { readonly [M in 'apiKey' | 'pluginToken']?: string | null } {
  if (given === undefined || given === 'environment' || given === old?.[member]) return {}
  // What it has from the environment is not stored, so that there is nothing to forget.
  if (given === 'none') return old?.[member] === 'stored' ? { [member]: null } : {}
  if (given === 'stored')
    throw wrongUsage(
      `${at}.${member}: nothing is stored here yet. Give it as {"fromEnv": "NAME"}: a credential does not stand in a file.`,
    )
  const value = env[given.fromEnv]
  if (!value) throw wrongUsage(`${at}.${member}: the environment has no ${given.fromEnv}.`)
  return { [member]: value }
}

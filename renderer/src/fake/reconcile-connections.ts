import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { scanJson } from '#core/json/scan.ts'
import { mappingOf } from '#core/reconcile/item.ts'
import { documentAt } from './reconcile-world.ts'

const DAY_MS = 24 * 3_600_000

export type ConnectionName = 'connections.save' | 'connections.remove' | 'connections.test'
type Handlers = { readonly [C in ConnectionName]: (params: Params<C>) => Result<C> }

/** What the fake host lends. */
export interface ConnectionsHost {
  settings: Settings
}

/** @throws AcuseError `not-found` */
export function connectionOf({ settings }: ConnectionsHost, name: string): Connection {
  const found = settings.connections.find((one) => one.name === name)
  if (!found) throw new AcuseError('not-found', `There is no connection named "${name}".`)
  return found
}

export function withConnections(host: ConnectionsHost, connections: readonly Connection[]): Settings {
  host.settings = { ...host.settings, connections }
  return host.settings
}

/** Connections in the settings; credentials are known to be there or not, and never asked of anybody. */
export const connectionHandlers = (host: ConnectionsHost): Handlers => ({
  'connections.save': ({ previousName, apiKey, pluginToken, ...rest }) => {
    const { connections } = host.settings
    if (connections.some(({ name }) => name === rest.name && name !== previousName))
      throw new AcuseError('conflict', `There is already a connection named "${rest.name}".`, {
        path: 'name',
      })
    const before = connections.find(({ name }) => name === previousName)
    const place = (given: string | null | undefined, present: Connection['apiKey'] | undefined) =>
      given === undefined ? (present ?? 'none') : given === null ? 'none' : 'stored'
    const saved: Connection = {
      ...rest,
      apiKey: place(apiKey, before?.apiKey),
      pluginToken: place(pluginToken, before?.pluginToken),
    }
    return withConnections(
      host,
      before ? connections.map((one) => (one === before ? saved : one)) : [...connections, saved],
    )
  },
  'connections.remove': ({ name }) => {
    const { schedules } = host.settings
    host.settings = {
      ...host.settings,
      schedules: schedules.filter((one) => one.connection !== name),
    }
    return withConnections(
      host,
      host.settings.connections.filter((one) => one.name !== name),
    )
  },
  'connections.test': ({ name }) => {
    if (connectionOf(host, name).apiKey === 'none')
      return {
        ...{ ok: false, status: 401, items: null, mapping: null },
        message: 'The API key is missing or unknown to the service.',
        sample: '{"error":{"code":"unauthorised","message":"missing X-Api-Key"}}',
      }
    const sample = documentAt(11, 1_000, Date.now() - DAY_MS, true).itemText ?? ''
    const tree = scanJson(sample)
    return {
      ...{ ok: true, status: 200, items: 1, sample },
      message: 'One item came, and its values were found.',
      mapping: 'problem' in tree ? null : mappingOf(tree, 0),
    }
  },
})

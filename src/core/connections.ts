import { ACCOUNTING_FIELDS } from '#catalog/fields.ts'
import { ROUTES } from '#catalog/service.ts'
import type { Params } from '#contract/commands.ts'
import {
  type Connection,
  type CredentialPlace,
  connection as connectionSchema,
  type GivenConnection,
} from '#contract/connection.ts'
import { type AcuseError, badParam } from '#contract/errors.ts'
import type { Schedule } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { Book } from './book.ts'
import type { Secrets, SettingsStore } from './ports.ts'

/** A connection with its credentials; never leaves the process. */
export interface ResolvedConnection extends Connection {
  readonly secrets: { readonly apiKey: string | null; readonly pluginToken: string | null }
}

const CREDENTIALS = ['apiKey', 'pluginToken'] as const
type Credential = (typeof CREDENTIALS)[number]
/** Environment variables used when a connection has no stored credential. */
const VARIABLES: Readonly<Record<Credential, string>> = {
  apiKey: 'ACUSE_API_KEY',
  pluginToken: 'ACUSE_PLUGIN_TOKEN',
}
const keyOf = (connection: string, credential: Credential) => `connection:${connection}:${credential}`

type Environment = Readonly<Record<string, string | undefined>>

export class ConnectionBook extends Book<Connection, ResolvedConnection> {
  readonly #environment: Environment

  constructor(settings: SettingsStore, secrets: Secrets, environment: Environment) {
    super('connection', settings, secrets)
    this.#environment = environment
  }

  /** @throws AcuseError `not-found` */
  find(name: string): ResolvedConnection {
    return this.named(this.all(), name, 'connection')
  }

  /** Adds to the settings where each connection's credentials come from, which depends on this process's environment. */
  shown(settings: Settings): Settings {
    const places = new Map(this.all().map(({ name, apiKey, pluginToken }) => [name, { apiKey, pluginToken }]))
    return {
      ...settings,
      connections: settings.connections.map((one) => ({ ...one, ...places.get(one.name) })),
    }
  }

  /** @throws AcuseError `conflict` for a name in use, `bad-params` for invalid values */
  async save({
    previousName,
    apiKey,
    pluginToken,
    ...wanted
  }: Params<'connections.save'>): Promise<Settings> {
    const { endpoints } = this.settings.get()
    const present = previousName === undefined ? undefined : this.find(previousName)
    this.demandFree(wanted.name, present)
    // A removed endpoint may still have deliveries, so a connection may keep naming it.
    const known = new Set([...endpoints.map(({ name }) => name), ...(present?.endpoints ?? [])])
    wanted.endpoints.forEach((name, index) => {
      if (!known.has(name)) throw unknownEndpoint(name, index, [...known])
    })
    const kept = (given: string | null | undefined, credential: Credential): string | null =>
      given === undefined ? (present?.[credential] === 'stored' ? present.secrets[credential] : null) : given
    const values = { apiKey: kept(apiKey, 'apiKey'), pluginToken: kept(pluginToken, 'pluginToken') }
    const place = (value: string | null): CredentialPlace => (value === null ? 'none' : 'stored')
    if (wanted.documentTypesComplete && wanted.documentTypes.length === 0)
      throw badParam(
        'documentTypesComplete',
        'documentTypesComplete: the connection lists no document types; list all that the service has, or do not call the list complete.',
      )
    const saved: Connection = {
      ...wanted,
      baseUrl: baseOf(wanted.baseUrl),
      ignoredFields: wanted.ignoredFields.map(knownField),
      apiKey: place(values.apiKey),
      pluginToken: place(values.pluginToken),
    }
    // New values first: a crash in between leaves a spare copy, never a connection without its key.
    for (const credential of CREDENTIALS)
      await this.secrets.set(keyOf(saved.name, credential), values[credential] ?? undefined)
    const settings = await this.#store(
      (list) => (present ? list.map((one) => (one.name === present.name ? saved : one)) : [...list, saved]),
      (schedules) =>
        schedules.map((one) => (one.connection === present?.name ? { ...one, connection: saved.name } : one)),
    )
    if (present && present.name !== saved.name) await this.#forget(present.name)
    return settings
  }

  /**
   * The connection under which to keep the sweeps of one in a session file, with another name where a different one has its name. It may
   * name endpoints that are not here. @param known the name of the one that has such sweeps already
   */
  async adopt(theirs: Connection, known: string | null): Promise<Connection> {
    const { connections } = this.settings.get()
    // Members in the order of the schema.
    const text = (one: Connection) => JSON.stringify(connectionSchema.parse({ ...one, name: theirs.name }))
    const found = connections.find((one) =>
      known === null ? text(one) === text(theirs) : one.name === known,
    )
    if (found) return found
    let name = known ?? theirs.name
    for (let n = 2; connections.some((one) => one.name === name); n++)
      name = `${theirs.name.slice(0, 55)}-${n}`
    const added = { ...theirs, name }
    await this.#store(
      (list) => [...list, added],
      (schedules) => schedules,
    )
    return added
  }

  /** @returns the given connection with the credentials that it would have once saved */
  filled({ previousName, ...given }: GivenConnection): GivenConnection {
    const present = previousName === undefined ? undefined : this.find(previousName)
    const value = (credential: Credential) =>
      (given[credential] === undefined ? present?.secrets[credential] : given[credential]) ??
      this.#environment[VARIABLES[credential]] ??
      null
    const baseUrl = baseOf(given.baseUrl)
    return { ...given, baseUrl, apiKey: value('apiKey'), pluginToken: value('pluginToken') }
  }

  async remove(name: string): Promise<Settings> {
    this.find(name)
    const settings = await this.#store(
      (list) => list.filter((one) => one.name !== name),
      (schedules) => schedules.filter(({ connection }) => connection !== name),
    )
    await this.#forget(name)
    return settings
  }

  protected kept(): readonly Connection[] {
    return this.settings.get().connections
  }

  protected async resolve(connection: Connection): Promise<ResolvedConnection> {
    const stored = await Promise.all(
      CREDENTIALS.map((credential) => this.secrets.get(keyOf(connection.name, credential))),
    )
    const found = CREDENTIALS.map((credential, i): [CredentialPlace, string | null] => {
      const own = stored[i]
      if (own !== undefined) return ['stored', own]
      const shared = this.#environment[VARIABLES[credential]]
      return shared ? ['environment', shared] : ['none', null]
    })
    const [[apiKey, key] = NONE, [pluginToken, token] = NONE] = found
    return { ...connection, apiKey, pluginToken, secrets: { apiKey: key, pluginToken: token } }
  }

  /** Saves the schedules in the same write, since they follow their connection. */
  #store(
    change: (connections: readonly Connection[]) => readonly Connection[],
    follow: (schedules: readonly Schedule[]) => readonly Schedule[],
  ): Promise<Settings> {
    return this.change((present) => ({
      ...present,
      connections: change(present.connections),
      schedules: follow(present.schedules),
    }))
  }

  async #forget(name: string): Promise<void> {
    for (const credential of CREDENTIALS) await this.secrets.set(keyOf(name, credential), undefined)
  }
}

const NONE: [CredentialPlace, string | null] = ['none', null]

/** Removes trailing slashes. Refuses a query, a fragment, or the path of a route, since the client appends paths to the base URL. */
function baseOf(url: string): string {
  const base = url.trim().replace(/\/+$/, '')
  const wrong = (sentence: string) => badParam('baseUrl', `baseUrl: ${sentence}`)
  if (/[?#]/.test(base)) throw wrong('it has a query or a fragment; give the address in front of /api/v1.')
  const route = Object.values(ROUTES).find(({ path }) => base.endsWith(path))
  if (route) throw wrong(`leave out ${route.path}; Acuse puts it behind the base URL.`)
  return base
}

/** A connection with an unknown endpoint would have no deliveries, so all its documents would seem missed. */
const unknownEndpoint = (name: string, index: number, known: readonly string[]): AcuseError =>
  badParam(
    `endpoints.${index}`,
    `endpoints: there is no endpoint named "${name}"; known are ${known.join(', ')}.`,
  )

function knownField(field: string, index: number): string {
  if (ACCOUNTING_FIELDS.has(field)) return field
  throw badParam(
    `ignoredFields.${index}`,
    `ignoredFields: "${field}" is no field of the accounting projection; known are ${[...ACCOUNTING_FIELDS.keys()].join(', ')}.`,
  )
}

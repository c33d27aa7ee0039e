import { refused } from '#contract/errors.ts'
import type { Endpoint, EndpointParams, Settings } from '#contract/settings.ts'
import { Book } from './book.ts'
import type { Secrets, SettingsStore } from './ports.ts'

/** An endpoint with its accepted secret values; never leaves the process. */
export interface EndpointRule extends Endpoint {
  readonly accepted: readonly string[]
}

const currentKey = (name: string) => `endpoint:${name}:current`
const previousKey = (name: string) => `endpoint:${name}:previous`
const KEYS = [currentKey, previousKey]

/** Maximum former secret headers kept; the oldest are dropped. */
const MOST_FORMER = 200

const inUse = ({ endpoints }: Settings): string[] =>
  endpoints.flatMap(({ secret }) => (secret ? [secret.header.toLowerCase()] : []))

// Cached per settings object, which is never mutated: every header of every delivery shown asks for it.
const covered = new WeakMap<Settings, ReadonlySet<string>>()

/** Lower-case names of headers that carry or once carried a secret: an old value may still be in use elsewhere. */
export function secretHeadersOf(settings: Settings): ReadonlySet<string> {
  const known = covered.get(settings)
  if (known) return known
  const names = new Set([...inUse(settings), ...(settings.formerSecretHeaders ?? [])])
  covered.set(settings, names)
  return names
}

/** Adds header names that the settings no longer cover to the former secret headers. */
export function stillCovering(settings: Settings, names: Iterable<string>): Settings {
  const present = secretHeadersOf(settings)
  const gone = [...names].filter((name) => !present.has(name))
  if (gone.length === 0) return settings
  const former = [...(settings.formerSecretHeaders ?? []), ...gone]
  return { ...settings, formerSecretHeaders: former.slice(-MOST_FORMER) }
}

export class EndpointBook extends Book<Endpoint, EndpointRule> {
  constructor(settings: SettingsStore, secrets: Secrets) {
    super('endpoint', settings, secrets)
  }

  secretHeaders(): ReadonlySet<string> {
    return secretHeadersOf(this.settings.get())
  }

  async save(params: EndpointParams): Promise<Settings> {
    const endpoints = this.kept()
    const { previousName, ...wanted } = params
    const present = previousName === undefined ? undefined : this.#find(previousName)
    const others = endpoints.filter((endpoint) => endpoint !== present)
    this.demandFree(wanted.name, present)
    if (others.some((endpoint) => endpoint.path === wanted.path))
      throw refused('conflict', 'path-taken', { path: 'path', taken: wanted.path })
    if (present?.path === '/' && wanted.path !== '/')
      throw refused('conflict', 'default-path', { path: 'path' })
    const saved: Endpoint = { ...wanted, secret: present?.secret ?? null }
    if (present?.secret && present.name !== saved.name) {
      // New values first: a crash in between leaves a spare copy, never an endpoint without its secret.
      for (const key of KEYS)
        await this.secrets.set(key(saved.name), await this.secrets.get(key(present.name)))
    }
    const settings = await this.#store(
      present
        ? endpoints.map((endpoint) => (endpoint === present ? saved : endpoint))
        : [...endpoints, saved],
    )
    if (present && present.name !== saved.name) await this.#forget(present.name)
    return settings
  }

  async remove(name: string): Promise<Settings> {
    const gone = this.#find(name)
    if (gone.path === '/') throw refused('conflict', 'default-endpoint')
    const settings = await this.#store(this.kept().filter((endpoint) => endpoint !== gone))
    await this.#forget(name)
    return settings
  }

  async setSecret(name: string, header: string, value: string, keepPrevious: boolean): Promise<Settings> {
    const endpoint = this.#find(name)
    const previous = keepPrevious && endpoint.secret ? await this.secrets.get(currentKey(name)) : undefined
    await this.secrets.set(previousKey(name), previous)
    await this.secrets.set(currentKey(name), value)
    return this.#replace(endpoint, {
      ...endpoint,
      secret: { header, values: previous === undefined ? 1 : 2 },
    })
  }

  async clearSecret(name: string, which: 'previous' | 'all'): Promise<Settings> {
    const endpoint = this.#find(name)
    if (which === 'all') {
      const settings = await this.#replace(endpoint, { ...endpoint, secret: null })
      await this.#forget(name)
      return settings
    }
    await this.secrets.set(previousKey(name), undefined)
    return this.#replace(endpoint, {
      ...endpoint,
      secret: endpoint.secret ? { ...endpoint.secret, values: 1 } : null,
    })
  }

  protected kept(): readonly Endpoint[] {
    return this.settings.get().endpoints
  }

  protected async resolve(endpoint: Endpoint): Promise<EndpointRule> {
    return { ...endpoint, accepted: endpoint.secret ? await this.#values(endpoint.name) : [] }
  }

  #find(name: string): Endpoint {
    return this.named(this.kept(), name)
  }

  #replace(old: Endpoint, by: Endpoint): Promise<Settings> {
    return this.#store(this.kept().map((endpoint) => (endpoint === old ? by : endpoint)))
  }

  #store(endpoints: readonly Endpoint[]): Promise<Settings> {
    return this.change((present) => stillCovering({ ...present, endpoints }, secretHeadersOf(present)))
  }

  async #values(name: string): Promise<string[]> {
    const values = await Promise.all(KEYS.map((key) => this.secrets.get(key(name))))
    return values.filter((value) => value !== undefined)
  }

  async #forget(name: string): Promise<void> {
    for (const key of KEYS) await this.secrets.set(key(name), undefined)
  }
}

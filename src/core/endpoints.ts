import { AcuseError } from '#contract/errors.ts'
import type { Endpoint, EndpointParams, Settings } from '#contract/settings.ts'
import type { Secrets, SettingsStore } from './ports.ts'

/** An endpoint with the secret values that it accepts; never leaves the process. */
export interface EndpointRule extends Endpoint {
  readonly accepted: readonly string[]
}

const currentKey = (name: string) => `endpoint:${name}:current`
const previousKey = (name: string) => `endpoint:${name}:previous`

/** No user changes more names than this; the oldest are forgotten. */
const MOST_FORMER = 200

const inUse = ({ endpoints }: Settings): string[] =>
  endpoints.flatMap(({ secret }) => (secret ? [secret.header.toLowerCase()] : []))

// Asked for every header of every delivery that is shown; settings are never changed in place.
const covered = new WeakMap<Settings, ReadonlySet<string>>()

/**
 * Names, lower case, of headers whose values are secrets, or were: a value from before the secret was changed may still open a door. The
 * same set for the same settings.
 */
export function secretHeadersOf(settings: Settings): ReadonlySet<string> {
  const known = covered.get(settings)
  if (known) return known
  const names = new Set([...inUse(settings), ...(settings.formerSecretHeaders ?? [])])
  covered.set(settings, names)
  return names
}

/** The settings, with those of the names (lower case) among the former secret headers that they would not cover by themselves. */
export function stillCovering(settings: Settings, names: Iterable<string>): Settings {
  const present = secretHeadersOf(settings)
  const gone = [...names].filter((name) => !present.has(name))
  if (gone.length === 0) return settings
  const former = [...(settings.formerSecretHeaders ?? []), ...gone]
  return { ...settings, formerSecretHeaders: former.slice(-MOST_FORMER) }
}

/**
 * The endpoints with their secrets: settings hold what may be seen, the secret store holds the values, and the receiver reads both
 * here at every request without waiting.
 */
export class EndpointBook {
  readonly #settings: SettingsStore
  readonly #secrets: Secrets
  readonly #listeners = new Set<() => void>()
  #rules: readonly EndpointRule[] = []

  constructor(settings: SettingsStore, secrets: Secrets) {
    this.#settings = settings
    this.#secrets = secrets
  }

  /** Reads the secrets again; call it once before the receiver starts. */
  async load(): Promise<void> {
    this.#rules = await Promise.all(
      this.#settings.get().endpoints.map(async (endpoint) => ({
        ...endpoint,
        accepted: endpoint.secret ? await this.#values(endpoint.name) : [],
      })),
    )
    for (const listener of this.#listeners) listener()
  }

  /** Tells when `rules` gives others. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  rules(): readonly EndpointRule[] {
    return this.#rules
  }

  /** As `secretHeadersOf`. */
  secretHeaders(): ReadonlySet<string> {
    return secretHeadersOf(this.#settings.get())
  }

  async save(params: EndpointParams): Promise<Settings> {
    const endpoints = this.#settings.get().endpoints
    const { previousName, ...wanted } = params
    const present = previousName === undefined ? undefined : this.#find(previousName)
    const others = endpoints.filter((endpoint) => endpoint !== present)
    if (others.some((endpoint) => endpoint.name === wanted.name))
      throw new AcuseError(
        'conflict',
        `There is already an endpoint named "${wanted.name}"; choose another name.`,
        {
          path: 'name',
        },
      )
    if (others.some((endpoint) => endpoint.path === wanted.path))
      throw new AcuseError(
        'conflict',
        `Another endpoint already has the path ${wanted.path}; choose another path.`,
        {
          path: 'path',
        },
      )
    if (present?.path === '/' && wanted.path !== '/')
      throw new AcuseError(
        'conflict',
        'The default endpoint takes whatever matches no other path; its path stays "/". Add a new endpoint instead.',
        { path: 'path' },
      )
    const saved: Endpoint = { ...wanted, secret: present?.secret ?? null }
    if (present?.secret && present.name !== saved.name) {
      // The values go under the new name first: a crash in between leaves a spare copy, never an endpoint without its secret.
      const [current, previous] = await Promise.all([
        this.#secrets.get(currentKey(present.name)),
        this.#secrets.get(previousKey(present.name)),
      ])
      await this.#secrets.set(currentKey(saved.name), current)
      await this.#secrets.set(previousKey(saved.name), previous)
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
    if (gone.path === '/')
      throw new AcuseError(
        'conflict',
        'The default endpoint cannot be removed: it takes whatever matches no other path.',
      )
    const settings = await this.#store(this.#settings.get().endpoints.filter((endpoint) => endpoint !== gone))
    await this.#forget(name)
    return settings
  }

  async setSecret(name: string, header: string, value: string, keepPrevious: boolean): Promise<Settings> {
    const endpoint = this.#find(name)
    const previous = keepPrevious && endpoint.secret ? await this.#secrets.get(currentKey(name)) : undefined
    await this.#secrets.set(previousKey(name), previous)
    await this.#secrets.set(currentKey(name), value)
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
    await this.#secrets.set(previousKey(name), undefined)
    return this.#replace(endpoint, {
      ...endpoint,
      secret: endpoint.secret ? { ...endpoint.secret, values: 1 } : null,
    })
  }

  #find(name: string): Endpoint {
    const found = this.#settings.get().endpoints.find((endpoint) => endpoint.name === name)
    if (!found) throw new AcuseError('not-found', `There is no endpoint named "${name}".`, { path: 'name' })
    return found
  }

  #replace(old: Endpoint, by: Endpoint): Promise<Settings> {
    return this.#store(this.#settings.get().endpoints.map((endpoint) => (endpoint === old ? by : endpoint)))
  }

  async #store(endpoints: readonly Endpoint[]): Promise<Settings> {
    const settings = await this.#settings.change((present) =>
      stillCovering({ ...present, endpoints }, secretHeadersOf(present)),
    )
    await this.load()
    return settings
  }

  async #values(name: string): Promise<string[]> {
    const values = await Promise.all([
      this.#secrets.get(currentKey(name)),
      this.#secrets.get(previousKey(name)),
    ])
    return values.filter((value) => value !== undefined)
  }

  async #forget(name: string): Promise<void> {
    await this.#secrets.set(currentKey(name), undefined)
    await this.#secrets.set(previousKey(name), undefined)
  }
}

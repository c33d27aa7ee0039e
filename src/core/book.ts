import { refused } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import { Listeners } from './listeners.ts'
import type { Secrets, SettingsStore } from './ports.ts'

type Noun = 'endpoint' | 'connection' | 'target'

/** Named entries of the settings whose secret values are in the secret store. The results of `all` never leave the process. */
export abstract class Book<
  Kept extends { readonly name: string },
  Resolved extends { readonly name: string },
> {
  protected readonly settings: SettingsStore
  protected readonly secrets: Secrets
  readonly #noun: Noun
  readonly #changed = new Listeners()
  readonly onChange = this.#changed.add
  #resolved: readonly Resolved[] = []

  constructor(noun: Noun, settings: SettingsStore, secrets: Secrets) {
    this.#noun = noun
    this.settings = settings
    this.secrets = secrets
  }

  protected abstract kept(): readonly Kept[]
  protected abstract resolve(one: Kept): Promise<Resolved>

  /** Reloads the secrets; must run once before anything is received or sent. */
  async load(): Promise<void> {
    this.#resolved = await Promise.all(this.kept().map((one) => this.resolve(one)))
    this.#changed.tell()
  }

  all(): readonly Resolved[] {
    return this.#resolved
  }

  /** @throws AcuseError `not-found` */
  protected named<T extends { readonly name: string }>(list: readonly T[], name: string, path = 'name'): T {
    const found = list.find((one) => one.name === name)
    if (found) return found
    throw refused('not-found', `no-${this.#noun}`, { path, name })
  }

  /** @throws AcuseError `conflict` when an entry other than `present` has the name */
  protected demandFree(name: string, present: Kept | undefined): void {
    if (this.kept().some((one) => one.name !== present?.name && one.name === name))
      throw refused('conflict', `${this.#noun}-name-taken`, { path: 'name', name })
  }

  protected async change(change: (present: Settings) => Settings): Promise<Settings> {
    const settings = await this.settings.change(change)
    await this.load()
    return settings
  }
}

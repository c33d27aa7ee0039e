import type { Params } from '#contract/commands.ts'
import { badParam } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target, TargetHeader } from '#contract/target.ts'
import { Book } from './book.ts'
import type { Secrets, SettingsStore } from './ports.ts'

/** A target with the values of its secret headers; never leaves the process. */
export interface ResolvedTarget extends Target {
  readonly headers: readonly (TargetHeader & { readonly value: string })[]
}

/** Key of the n-th secret header of a name, since a name may repeat. */
const keyOf = (target: string, header: string, nth: number) =>
  `target:${target}:${header.toLowerCase()}:${nth}`

export class TargetBook extends Book<Target, ResolvedTarget> {
  constructor(settings: SettingsStore, secrets: Secrets) {
    super('target', settings, secrets)
  }

  /** @throws AcuseError `conflict` for a name in use, `bad-params` for a secret without a value */
  async save({ previousName, ...wanted }: Params<'targets.save'>): Promise<Settings> {
    const present = previousName === undefined ? undefined : this.#find(previousName)
    this.demandFree(wanted.name, present)
    // Not in the contract, which also validates stored settings: a target saved by an older version must not be dropped.
    if (wanted.method?.toUpperCase() === 'CONNECT')
      throw badParam('method', 'method: CONNECT opens a tunnel; choose another method.')
    const values = await this.#secretValues(wanted, present)
    const saved: Target = {
      ...wanted,
      headers: wanted.headers.map((header) => (header.secret ? { ...header, value: null } : header)),
    }
    // New values first: a crash in between leaves a spare copy, never a target without its secrets.
    for (const [key, value] of values) await this.secrets.set(key, value)
    const settings = await this.#store((list, chosen) => ({
      targets: present
        ? list.map((target) => (target.name === present.name ? saved : target))
        : [...list, saved],
      defaultTarget: chosen === previousName && previousName !== undefined ? saved.name : chosen,
    }))
    if (present) await this.#forget(present, new Set(values.keys()))
    return settings
  }

  async remove(name: string): Promise<Settings> {
    const gone = this.#find(name)
    const settings = await this.#store((list, chosen) => ({
      targets: list.filter((target) => target.name !== name),
      defaultTarget: chosen === name ? null : chosen,
    }))
    await this.#forget(gone, new Set())
    return settings
  }

  setDefault(name: string | null): Promise<Settings> {
    if (name !== null) this.#find(name)
    return this.#store((targets) => ({ targets, defaultTarget: name }))
  }

  protected kept(): readonly Target[] {
    return this.settings.get().targets
  }

  #find(name: string): Target {
    return this.named(this.kept(), name)
  }

  /** Value by key of each secret header; a null value keeps the present one. */
  async #secretValues(wanted: Target, present: Target | undefined): Promise<Map<string, string>> {
    const values = new Map<string, string>()
    for (const { header, key } of secretHeaders(wanted)) {
      const kept = present && keyOf(present.name, header.name, nthOf(wanted, header))
      const value = header.value ?? (kept === undefined ? undefined : await this.secrets.get(kept))
      if (value === undefined)
        throw badParam(
          `headers.${wanted.headers.indexOf(header)}.value`,
          `headers: the secret ${header.name} has no value yet; give one.`,
        )
      values.set(key, value)
    }
    return values
  }

  protected async resolve(target: Target): Promise<ResolvedTarget> {
    const headers = await Promise.all(
      target.headers.map(async (header) => ({
        ...header,
        value: header.secret
          ? ((await this.secrets.get(keyOf(target.name, header.name, nthOf(target, header)))) ?? '')
          : (header.value ?? ''),
      })),
    )
    return { ...target, headers }
  }

  #store(
    change: (
      targets: readonly Target[],
      defaultTarget: string | null,
    ) => Pick<Settings, 'targets' | 'defaultTarget'>,
  ): Promise<Settings> {
    return this.change((present) => ({ ...present, ...change(present.targets, present.defaultTarget) }))
  }

  async #forget(target: Target, keep: ReadonlySet<string>): Promise<void> {
    for (const { key } of secretHeaders(target)) if (!keep.has(key)) await this.secrets.set(key, undefined)
  }
}

function secretHeaders(target: Target): { header: TargetHeader; key: string }[] {
  return target.headers
    .filter(({ secret }) => secret)
    .map((header) => ({ header, key: keyOf(target.name, header.name, nthOf(target, header)) }))
}

/** Position of a header among the target's secret headers of that name. */
function nthOf(target: Target, wanted: TargetHeader): number {
  const name = wanted.name.toLowerCase()
  return target.headers
    .filter((header) => header.secret && header.name.toLowerCase() === name)
    .indexOf(wanted)
}

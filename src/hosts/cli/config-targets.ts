import { z } from 'zod'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { Target, TargetHeader } from '#contract/target.ts'
import type { Step } from './config-paths.ts'
import { checked } from './config-step.ts'
import { wrongUsage } from './failures.ts'

const fromEnv = z.strictObject({ fromEnv: z.string().min(1) })
/** A target in a configuration file: as `config get` prints it, or parts of it. A secret stands there by the name of a variable. */
export const fileTarget = z.strictObject({
  name: z.string(),
  url: z.unknown().optional(),
  method: z.unknown().optional(),
  path: z.unknown().optional(),
  query: z.unknown().optional(),
  headers: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.union([z.string(), z.null(), fromEnv]),
        secret: z.boolean().optional(),
      }),
    )
    .optional(),
  remove: z.unknown().optional(),
  timeouts: z.record(z.string(), z.unknown()).optional(),
  acceptAnyCertificate: z.unknown().optional(),
  keepSecret: z.unknown().optional(),
  keepCredentials: z.unknown().optional(),
  markReplays: z.unknown().optional(),
})
type FileTarget = z.infer<typeof fileTarget>
type FileHeader = NonNullable<FileTarget['headers']>[number]
type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a configuration file asks of the targets. Those that it does not name stay.
 * @param defaultTarget undefined when the file says nothing of it
 * @throws CommandFailure saying where the file is wrong, or which variable or command a secret is set by
 */
export function targetSteps(
  targets: readonly FileTarget[],
  defaultTarget: string | null | undefined,
  settings: Settings,
  env: Environment,
): readonly Step[] {
  let present = settings.targets
  const steps = targets.map((wanted, i) => {
    const at = `targets.${i}`
    const old = present.find((target) => target.name === wanted.name)
    if (!old && wanted.url === undefined)
      throw wrongUsage(`${at}: there is no target named "${wanted.name}"; give a url to make it.`)
    const base = old ?? { ...DEFAULT_TARGET, name: wanted.name, url: '' }
    const next = {
      ...base,
      ...wanted,
      headers: wanted.headers
        ? wanted.headers.map((header, j) => headerFrom(header, wanted, j, old, `${at}.headers.${j}`, env))
        : base.headers,
      timeouts: { ...base.timeouts, ...wanted.timeouts },
    }
    const step = checked(
      'targets.save',
      old ? { previousName: old.name, ...next } : next,
      at,
      `target ${wanted.name} ${old ? 'changed' : 'made'}`,
    )
    present = [...present.filter((target) => target !== old), next as Target]
    return step
  })
  if (defaultTarget === undefined || defaultTarget === settings.defaultTarget) return steps
  if (defaultTarget !== null && !present.some(({ name }) => name === defaultTarget))
    throw wrongUsage(`defaultTarget: there is no target named "${defaultTarget}".`)
  const says = defaultTarget === null ? 'no default target' : `default target ${defaultTarget}`
  return [...steps, checked('targets.set-default', { name: defaultTarget }, 'defaultTarget', says)]
}

function headerFrom(
  { name, value, secret = false }: FileHeader,
  target: FileTarget,
  index: number,
  old: Target | undefined,
  at: string,
  env: Environment,
): TargetHeader {
  if (typeof value === 'string') {
    if (!secret) return { name, value, secret }
    throw wrongUsage(`${at}.value: a secret does not stand in a file; give it as {"fromEnv": "NAME"}.`)
  }
  if (value !== null) {
    const found = env[value.fromEnv]
    if (!found) throw wrongUsage(`${at}.value: the environment has no ${value.fromEnv}.`)
    return { name, value: found, secret: true }
  }
  if (!secret) throw wrongUsage(`${at}.value: give a text; null stands for a secret that is there already.`)
  // The n-th secret of a name keeps the value of the n-th there is.
  const nth = (target.headers ?? []).slice(0, index).filter((one) => isSecret(one, name)).length
  if (nth >= (old?.headers ?? []).filter((one) => isSecret(one, name)).length)
    throw wrongUsage(
      `${at}.value: the secret ${name} has no value here yet. Give it as {"fromEnv": "NAME"}, or set it with: acuse targets set ${target.name} --secret-header ${name}=NAME`,
    )
  return { name, value: null, secret: true }
}

const isSecret = (
  one: { readonly name: string; readonly value: unknown; readonly secret?: boolean | undefined },
  name: string,
): boolean =>
  one.name.toLowerCase() === name.toLowerCase() && (one.secret === true || typeof one.value === 'object')

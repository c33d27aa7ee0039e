import { z } from 'zod'
import { paramWords } from '#contract/param-words.ts'
import type { Endpoint, Settings } from '#contract/settings.ts'
import {
  checked,
  connectionSteps,
  fileConnection,
  fileFilter,
  fileSchedule,
  fileTarget,
  filterSteps,
  scheduleSteps,
  targetSteps,
  wrong,
} from './config-lists.ts'
import { newEndpoint, type Step } from './config-paths.ts'
import { wrongUsage } from './failures.ts'

const file = z.strictObject({
  receiver: z.unknown().optional(),
  masking: z.unknown().optional(),
  retention: z.unknown().optional(),
  desktop: z.unknown().optional(),
  appearance: z.unknown().optional(),
  endpoints: z
    .array(
      z.strictObject({
        name: z.string(),
        path: z.string().optional(),
        enabled: z.boolean().optional(),
        answer: z.record(z.string(), z.unknown()).optional(),
        secret: z
          .union([
            z.strictObject({
              header: z.string(),
              value: z.strictObject({ fromEnv: z.string().min(1) }),
              keepPrevious: z.boolean().optional(),
            }),
            // As `config get` prints it: what is there stays.
            z.strictObject({ header: z.string(), values: z.int() }),
          ])
          .nullable()
          .optional(),
      }),
    )
    .optional(),
  targets: z.array(fileTarget).optional(),
  defaultTarget: z.string().nullable().optional(),
  connections: z.array(fileConnection).optional(),
  schedules: z.array(fileSchedule).optional(),
  savedFilters: z.array(fileFilter).optional(),
  formerSecretHeaders: z.array(z.string()).optional(),
})
type FileEndpoint = NonNullable<z.infer<typeof file>['endpoints']>[number]

/**
 * Turns a configuration file into commands, checking all of it first: a mistake in its last line must not leave the first half applied.
 * What the file does not name stays as it is; endpoints that it does not name stay too.
 * @param content the parsed file; what `config get` prints is such a file
 * @param settings as they are now
 * @param env where secrets given as {"fromEnv": "NAME"} are taken from
 * @throws CommandFailure saying where the file is wrong
 */
export function planConfig(
  content: unknown,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): readonly Step[] {
  const understood = file.safeParse(content, { error: paramWords })
  if (!understood.success) throw wrong('', understood.error)
  const {
    endpoints = [],
    targets = [],
    defaultTarget,
    connections = [],
    schedules = [],
    savedFilters = [],
    // Printed by `config get`; which they are the endpoints' secrets decide.
    formerSecretHeaders: _former,
    ...rest
  } = understood.data
  const steps: Step[] = []
  if (Object.keys(rest).length > 0) steps.push(checked('settings.update', rest, '', 'settings changed'))

  let present = settings.endpoints
  for (const [i, wanted] of endpoints.entries()) {
    const at = `endpoints.${i}`
    const old = present.find((endpoint) => endpoint.name === wanted.name)
    if (!old && wanted.path === undefined)
      throw wrongUsage(`${at}: there is no endpoint named "${wanted.name}"; give a path to make it.`)
    const { secret: _, ...base } = old ?? newEndpoint(wanted.name, '')
    const next = { ...base, ...given(wanted), answer: { ...base.answer, ...wanted.answer } }
    const save = old ? { previousName: old.name, ...next } : next
    const step = checked('endpoints.save', save, at, `endpoint ${wanted.name} ${old ? 'changed' : 'made'}`)
    const saved = { ...(next as Endpoint), secret: old?.secret ?? null }
    present = placed(present, old, saved, at)
    steps.push(step, ...secretSteps(wanted, old, at, env))
  }
  return [
    ...steps,
    ...targetSteps(targets, defaultTarget, settings, env),
    ...connectionSteps(connections, settings, env),
    ...scheduleSteps(schedules, settings),
    ...filterSteps(savedFilters, settings),
  ]
}

/** Refuses what the engine would refuse only after earlier steps were done. */
function placed(present: readonly Endpoint[], old: Endpoint | undefined, saved: Endpoint, at: string) {
  const clash = present.find((endpoint) => endpoint !== old && endpoint.path === saved.path)
  if (clash) throw wrongUsage(`${at}.path: the endpoint "${clash.name}" already has the path ${saved.path}.`)
  if (old?.path === '/' && saved.path !== '/')
    throw wrongUsage(`${at}.path: the default endpoint keeps the path "/".`)
  return [...present.filter((endpoint) => endpoint !== old), saved]
}

function secretSteps(
  { name, secret }: FileEndpoint,
  old: Endpoint | undefined,
  at: string,
  env: Readonly<Record<string, string | undefined>>,
): Step[] {
  if (secret === undefined) return []
  if (secret === null)
    return old?.secret
      ? [checked('endpoints.clear-secret', { name, which: 'all' }, at, `secret of ${name} removed`)]
      : []
  if ('values' in secret) {
    if (old?.secret?.header === secret.header) return []
    throw wrongUsage(`${at}.secret: give the value as {"header": "…", "value": {"fromEnv": "NAME"}}.`)
  }
  const value = env[secret.value.fromEnv]
  if (!value) throw wrongUsage(`${at}.secret: the environment has no ${secret.value.fromEnv}.`)
  const params = { name, header: secret.header, value, keepPrevious: secret.keepPrevious ?? false }
  return [checked('endpoints.set-secret', params, `${at}.secret`, `secret of ${name} set`)]
}

function given({ path, enabled }: FileEndpoint) {
  return { ...(path === undefined ? {} : { path }), ...(enabled === undefined ? {} : { enabled }) }
}

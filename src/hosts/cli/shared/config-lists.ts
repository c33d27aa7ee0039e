import { z } from 'zod'
import { COMMANDS, type CommandName } from '#contract/commands.ts'
import { type Connection, connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import { schedule } from '#contract/schedule.ts'
import type { Settings } from '#contract/settings.ts'
import { type Target, type TargetHeader, target } from '#contract/target.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { regexProblem } from '#core/filter/regex.ts'
import type { Step, StepOf } from './config-paths.ts'
import { wrongUsage } from './failures.ts'

/**
 * A command to be given, checked as the engine will check it.
 * @param at where its parameters stand in the file; @param says what it does, for the person
 * @throws CommandFailure saying where the file is wrong
 */
export function checked<C extends CommandName>(
  command: C,
  params: unknown,
  at: string,
  says: string,
): StepOf<C> {
  const understood = COMMANDS[command].params.safeParse(params, { error: paramWords })
  if (!understood.success) throw wrong(at, understood.error)
  return { command, params: understood.data, says }
}

/** The first thing that is wrong with a file, and where. */
export function wrong(at: string, error: z.ZodError) {
  const found = firstWrong(error)
  const path = [...(at ? [at] : []), ...found.path.map(String)].join('.')
  return wrongUsage(`${path || 'the file'}: ${found.message}`)
}

/** Where `config get` says that a credential lies, or the variable that it is to be taken from. */
const credential = z.union([
  z.enum(['none', 'stored', 'environment']),
  z.strictObject({ fromEnv: z.string().min(1) }),
])
/** As the contract has it, or parts of it; the command that saves it judges what the members hold. */
const partsOf = <S extends z.ZodRawShape, O extends z.ZodRawShape>(shape: S, own: O) =>
  z.strictObject({
    ...(Object.fromEntries(Object.keys(shape).map((name) => [name, z.unknown().optional()])) as {
      [K in keyof S]: z.ZodOptional<z.ZodUnknown>
    }),
    ...own,
  })
const members = z.record(z.string(), z.unknown()).optional()

/** A connection in a configuration file: as `config get` prints it, or parts of it. */
export const fileConnection = partsOf(connection.shape, {
  name: z.string(),
  apiKey: credential.optional(),
  pluginToken: credential.optional(),
  pluginHeader: members,
  timeouts: members,
  notYetDue: members,
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

export const fileFilter = z.strictObject({
  name: z.string(),
  filter: z.string(),
  notify: z.boolean().optional(),
})

/**
 * What a configuration file asks of the saved filters. Those that it does not name stay.
 * @throws CommandFailure saying where the file is wrong
 */
export function filterSteps(
  filters: readonly z.infer<typeof fileFilter>[],
  settings: Settings,
): readonly Step[] {
  return filters.flatMap((wanted, i) => {
    const at = `savedFilters.${i}`
    const old = settings.savedFilters.find(({ name }) => name.toLowerCase() === wanted.name.toLowerCase())
    const tells = old?.notify ?? false
    if (old?.name === wanted.name && old.filter === wanted.filter && (wanted.notify ?? tells) === tells)
      return []
    const parsed = parseFilter(wanted.filter)
    const problem = parsed.ok ? regexProblem(wanted.filter) : parsed
    if (problem) throw wrongUsage(`${at}.filter: column ${problem.at + 1}: ${sentenceOf(problem).en}`)
    return [checked('filters.save', wanted, at, `filter ${wanted.name} ${old ? 'changed' : 'saved'}`)]
  })
}

/** A schedule in a configuration file: as `config get` prints it, or parts of it. */
export const fileSchedule = partsOf(schedule.shape, { connection: z.string() })

/**
 * What a configuration file asks of the schedules. Those that it does not name stay.
 * @throws CommandFailure saying where the file is wrong
 */
export function scheduleSteps(
  schedules: readonly z.infer<typeof fileSchedule>[],
  settings: Settings,
): readonly Step[] {
  return schedules.map((wanted, i) => {
    const { connection } = wanted
    const old = settings.schedules.find((one) => one.connection === connection)
    return checked(
      'schedules.save',
      { ...DEFAULT_SCHEDULE, ...old, ...wanted },
      `schedules.${i}`,
      `schedule of ${connection} ${old ? 'changed' : 'made'}`,
    )
  })
}

const fromEnv = z.strictObject({ fromEnv: z.string().min(1) })
/** A target in a configuration file: as `config get` prints it, or parts of it. A secret stands there by the name of a variable. */
export const fileTarget = partsOf(target.shape, {
  name: z.string(),
  headers: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.union([z.string(), z.null(), fromEnv]),
        secret: z.boolean().optional(),
      }),
    )
    .optional(),
  timeouts: members,
})
type FileTarget = z.infer<typeof fileTarget>
type FileHeader = NonNullable<FileTarget['headers']>[number]

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

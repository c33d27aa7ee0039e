import { z } from 'zod'
import { alert } from '#contract/alerts.ts'
import { COMMANDS, type CommandName } from '#contract/commands.ts'
import { type Connection, connection } from '#contract/connection.ts'
import {
  DEFAULT_ALERT,
  DEFAULT_CONNECTION,
  DEFAULT_ENDPOINT,
  DEFAULT_SCHEDULE,
  DEFAULT_TARGET,
} from '#contract/defaults.ts'
import { firstWrong, paramWords } from '#contract/param-words.ts'
import { schedule } from '#contract/schedule.ts'
import { type Endpoint, endpoint, type Settings, savedFilter } from '#contract/settings.ts'
import { type Target, type TargetHeader, target } from '#contract/target.ts'
import { parseFilter } from '#core/filter/parse.ts'
import { sentenceOf } from '#core/filter/problem-words.ts'
import { regexProblem } from '#core/filter/regex.ts'
import { withoutCredentials } from './account.ts'
import type { Step, StepOf } from './config-paths.ts'
import { wrongUsage } from './failures.ts'

const fromEnv = z.strictObject({ fromEnv: z.string().min(1) })
const name = z.string()
/** A credential in the file: its place as `config get` prints it, or the environment variable that holds it. */
const credential = z.union([z.enum(['none', 'stored', 'environment']), fromEnv]).optional()
const members = z.record(z.string(), z.unknown()).optional()
/** Schema of an entry with any subset of its members; the command that saves the entry checks their values. */
const partsOf = <S extends z.ZodRawShape, O extends z.ZodRawShape>(shape: S, own: O) =>
  z.strictObject({
    ...(Object.fromEntries(Object.keys(shape).map((member) => [member, z.unknown().optional()])) as {
      [K in keyof S]: z.ZodOptional<z.ZodUnknown>
    }),
    ...own,
  })

const secret = z.union([
  z.strictObject({ header: z.string(), value: fromEnv, keepPrevious: z.boolean().optional() }),
  // As `config get` prints it; keeps the saved secret.
  z.strictObject({ header: z.string(), values: z.int() }),
])
const header = z.strictObject({
  name,
  value: z.union([z.string(), z.null(), fromEnv]),
  secret: z.boolean().optional(),
})
const group = z.unknown().optional()
const file = z.strictObject({
  receiver: group,
  masking: group,
  retention: group,
  telemetry: group,
  desktop: group,
  appearance: group,
  endpoints: z
    .array(partsOf(endpoint.shape, { name, answer: members, secret: secret.nullable().optional() }))
    .default([]),
  targets: z
    .array(partsOf(target.shape, { name, headers: z.array(header).optional(), timeouts: members }))
    .default([]),
  defaultTarget: z.string().nullable().optional(),
  connections: z
    .array(
      partsOf(connection.shape, {
        name,
        apiKey: credential,
        pluginToken: credential,
        pluginHeader: members,
        timeouts: members,
        notYetDue: members,
      }),
    )
    .default([]),
  schedules: z.array(partsOf(schedule.shape, { connection: z.string() })).default([]),
  alerts: z.array(partsOf(alert.shape, { name })).default([]),
  savedFilters: z.array(savedFilter.extend({ name, filter: z.string() })).default([]),
  formerSecretHeaders: z.array(z.string()).optional(),
})
type File = z.output<typeof file>
type Entry<L extends 'endpoints' | 'targets' | 'connections'> = File[L][number]
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Turns the output of `config get`, or parts of it, into commands. It checks the whole file first: an error in the last line must not leave the
 * first half applied. @param env source of secrets given as {"fromEnv": "NAME"} @throws CommandFailure with the path of the error
 */
export function planConfig(content: unknown, settings: Settings, env: Environment): readonly Step[] {
  const understood = file.safeParse(content, { error: paramWords })
  if (!understood.success) throw wrong('', understood.error)
  const { endpoints, targets, defaultTarget, connections, schedules, alerts, savedFilters, ...rest } =
    understood.data
  // `config get` prints this list, but it derives from the endpoints' secrets.
  const { formerSecretHeaders: _former, ...groups } = rest
  return [
    ...(Object.keys(groups).length > 0 ? [checked('settings.update', groups, '', 'settings changed')] : []),
    ...endpointSteps(endpoints, settings, env),
    ...targetSteps(targets, defaultTarget, settings, env),
    ...connections.map((wanted, i) => {
      const { apiKey, pluginToken, ...parts } = wanted
      const old = settings.connections.find((one) => one.name === wanted.name)
      return saving('connections', i, parts, old && withoutCredentials(old), {
        ...credentialFrom('apiKey', apiKey, old, i, env),
        ...credentialFrom('pluginToken', pluginToken, old, i, env),
      })
    }),
    ...schedules.map((wanted, i) => {
      const old = settings.schedules.find((one) => one.connection === wanted.connection)
      return saving('schedules', i, wanted, old)
    }),
    ...alerts.map((wanted, i) => {
      const old = settings.alerts.find((one) => one.name === wanted.name)
      return saving('alerts', i, wanted, old)
    }),
    ...filterSteps(savedFilters, settings),
  ]
}

/** Builds a step and validates its parameters as the engine will. @param at path of the parameters in the file */
function checked<C extends CommandName>(command: C, params: unknown, at: string, says: string): StepOf<C> {
  const understood = COMMANDS[command].params.safeParse(params, { error: paramWords })
  if (!understood.success) throw wrong(at, understood.error)
  return { command, params: understood.data as StepOf<C>['params'], says }
}

function wrong(at: string, error: z.ZodError) {
  const found = firstWrong(error)
  const path = [...(at ? [at] : []), ...found.path.map(String)].join('.')
  return wrongUsage(`${path || 'the file'}: ${found.message}`)
}

type Members = Readonly<Record<string, unknown>>
interface Saved {
  readonly noun: string
  readonly fresh: Members
  /** Member that a new entry must have. */
  readonly needs?: string
  /** Members that the file may give in part. */
  readonly merged: readonly string[]
}
const { secret: _none, ...NEW_ENDPOINT } = DEFAULT_ENDPOINT
const NEW_CONNECTION = withoutCredentials(DEFAULT_CONNECTION)
const CONNECTION_PARTS = ['pluginHeader', 'timeouts', 'notYetDue']
const LISTS: Readonly<Record<'endpoints' | 'targets' | 'connections' | 'schedules' | 'alerts', Saved>> = {
  endpoints: { noun: 'endpoint', fresh: NEW_ENDPOINT, needs: 'path', merged: ['answer'] },
  targets: { noun: 'target', fresh: DEFAULT_TARGET, needs: 'url', merged: ['timeouts'] },
  connections: { noun: 'connection', fresh: NEW_CONNECTION, needs: 'baseUrl', merged: CONNECTION_PARTS },
  schedules: { noun: 'schedule of', fresh: DEFAULT_SCHEDULE, merged: [] },
  alerts: { noun: 'alert', fresh: DEFAULT_ALERT, needs: 'cause', merged: [] },
}

/** Builds the step that saves an entry with the file's members. @param own members that replace those of the file */
function saving(
  list: keyof typeof LISTS,
  i: number,
  wanted: Members,
  old: Members | undefined,
  own: Members = {},
): Step {
  const { noun, fresh, needs, merged } = LISTS[list]
  const at = `${list}.${i}`
  const called = String(wanted.name ?? wanted.connection)
  if (!old && needs !== undefined && wanted[needs] === undefined)
    throw wrongUsage(`${at}: there is no ${noun} named "${called}"; give a ${needs} to make it.`)
  const base = old ?? fresh
  const parts = merged.map((one) => [one, { ...Object(base[one]), ...Object(wanted[one]) }])
  const params = { ...base, ...wanted, ...Object.fromEntries(parts), ...own }
  const previous = old && 'name' in wanted ? { previousName: called } : {}
  const says = `${noun} ${called} ${old ? 'changed' : 'made'}`
  return checked(`${list}.save`, { ...previous, ...params }, at, says)
}

function fromEnvironment({ fromEnv: variable }: z.output<typeof fromEnv>, at: string, env: Environment) {
  const value = env[variable]
  if (!value) throw wrongUsage(`${at}: the environment has no ${variable}.`)
  return value
}

function endpointSteps(endpoints: File['endpoints'], settings: Settings, env: Environment): readonly Step[] {
  let present = settings.endpoints
  return endpoints.flatMap((wanted, i) => {
    const { secret: _, ...parts } = wanted
    const old = present.find((one) => one.name === wanted.name)
    const { secret: kept = null, ...base } = old ?? { ...NEW_ENDPOINT, secret: undefined }
    const step = saving('endpoints', i, parts, old && base)
    present = placed(present, old, { ...(step.params as Endpoint), secret: kept }, `endpoints.${i}`)
    return [step, ...secretSteps(wanted, old, `endpoints.${i}.secret`, env)]
  })
}

/** Refuses path conflicts that the engine would find only after earlier steps have run. */
function placed(present: readonly Endpoint[], old: Endpoint | undefined, saved: Endpoint, at: string) {
  const clash = present.find((one) => one !== old && one.path === saved.path)
  if (clash) throw wrongUsage(`${at}.path: the endpoint "${clash.name}" already has the path ${saved.path}.`)
  if (old?.path === '/' && saved.path !== '/')
    throw wrongUsage(`${at}.path: the default endpoint keeps the path "/".`)
  return [...present.filter((one) => one !== old), saved]
}

function secretSteps(
  { name, secret }: Entry<'endpoints'>,
  old: Endpoint | undefined,
  at: string,
  env: Environment,
): Step[] {
  if (secret === undefined || (secret === null && !old?.secret)) return []
  if (secret === null)
    return [checked('endpoints.clear-secret', { name, which: 'all' }, at, `secret of ${name} removed`)]
  if ('values' in secret) {
    if (old?.secret?.header === secret.header) return []
    throw wrongUsage(`${at}: give the value as {"header": "…", "value": {"fromEnv": "NAME"}}.`)
  }
  const { header, keepPrevious = false } = secret
  const params = { name, header, value: fromEnvironment(secret.value, at, env), keepPrevious }
  return [checked('endpoints.set-secret', params, at, `secret of ${name} set`)]
}

function credentialFrom(
  member: 'apiKey' | 'pluginToken',
  given: Entry<'connections'>['apiKey'],
  old: Connection | undefined,
  i: number,
  env: Environment,
): { readonly [M in 'apiKey' | 'pluginToken']?: string | null } {
  const at = `connections.${i}.${member}`
  if (given === undefined || given === 'environment' || given === old?.[member]) return {}
  // A credential from the environment is not stored, so there is nothing to delete.
  if (given === 'none') return old?.[member] === 'stored' ? { [member]: null } : {}
  if (given === 'stored')
    throw wrongUsage(
      `${at}: nothing is stored here yet. Give it as {"fromEnv": "NAME"}: a file holds no credentials.`,
    )
  return { [member]: fromEnvironment(given, at, env) }
}

/** @returns one step per filter that is new or changed */
function filterSteps(filters: File['savedFilters'], settings: Settings): readonly Step[] {
  return filters.flatMap((wanted, i) => {
    const at = `savedFilters.${i}`
    const old = settings.savedFilters.find((one) => one.name.toLowerCase() === wanted.name.toLowerCase())
    const tells = old?.notify ?? false
    if (old?.name === wanted.name && old.filter === wanted.filter && (wanted.notify ?? tells) === tells)
      return []
    const parsed = parseFilter(wanted.filter)
    const problem = parsed.ok ? regexProblem(wanted.filter) : parsed
    if (problem) throw wrongUsage(`${at}.filter: column ${problem.at + 1}: ${sentenceOf(problem).en}`)
    return [checked('filters.save', wanted, at, `filter ${wanted.name} ${old ? 'changed' : 'saved'}`)]
  })
}

/** @param defaultTarget undefined when the file does not name one */
function targetSteps(
  targets: File['targets'],
  defaultTarget: string | null | undefined,
  settings: Settings,
  env: Environment,
): readonly Step[] {
  let present = settings.targets
  const steps = targets.map((wanted, i) => {
    const old = present.find((one) => one.name === wanted.name)
    const headers = wanted.headers?.map((one, j) =>
      headerFrom(one, wanted, j, old, `targets.${i}.headers.${j}.value`, env),
    )
    const step = saving('targets', i, wanted, old, headers ? { headers } : {})
    present = [...present.filter((one) => one !== old), step.params as Target]
    return step
  })
  if (defaultTarget === undefined || defaultTarget === settings.defaultTarget) return steps
  if (defaultTarget !== null && !present.some((one) => one.name === defaultTarget))
    throw wrongUsage(`defaultTarget: there is no target named "${defaultTarget}".`)
  const says = defaultTarget === null ? 'no default target' : `default target ${defaultTarget}`
  return [...steps, checked('targets.set-default', { name: defaultTarget }, 'defaultTarget', says)]
}

type FileHeader = z.output<typeof header>

function headerFrom(
  { name, value, secret = false }: FileHeader,
  { name: target, headers = [] }: Entry<'targets'>,
  index: number,
  old: Target | undefined,
  at: string,
  env: Environment,
): TargetHeader {
  if (typeof value === 'string') {
    if (!secret) return { name, value, secret }
    throw wrongUsage(`${at}: a file holds no secrets; give it as {"fromEnv": "NAME"}.`)
  }
  if (value !== null) return { name, value: fromEnvironment(value, at, env), secret: true }
  if (!secret) throw wrongUsage(`${at}: give a text; null keeps a stored secret.`)
  // The n-th secret header of a name keeps the value of the n-th saved one.
  const nth = headers.slice(0, index).filter((one) => isSecret(one, name)).length
  if (nth >= (old?.headers ?? []).filter((one) => isSecret(one, name)).length)
    throw wrongUsage(
      `${at}: the secret ${name} has no value here yet. Give it as {"fromEnv": "NAME"}, or set it with: acuse targets set ${target} --secret-header ${name}=NAME`,
    )
  return { name, value: null, secret: true }
}

const isSecret = (one: FileHeader | TargetHeader, name: string): boolean =>
  one.name.toLowerCase() === name.toLowerCase() && (one.secret === true || typeof one.value === 'object')

import type { z } from 'zod'
import type { CommandName, Params } from '#contract/commands.ts'
import { DEFAULT_ENDPOINT } from '#contract/defaults.ts'
import { endpoint, type Settings, settings as settingsSchema } from '#contract/settings.ts'
import { unwrapped } from './command.ts'
import { wrongUsage } from './failures.ts'
import { didYouMean } from './text.ts'

/** One command for the engine, and a phrase that tells the user what it does. */
export interface StepOf<C extends CommandName> {
  readonly command: C
  readonly params: Params<C>
  readonly says: string
}
export type Step = StepOf<CommandName>

type Members = ReadonlyMap<string, z.ZodType>

/** The schemas of an object's members by path, one level of nested objects included. */
const membersOf = (shape: z.ZodRawShape): Members =>
  new Map(
    Object.entries(shape).flatMap(([name, schema]): (readonly [string, z.ZodType])[] => {
      const inner = unwrapped(schema as z.ZodType)
      return inner.def.type === 'object'
        ? Object.entries((inner as z.ZodObject).shape).map(([member, one]) => [`${name}.${member}`, one])
        : [[name, schema as z.ZodType]]
    }),
  )
const { receiver, masking, retention, telemetry, desktop, appearance } = settingsSchema.shape
const SETTINGS = membersOf({ receiver, masking, retention, telemetry, desktop, appearance })
const ENDPOINT = membersOf(endpoint.omit({ secret: true }).shape)
const mayBeNull = (schema: z.ZodType): boolean => schema.safeParse(null).success
/** Settings that take null: no TLS, no public address, the platform's default. */
const MAY_BE_ABSENT = [...SETTINGS].filter(([, schema]) => mayBeNull(schema)).map(([path]) => path)

/** Endpoint member that `config set` treats apart: the command takes its header, and its value from stdin or the environment. */
export const SECRET = 'secret'
const ENDPOINT_PATH = /^endpoint\.([^.]+)(?:\.(.+))?$/
/** Matches greedily, since names of saved filters may contain full stops. */
const FILTER_PATH = /^filter\.(.+)\.notify$/

/** Parses a typed value; the engine checks its bounds. @throws CommandFailure for a value of the wrong type */
function valueFrom(text: string, path: string, schema: z.ZodType): unknown {
  const orNull = mayBeNull(schema)
  const takes = (what: string) => wrongUsage(`${path} takes ${what}.`)
  if (orNull && text === 'null') return null
  const inner = unwrapped(schema)
  switch (inner.def.type) {
    case 'number':
      if (/^\d{1,15}$/.test(text)) return Number(text)
      throw takes(`a whole number, not "${text}"`)
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw takes(
        `true${orNull ? ', false, or null for what the platform does' : ' or false'}, not "${text}"`,
      )
    case 'array':
      if ((inner as z.ZodArray<z.ZodType>).element.def.type === 'string')
        return text.split(/[\s,]+/).filter((name) => name !== '')
      return jsonFrom(text, takes('JSON, such as [["Content-Type","application/json"]]'))
    case 'union':
      if (text === 'off') return null
      if (text === 'generated') return { certificate: 'generated' }
      return jsonFrom(
        text,
        takes('off, generated, or {"certificate": "/path/to/certificate.pem", "key": "/path/to/key.pem"}'),
      )
    default:
      return text
  }
}

function jsonFrom(text: string, refusal: Error): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal
  }
}

/** Splits `endpoint.<name>` or `endpoint.<name>.<member>`; null for other paths. */
export function endpointPath(path: string): { readonly name: string; readonly member: string | null } | null {
  const [, name, member] = ENDPOINT_PATH.exec(path) ?? []
  return name === undefined ? null : { name, member: member ?? null }
}

/** Builds the step of `config set PATH VALUE`. @throws CommandFailure at once for an unknown path or a value of the wrong type */
export function setStep(path: string, value: string): (settings: Settings) => Step {
  const place = endpointPath(path)
  if (place) return endpointStep(path, place, value)
  const [, filter] = FILTER_PATH.exec(path) ?? []
  if (filter !== undefined) {
    if (value !== 'true' && value !== 'false')
      throw wrongUsage(`${path} takes true or false, not "${value}".`)
    return filterStep(path, filter, value === 'true')
  }
  const schema = SETTINGS.get(path)
  if (!schema) throw unknownPath(path, [...SETTINGS.keys()])
  const step = updateStep(path, valueFrom(value, path, schema), 'set')
  return () => step
}

function updateStep(path: string, value: unknown, done: string): Step {
  const [group = '', member = ''] = path.split('.')
  const params = { [group]: { [member]: value } } as Params<'settings.update'>
  return { command: 'settings.update', params, says: `${path} ${done}` }
}

type EndpointPlace = NonNullable<ReturnType<typeof endpointPath>>

function endpointStep(path: string, { name, member }: EndpointPlace, value: string) {
  const schema = ENDPOINT.get(member ?? '')
  if (member === null || !schema) throw unknownPath(path, endpointPaths(name))
  const content = valueFrom(value, path, schema)
  const [first = '', second] = member.split('.')
  return (settings: Settings): Step => {
    const present = settings.endpoints.find((one) => one.name === name)
    if (!present && member !== 'path')
      throw wrongUsage(
        `There is no endpoint named "${name}"; make one with: acuse config set endpoint.${name}.path /its-path`,
      )
    const { secret: _, ...base } = present ?? { ...DEFAULT_ENDPOINT, name }
    const change = { [first]: second === undefined ? content : { ...base.answer, [second]: content } }
    return {
      command: 'endpoints.save',
      params: { ...(present ? { previousName: name } : {}), ...base, ...change },
      says: present ? `${path} set` : `endpoint ${name} made`,
    }
  }
}

function filterStep(path: string, wanted: string, notify: boolean) {
  return (settings: Settings): Step => {
    const found = settings.savedFilters.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if (!found) throw wrongUsage(`There is no saved filter named "${wanted}".`)
    return { command: 'filters.save', params: { ...found, notify }, says: `${path} set` }
  }
}

/** Builds the step of `config unset PATH`. @throws CommandFailure at once for a path that cannot be unset */
export function unsetStep(path: string): (settings: Settings) => Step {
  const [, filter] = FILTER_PATH.exec(path) ?? []
  if (filter !== undefined) return filterStep(path, filter, false)
  const step = plainUnsetStep(path)
  return () => step
}

function plainUnsetStep(path: string): Step {
  const place = endpointPath(path)
  if (place?.member === null)
    return {
      command: 'endpoints.remove',
      params: { name: place.name },
      says: `endpoint ${place.name} removed`,
    }
  if (place?.member === SECRET || place?.member === `${SECRET}.previous`)
    return {
      command: 'endpoints.clear-secret',
      params: { name: place.name, which: place.member === SECRET ? 'all' : 'previous' },
      says: `${path} removed`,
    }
  if (MAY_BE_ABSENT.includes(path)) return updateStep(path, null, 'removed')
  throw wrongUsage(
    `"${path}" cannot be taken away; ${MAY_BE_ABSENT.join(', ')}, filter.NAME.notify, endpoint.NAME, endpoint.NAME.secret and endpoint.NAME.secret.previous can. Others are changed with: acuse config set`,
  )
}

/** @returns the part of the settings that `config get PATH` prints @throws CommandFailure for an unknown path */
export function valueAt(path: string, settings: Settings): unknown {
  const place = endpointPath(path)
  const found = settings.endpoints.find(({ name }) => name === place?.name)
  if (place && !found) throw wrongUsage(`There is no endpoint named "${place.name}".`)
  let value: unknown = place ? found : settings
  for (const member of place ? (place.member?.split('.') ?? []) : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      throw unknownPath(path, place ? endpointPaths(place.name) : [...SETTINGS.keys(), 'endpoints'])
    value = (value as Readonly<Record<string, unknown>>)[member]
  }
  return value
}

const endpointPaths = (name: string) =>
  [...ENDPOINT.keys(), SECRET].map((member) => `endpoint.${name}.${member}`)

const unknownPath = (path: string, known: readonly string[]) =>
  wrongUsage(`There is no setting "${path}".${didYouMean(path, known)} Known are ${known.join(', ')}.`)

import type { CommandName, Params } from '#contract/commands.ts'
import { DEFAULT_ANSWER } from '#contract/defaults.ts'
import type { Endpoint, Settings } from '#contract/settings.ts'
import { nearest } from '#core/filter/nearest.ts'
import { wrongUsage } from './failures.ts'

/** One command to be given, and what it does in the words of a person. */
export interface StepOf<C extends CommandName> {
  readonly command: C
  readonly params: Params<C>
  readonly says: string
}
export type Step = { [C in CommandName]: StepOf<C> }[CommandName]

type Reader = (text: string, path: string) => unknown

const asText: Reader = (text) => text
const asTextOrNull: Reader = (text) => (text === 'null' ? null : text)
const asSwitchOrNull: Reader = (text, path) => {
  if (text !== 'true' && text !== 'false' && text !== 'null')
    throw wrongUsage(`${path} takes true, false, or null for what the platform does, not "${text}".`)
  return text === 'null' ? null : text === 'true'
}
const asNumber: Reader = (text, path) => {
  if (!/^\d{1,15}$/.test(text)) throw wrongUsage(`${path} takes a whole number, not "${text}".`)
  return Number(text)
}
const asSwitch: Reader = (text, path) => {
  if (text !== 'true' && text !== 'false') throw wrongUsage(`${path} takes true or false, not "${text}".`)
  return text === 'true'
}
const asJson: Reader = (text, path) => {
  try {
    return JSON.parse(text)
  } catch {
    throw wrongUsage(`${path} takes JSON, such as [["Content-Type","application/json"]].`)
  }
}

const asNames: Reader = (text) => text.split(/[\s,]+/).filter((name) => name !== '')

/** The short words for what is JSON otherwise. */
const asTls: Reader = (text, path) => {
  if (text === 'off' || text === 'null') return null
  if (text === 'generated') return { certificate: 'generated' }
  try {
    return JSON.parse(text)
  } catch {
    throw wrongUsage(
      `${path} takes off, generated, or {"certificate": "/path/to/certificate.pem", "key": "/path/to/key.pem"}.`,
    )
  }
}

const SETTINGS: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    'receiver.host': asText,
    'receiver.port': asNumber,
    'receiver.bodyLimit': asNumber,
    'receiver.maxConnections': asNumber,
    'receiver.maxConnectionsPerAddress': asNumber,
    'receiver.tls': asTls,
    'receiver.publicUrl': asTextOrNull,
    'masking.names': asNames,
    'retention.budgetBytes': asNumber,
    'retention.overBudget': asText,
    'retention.rejectedDeliveries': asNumber,
    'retention.rejectedBytes': asNumber,
    'retention.malformedDeliveries': asNumber,
    'retention.malformedBytes': asNumber,
    'desktop.keepReceiving': asSwitchOrNull,
    'appearance.theme': asText,
    'appearance.language': asText,
  }),
)
const ENDPOINT: ReadonlyMap<string, Reader> = new Map(
  Object.entries({
    name: asText,
    path: asText,
    enabled: asSwitch,
    'answer.status': asNumber,
    'answer.headers': asJson,
    'answer.body': asText,
    'answer.delayMs': asNumber,
  }),
)
/** What may be absent, and is null then: no TLS, no public address, whatever the platform does. */
const MAY_BE_ABSENT: readonly string[] = ['receiver.tls', 'receiver.publicUrl', 'desktop.keepReceiving']
/** The part of an endpoint that is no setting: its header is given here, its value never on the command line. */
export const SECRET = 'secret'
const ENDPOINT_PATH = /^endpoint\.([^.]+)(?:\.(.+))?$/

/** Names of saved filters may hold full stops. */
const FILTER_PATH = /^filter\.(.+)\.notify$/

/** `endpoint.<name>` or `endpoint.<name>.<member>`, taken apart; null for other paths. */
export function endpointPath(path: string): { readonly name: string; readonly member: string | null } | null {
  const [, name, member] = ENDPOINT_PATH.exec(path) ?? []
  return name === undefined ? null : { name, member: member ?? null }
}

/**
 * What `config set PATH VALUE` asks of the engine. Bounds are the engine's to check.
 * @returns the command, given the settings as they are
 * @throws CommandFailure at once for a path that does not exist (naming the nearest) or a value of the wrong sort
 */
export function setStep(path: string, value: string): (settings: Settings) => Step {
  const place = endpointPath(path)
  if (place) return endpointStep(path, place, value)
  const [, filter] = FILTER_PATH.exec(path) ?? []
  if (filter !== undefined) return filterStep(path, filter, asSwitch(value, path) === true)
  const read = SETTINGS.get(path)
  if (!read) throw unknownPath(path, [...SETTINGS.keys()])
  const params = nested(path.split('.'), read(value, path)) as Params<'settings.update'>
  return () => ({ command: 'settings.update', params, says: `${path} set` })
}

type EndpointPlace = NonNullable<ReturnType<typeof endpointPath>>

function endpointStep(path: string, { name, member }: EndpointPlace, value: string) {
  const read = ENDPOINT.get(member ?? '')
  if (member === null || !read) throw unknownPath(path, endpointPaths(name))
  const content = read(value, path)
  const [first, second] = member.split('.')
  return (settings: Settings): Step => {
    const present = settings.endpoints.find((endpoint) => endpoint.name === name)
    if (!present && member !== 'path')
      throw wrongUsage(
        `There is no endpoint named "${name}"; make one with: acuse config set endpoint.${name}.path /its-path`,
      )
    const { secret: _, ...base } = present ?? newEndpoint(name, '')
    const changed =
      first === 'answer' && second !== undefined
        ? { ...base, answer: { ...base.answer, [second]: content } }
        : { ...base, [member]: content }
    return {
      command: 'endpoints.save',
      params: (present ? { previousName: name, ...changed } : changed) as Params<'endpoints.save'>,
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

/** An endpoint as it is when nothing but its name and path is known. */
export function newEndpoint(name: string, path: string): Endpoint {
  return { name, path, enabled: true, answer: DEFAULT_ANSWER, secret: null }
}

/**
 * What `config unset PATH` asks of the engine.
 * @returns the command, given the settings as they are
 * @throws CommandFailure at once for a path of which nothing can be taken away
 */
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
  if (MAY_BE_ABSENT.includes(path)) {
    const params = nested(path.split('.'), null) as Params<'settings.update'>
    return { command: 'settings.update', params, says: `${path} removed` }
  }
  throw wrongUsage(
    `"${path}" cannot be taken away; ${MAY_BE_ABSENT.join(', ')}, filter.NAME.notify, endpoint.NAME, endpoint.NAME.secret and endpoint.NAME.secret.previous can. Others are changed with: acuse config set`,
  )
}

/**
 * The part of the settings that a path names, as `config get PATH` prints it.
 * @throws CommandFailure when there is no such part
 */
export function valueAt(path: string, settings: Settings): unknown {
  const place = endpointPath(path)
  const endpoint = settings.endpoints.find(({ name }) => name === place?.name)
  if (place && !endpoint) throw wrongUsage(`There is no endpoint named "${place.name}".`)
  let value: unknown = place ? endpoint : settings
  for (const member of place ? (place.member?.split('.') ?? []) : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member))
      throw unknownPath(path, place ? [...endpointPaths(place.name)] : [...SETTINGS.keys(), 'endpoints'])
    value = (value as Readonly<Record<string, unknown>>)[member]
  }
  return value
}

const endpointPaths = (name: string) =>
  [...ENDPOINT.keys(), SECRET].map((member) => `endpoint.${name}.${member}`)

function unknownPath(path: string, known: readonly string[]) {
  const [meant] = nearest(path, known)
  return wrongUsage(
    `There is no setting "${path}".${meant === undefined ? '' : ` Did you mean ${meant}?`} Known are ${known.join(', ')}.`,
  )
}

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, member) => ({ [member]: inner }), value)

import { z } from 'zod'
import { alert } from '#contract/alerts.ts'
import { COMMANDS } from '#contract/commands.ts'
import { connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION, DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { firstWrong, paramWords, type Wrong } from '#contract/param-words.ts'
import { endpointName, headerName } from '#contract/params.ts'
import { schedule } from '#contract/schedule.ts'
import { type Endpoint, endpoint, type Settings, savedFilter } from '#contract/settings.ts'
import { target } from '#contract/target.ts'

export interface Refusal {
  /** The ignored or replaced part, as the start of a sentence without a full stop. */
  readonly what: string
  /** Path and description of the error in the file, without a full stop. */
  readonly why: string
}

export interface SettingsRead {
  readonly settings: Settings
  readonly refused: readonly Refusal[]
  /** Lower-case names of all secret headers in the file, those of refused entries included. */
  readonly secretHeaders: ReadonlySet<string>
}

// Uses the commands' schemas, so that the file can hold only values that a command could write.
const checked = <T>(schema: z.ZodType<T>, value: unknown) => schema.safeParse(value, { error: paramWords })

/** Defaults for members that older versions did not write; each start determines the places of credentials again. */
const { documentTypes, documentTypesComplete, apiKey, pluginToken } = DEFAULT_CONNECTION
const OLDER_CONNECTION = { documentTypes, documentTypesComplete, apiKey, pluginToken }

type Refuse = (what: string, wrong: Wrong) => void
type Clash<T> = (one: T, before: readonly T[]) => Wrong | null

/** Start of a sentence about an entry of each list. */
const LISTS = {
  endpoints: 'The endpoint',
  targets: 'The target',
  connections: 'The connection',
  schedules: 'The schedule of',
  alerts: 'The alert',
  savedFilters: 'The saved filter',
  formerSecretHeaders: null,
} as const
type List = keyof typeof LISTS
const GROUPS = ['receiver', 'masking', 'retention', 'telemetry', 'desktop', 'appearance'] as const
type Group = (typeof GROUPS)[number]
const MEMBERS: ReadonlySet<string> = new Set([...Object.keys(LISTS), ...GROUPS, 'defaultTarget'])

/**
 * Reads a settings file, with each entry of a list and each member of a group checked separately. It refuses only those that no command
 * could have written. Missing members take their defaults.
 */
export function readSettings(content: Readonly<Record<string, unknown>>): SettingsRead {
  const refused: Refusal[] = []
  const refuse: Refuse = (what, { path, message }) => {
    const at = path.length > 0 ? `${path.join('.')}: ` : ''
    refused.push({ what, why: `${at}${message.replace(/\.$/, '')}` })
  }
  const list = <T>(name: Exclude<List, 'endpoints'>, schema: z.ZodType<T>, clash: Clash<T>, absent = {}) => {
    const { kept, left } = readList(name, content[name], schema, clash, absent)
    for (const one of left) refuse(`${called(name, one)} is left out of the settings`, one.wrong)
    return kept
  }
  for (const member of Object.keys(content))
    if (!MEMBERS.has(member)) refuse('A member is left out of the settings', unknown([], member))
  const receiver = readGroup('receiver', content.receiver, refuse)
  const endpoints = readEndpoints(content.endpoints, refuse)
  const targets = list('targets', target, nameTaken)
  const connections = list('connections', connection, nameTaken, OLDER_CONNECTION)
  const schedules = list('schedules', schedule, ({ connection }, before) => {
    if (connections.every(({ name }) => name !== connection))
      return wrong('connection', 'no connection of this name is in use; correct that one, or the name')
    const twice = before.some((one) => one.connection === connection)
    return twice ? wrong('connection', 'this connection has a schedule already; keep one of them') : null
  })
  const alerts = list('alerts', alert, nameTaken)
  const former = list('formerSecretHeaders', z.string(), () => null)
  const settings: Settings = {
    receiver,
    endpoints,
    ...(former.length === 0 ? {} : { formerSecretHeaders: former }),
    targets,
    connections,
    schedules,
    alerts,
    defaultTarget: readDefaultTarget(content.defaultTarget, targets, refuse),
    savedFilters: list('savedFilters', savedFilter, nameTaken),
    masking: readGroup('masking', content.masking, refuse),
    retention: readGroup('retention', content.retention, refuse),
    telemetry: readGroup('telemetry', content.telemetry, refuse),
    desktop: readGroup('desktop', content.desktop, refuse),
    appearance: readGroup('appearance', content.appearance, refuse),
  }
  return { settings, refused, secretHeaders: secretHeadersIn(content) }
}

interface LeftOut {
  readonly index: number | null
  readonly entry: unknown
  readonly wrong: Wrong
}

function readList<T>(list: List, value: unknown, schema: z.ZodType<T>, clash: Clash<T>, absent: object) {
  if (value === undefined) return { kept: [], left: [] }
  if (!Array.isArray(value))
    return {
      kept: [],
      left: [{ index: null, entry: value, wrong: wrong(list, 'must be a list; give that instead') }],
    }
  const kept: T[] = []
  const left: LeftOut[] = []
  for (const [index, entry] of value.entries()) {
    const read = checked(schema, isObject(entry) ? { ...absent, ...entry } : entry)
    const found = read.success ? clash(read.data, kept) : firstWrong(read.error)
    if (found) left.push({ index, entry, wrong: { ...found, path: [list, index, ...found.path] } })
    else if (read.success) kept.push(read.data)
  }
  return { kept, left }
}

/** The result always has an endpoint at "/", which takes deliveries that match no other path. */
function readEndpoints(value: unknown, refuse: Refuse): readonly Endpoint[] {
  const clash: Clash<Endpoint> = (one, before) => {
    const samePath = before.some(({ path }) => path === one.path)
    if (samePath) return wrong('path', 'an endpoint before it has this path already; give it one of its own')
    return nameTaken(one, before)
  }
  const { kept, left } = readList('endpoints', value, endpoint, clash, { secret: null })
  const missing = kept.every(({ path }) => path !== '/')
  const main = missing ? left.find(({ entry }) => isMain(membersOf(entry))) : undefined
  const standIn = missing ? standInEndpoint(main?.entry, kept) : undefined
  const saying = (one: LeftOut): string => {
    if (one.index === null) return 'All of endpoints is left out of the settings'
    if (one !== main)
      return `${called('endpoints', one)} is left out of the settings and another one takes the deliveries to its path`
    if (standIn?.secret) return 'The default endpoint takes its defaults, but for its secret'
    const open = (membersOf(one.entry).secret ?? null) !== null
    return `The default endpoint takes its defaults${open ? ' and asks for no secret' : ''}`
  }
  for (const one of left) refuse(saying(one), one.wrong)
  return standIn ? [standIn, ...kept] : kept
}

/** Whether an entry is meant as the default endpoint, even with an invalid path. */
const isMain = ({ name, path }: Readonly<Record<string, unknown>>): boolean =>
  path === '/' || (name === DEFAULT_ENDPOINT.name && !(typeof path === 'string' && path.startsWith('/')))

function readGroup<G extends Group>(group: G, value: unknown, refuse: Refuse): Settings[G] {
  const defaults: Settings[G] = DEFAULT_SETTINGS[group]
  if (value === undefined) return defaults
  if (!isObject(value)) {
    refuse(`All of ${group} takes its defaults`, wrong(group, 'must be an object; give that instead'))
    return defaults
  }
  const members = Object.entries(value).filter(([member, given]) => {
    if (!Object.hasOwn(defaults, member)) {
      refuse(`A member of ${group} is left out of the settings`, unknown([group], member))
      return false
    }
    const read = checked(COMMANDS['settings.update'].params, { [group]: { [member]: given } })
    if (read.success) return true
    const standing: unknown = Object.entries(defaults).find(([name]) => name === member)?.[1]
    refuse(
      `${group}.${member} takes its default, ${standing === null ? 'none' : JSON.stringify(standing)}`,
      firstWrong(read.error),
    )
    return false
  })
  return { ...defaults, ...Object.fromEntries(members) }
}

function readDefaultTarget(value: unknown, targets: Settings['targets'], refuse: Refuse): string | null {
  if (value === undefined || value === null) return null
  const chosen = targets.find(({ name }) => name === value)
  if (chosen) return chosen.name
  const message =
    typeof value === 'string'
      ? 'no target of this name is in use; correct that one, or the name'
      : 'must be a text; give that instead'
  refuse('No target is the default', wrong('defaultTarget', message))
  return null
}

/** Ignores case, as the commands do for saved filters, the only entries with a name. */
function nameTaken({ name }: { readonly name: string }, before: readonly { name: string }[]): Wrong | null {
  const taken = before.some((one) => one.name.toLowerCase() === name.toLowerCase())
  return taken ? wrong('name', 'one before it has this name already; give it another') : null
}

const wrong = (member: string, message: string): Wrong => ({ path: [member], message })
const unknown = (path: readonly string[], member: string): Wrong => ({
  path,
  message: `${quoted(member)} is not known here; correct its name, or leave it out`,
})

/** Describes an entry by its name, else by its index. */
function called(list: List, { index, entry }: LeftOut): string {
  if (index === null) return `All of ${list}`
  const name = membersOf(entry)[list === 'schedules' ? 'connection' : 'name']
  const kind = LISTS[list]
  return typeof name === 'string' && kind !== null
    ? `${kind} ${quoted(name)}`
    : `Entry ${index + 1} of ${list}`
}

/** Quotes text on one line, without terminal control characters. */
const quoted = (text: string): string =>
  `"${text.slice(0, 60).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')}"`

/**
 * Replaces a refused or missing default endpoint. A typo must not remove the protection: when the refused entry names its secret header,
 * the replacement requires the secret too.
 * @param refused the refused entry; undefined when none was meant as the default endpoint
 */
function standInEndpoint(refused: unknown, others: readonly Endpoint[]): Endpoint {
  const free = (name: string): boolean => others.every((one) => one.name !== name)
  const name = membersOf(refused).name
  // Secrets are stored under the endpoint's name.
  if (endpointName.safeParse(name).success && free(String(name))) {
    const { header, values } = membersOf(membersOf(refused).secret)
    const asked = headerName.safeParse(header).success
      ? { header: String(header), values: values === 2 ? (2 as const) : (1 as const) }
      : null
    return { ...DEFAULT_ENDPOINT, name: String(name), secret: asked }
  }
  let standing = DEFAULT_ENDPOINT.name
  for (let n = 2; !free(standing); n += 1) standing = `${DEFAULT_ENDPOINT.name}-${n}`
  return { ...DEFAULT_ENDPOINT, name: standing }
}

/** Lower-case names of all secret headers in the file, even inside invalid entries, so that their values stay masked. */
function secretHeadersIn(content: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  const left = [content]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const header = headerName.safeParse(membersOf(membersOf(value).secret).header)
    if (header.success) found.add(header.data.toLowerCase())
    for (const member of Object.values(value)) left.push(member)
  }
  return found
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

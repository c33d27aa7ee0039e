import { DEFAULT_ENDPOINT, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Wrong } from '#contract/param-words.ts'
import type { Endpoint, Settings } from '#contract/settings.ts'
import {
  isObject,
  membersOf,
  type Read,
  readConnection,
  readEndpoint,
  readGroups,
  readSavedFilter,
  readSchedule,
  readTarget,
  readText,
  secretHeadersIn,
  standInEndpoint,
} from './settings-entries.ts'

/** Something of the file that is not in use. */
export interface Refusal {
  /** What is left out, or what stands in for it; without a full stop. */
  readonly what: string
  /** Where in the file it is wrong, and how; without a full stop. */
  readonly why: string
}

export interface SettingsRead {
  readonly settings: Settings
  readonly refused: readonly Refusal[]
  /** Lower case: every header that the file names for a secret, also in what is refused. */
  readonly secretHeaders: ReadonlySet<string>
}

type Refuse = (what: string, wrong: Wrong) => void
type Clash<T> = (one: T, before: readonly T[]) => Wrong | null

/** What an entry is, in front of its name. */
const LISTS = {
  endpoints: 'The endpoint',
  targets: 'The target',
  connections: 'The connection',
  schedules: 'The schedule of',
  savedFilters: 'The saved filter',
  formerSecretHeaders: null,
} as const
type List = keyof typeof LISTS
const GROUPS = ['receiver', 'masking', 'retention', 'desktop', 'appearance'] as const
type Group = (typeof GROUPS)[number]
const MEMBERS: ReadonlySet<string> = new Set([...Object.keys(LISTS), ...GROUPS, 'defaultTarget'])

/**
 * What a settings file says, each entry of a list and each member of a group by itself: what no command could have written is refused
 * alone, and the rest is in use. What is missing takes its default.
 */
export function readSettings(content: Readonly<Record<string, unknown>>): SettingsRead {
  const refused: Refusal[] = []
  const refuse: Refuse = (what, { path, message }) => {
    const at = path.length > 0 ? `${path.join('.')}: ` : ''
    refused.push({ what, why: `${at}${message.replace(/\.$/, '')}` })
  }
  const list = <T>(name: Exclude<List, 'endpoints'>, read: (entry: unknown) => Read<T>, clash: Clash<T>) => {
    const { kept, left } = readList(name, content[name], read, clash)
    for (const one of left) refuse(`${called(name, one)} is left out of the settings`, one.wrong)
    return kept
  }
  for (const member of Object.keys(content))
    if (!MEMBERS.has(member)) refuse('A member is left out of the settings', unknown([], member))
  const receiver = readGroup('receiver', content.receiver, refuse)
  const endpoints = readEndpoints(content.endpoints, refuse)
  const targets = list('targets', readTarget, nameTaken)
  const connections = list('connections', readConnection, nameTaken)
  const schedules = list('schedules', readSchedule, ({ connection }, before) => {
    if (connections.every(({ name }) => name !== connection))
      return wrong('connection', 'no connection of this name is in use; correct that one, or the name')
    const twice = before.some((one) => one.connection === connection)
    return twice ? wrong('connection', 'this connection has a schedule already; keep one of them') : null
  })
  const former = list('formerSecretHeaders', readText, () => null)
  const settings: Settings = {
    receiver,
    endpoints,
    ...(former.length === 0 ? {} : { formerSecretHeaders: former }),
    targets,
    connections,
    schedules,
    defaultTarget: readDefaultTarget(content.defaultTarget, targets, refuse),
    savedFilters: list('savedFilters', readSavedFilter, nameTaken),
    masking: readGroup('masking', content.masking, refuse),
    retention: readGroup('retention', content.retention, refuse),
    desktop: readGroup('desktop', content.desktop, refuse),
    appearance: readGroup('appearance', content.appearance, refuse),
  }
  return { settings, refused, secretHeaders: secretHeadersIn(content) }
}

interface LeftOut {
  /** Null: all of the list. */
  readonly index: number | null
  readonly entry: unknown
  readonly wrong: Wrong
}

function readList<T>(
  list: List,
  value: unknown,
  read: (entry: unknown) => Read<T>,
  clash: Clash<T>,
): { readonly kept: readonly T[]; readonly left: readonly LeftOut[] } {
  if (value === undefined) return { kept: [], left: [] }
  if (!Array.isArray(value))
    return {
      kept: [],
      left: [{ index: null, entry: value, wrong: wrong(list, 'must be a list; give that instead') }],
    }
  const kept: T[] = []
  const left: LeftOut[] = []
  for (const [index, entry] of value.entries()) {
    const one = read(entry)
    const found = 'wrong' in one ? one.wrong : clash(one.value, kept)
    if (found) left.push({ index, entry, wrong: { ...found, path: [list, index, ...found.path] } })
    else if ('value' in one) kept.push(one.value)
  }
  return { kept, left }
}

/** With one at "/", whatever the file says: it takes what matches no other path. */
function readEndpoints(value: unknown, refuse: Refuse): readonly Endpoint[] {
  const { kept, left } = readList<Endpoint>('endpoints', value, readEndpoint, (one, before) => {
    const samePath = before.some(({ path }) => path === one.path)
    if (samePath) return wrong('path', 'an endpoint before it has this path already; give it one of its own')
    return nameTaken(one, before)
  })
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

/** Meant for the default endpoint, also where its path cannot be one. */
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
    const read = readGroups({ [group]: { [member]: given } })
    if ('value' in read) return true
    const standing: unknown = Object.entries(defaults).find(([name]) => name === member)?.[1]
    refuse(
      `${group}.${member} takes its default, ${standing === null ? 'none' : JSON.stringify(standing)}`,
      read.wrong,
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

/** Ignoring case, as names of saved filters are told apart; others have none. */
function nameTaken({ name }: { readonly name: string }, before: readonly { name: string }[]): Wrong | null {
  const taken = before.some((one) => one.name.toLowerCase() === name.toLowerCase())
  return taken ? wrong('name', 'one before it has this name already; give it another') : null
}

const wrong = (member: string, message: string): Wrong => ({ path: [member], message })
const unknown = (path: readonly string[], member: string): Wrong => ({
  path,
  message: `${quoted(member)} is not known here; correct its name, or leave it out`,
})

/** An entry by its name, or by its place where it has none. */
function called(list: List, { index, entry }: LeftOut): string {
  if (index === null) return `All of ${list}`
  const name = membersOf(entry)[list === 'schedules' ? 'connection' : 'name']
  const kind = LISTS[list]
  return typeof name === 'string' && kind !== null
    ? `${kind} ${quoted(name)}`
    : `Entry ${index + 1} of ${list}`
}

/** On one line and without what a terminal obeys. */
const quoted = (text: string): string =>
  `"${text.slice(0, 60).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?')}"`

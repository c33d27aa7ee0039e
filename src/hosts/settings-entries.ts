import { z } from 'zod'
import { PARAMS } from '#contract/commands.ts'
import { FILTER_PARAMS } from '#contract/filter-commands.ts'
import { firstWrong, paramWords, type Wrong } from '#contract/param-words.ts'
import { endpointName, headerName } from '#contract/params.ts'
import { type Connection, DEFAULT_CONNECTION } from '#contract/reconcile.ts'
import { RECONCILE_PARAMS } from '#contract/reconcile-commands.ts'
import type { Target } from '#contract/replay.ts'
import { SCHEDULE_PARAMS, type Schedule } from '#contract/schedules.ts'
import { DEFAULT_ENDPOINT, type Endpoint, type SavedFilter } from '#contract/settings.ts'

export type Read<T> = { readonly value: T } | { readonly wrong: Wrong }

const secret = z.object({ header: z.string(), values: z.union([z.literal(1), z.literal(2)]) }).nullable()
const withSecret = z.looseObject({ secret: secret.optional() })
const place = z.enum(['none', 'stored', 'environment']).default('none')
const withPlaces = z.looseObject({ apiKey: place, pluginToken: place })

// The same rules as at the boundary: what no command could have written is not read either.
const by =
  <T>(schema: z.ZodType<unknown>) =>
  (value: unknown): Read<T> =>
    checked(schema as z.ZodType<T>, value)

const bareEndpoint = by<Omit<Endpoint, 'secret'>>(PARAMS['endpoints.save'])
const bareConnection = by<Omit<Connection, 'apiKey' | 'pluginToken'>>(RECONCILE_PARAMS['connections.save'])
export const readTarget = by<Target>(PARAMS['targets.save'])
export const readSchedule = by<Schedule>(SCHEDULE_PARAMS['schedules.save'])
export const readSavedFilter = by<SavedFilter>(FILTER_PARAMS['filters.save'])
export const readGroups = by<object>(PARAMS['settings.update'])
export const readText = (value: unknown): Read<string> => checked(z.string(), value)

export function readEndpoint(value: unknown): Read<Endpoint> {
  const whole = checked(withSecret, value)
  if ('wrong' in whole) return whole
  const { secret: part, ...rest } = whole.value
  const bare = bareEndpoint(rest)
  return 'wrong' in bare ? bare : { value: { ...bare.value, secret: part ?? null } }
}

/** Places of credentials are found out anew at every start; the environment is another one then. */
export function readConnection(value: unknown): Read<Connection> {
  const whole = checked(withPlaces, value)
  if ('wrong' in whole) return whole
  const { apiKey, pluginToken, ...rest } = whole.value
  // What an Acuse before did not know of yet is as in a new connection.
  const { documentTypes, documentTypesComplete } = DEFAULT_CONNECTION
  const bare = bareConnection({ documentTypes, documentTypesComplete, ...rest })
  return 'wrong' in bare ? bare : { value: { ...bare.value, apiKey, pluginToken } }
}

/**
 * What stands in for a default endpoint that is refused, or is not there. A typo must not open a door: where the secret can be told, it
 * is asked for still.
 * @param refused what was meant to be it; undefined: nothing was
 */
export function standInEndpoint(refused: unknown, others: readonly Endpoint[]): Endpoint {
  const free = (name: string): boolean => others.every((one) => one.name !== name)
  const name = membersOf(refused).name
  // Its values lie under its name.
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

/** Lower case: every header that anything in the file names for a secret, whatever else is wrong with it: what came in them stays covered. */
export function secretHeadersIn(content: unknown): ReadonlySet<string> {
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

/** None of what is no object. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checked<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const read = schema.safeParse(value, { error: paramWords })
  return read.success ? { value: read.data } : { wrong: firstWrong(read.error) }
}

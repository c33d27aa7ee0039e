import { z } from 'zod'
import { COMMANDS } from '#contract/commands.ts'
import { type Connection, connection } from '#contract/connection.ts'
import { DEFAULT_CONNECTION, DEFAULT_ENDPOINT } from '#contract/defaults.ts'
import { firstWrong, paramWords, type Wrong } from '#contract/param-words.ts'
import { endpointName, headerName } from '#contract/params.ts'
import { schedule } from '#contract/schedule.ts'
import { type Endpoint, endpoint, savedFilter } from '#contract/settings.ts'
import { target } from '#contract/target.ts'

export type Read<T> = { readonly value: T } | { readonly wrong: Wrong }

// The same rules as at the boundary: what no command could have written is not read either.
const by =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): Read<T> =>
    checked(schema, value)

export const readTarget = by(target)
export const readSchedule = by(schedule)
export const readSavedFilter = by(savedFilter)
export const readGroups = by(COMMANDS['settings.update'].params)
export const readText = by(z.string())

export const readEndpoint = (value: unknown): Read<Endpoint> =>
  checked(endpoint, isObject(value) ? { secret: null, ...value } : value)

/** Places of credentials are found out anew at every start; the environment is another one then. */
export function readConnection(value: unknown): Read<Connection> {
  // A member that an older Acuse did not write is as in a new connection.
  const { documentTypes, documentTypesComplete, apiKey, pluginToken } = DEFAULT_CONNECTION
  return checked(
    connection,
    isObject(value) ? { documentTypes, documentTypesComplete, apiKey, pluginToken, ...value } : value,
  )
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

/** Lower case: every header that anything in the file names for a secret, whatever else is wrong with it: their values stay masked. */
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

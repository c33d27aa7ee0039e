import { z } from 'zod'
import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'

/**
 * Declares a command once: types, validation, contract tests and reference pages follow from it. Its name is its key in COMMANDS.
 * @param about what it does and when it refuses, for the reference and for tools
 * @param params hosts validate with it; unknown members are refused: a typo must not silently do nothing
 * @param result the contract suite holds every host's results against it
 */
export const defineCommand = <P extends z.ZodType, R extends z.ZodType>(
  about: string,
  params: P,
  result: R,
) => ({
  about,
  params,
  result,
})

/** As `defineCommand`, for one that the store's reader answers by its method of that name. */
export const defineQuery = <P extends z.ZodType, R extends z.ZodType>(
  about: string,
  params: P,
  result: R,
) => ({
  ...defineCommand(about, params, result),
  query: true as const,
})

/** A value that crossed a boundary: neither side changes it. */
export type Sent<T> = T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T
/** What a schema accepts, as both sides see it. */
export type Of<S extends z.ZodType> = Sent<z.output<S>>

export const partial = <S extends z.ZodRawShape>(shape: S): { [K in keyof S]: z.ZodExactOptional<S[K]> } =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, z.exactOptional(schema)])) as {
    [K in keyof S]: z.ZodExactOptional<S[K]>
  }

const names = <T extends string>([first, ...others]: readonly T[]): [T, ...T[]] => {
  if (first === undefined) throw new Error('a choice needs values')
  return [first, ...others]
}

export const nothing = z.strictObject({})
/** Of a delivery, a job, a sweep: rises, and is never used again. */
export const id = z.int().positive()
export const byId = z.strictObject({ id })
export const count = z.int().nonnegative()
/** Milliseconds since the epoch. */
export const instant = z.int().nonnegative().max(8_640_000_000_000_000)
/** The same in results. */
export const epochMs = z.number()
/** Microseconds since the epoch; before it for what an event claims. */
export const micros = z.int()
export const milliseconds = z.int().min(1).max(3_600_000)
export const limit = z.int().min(1).max(1_000)
/** Of the filter language (docs/reference/filter.md). */
export const filter = z.string().max(10_000)
export const kind = z.enum(names<Kind>(KINDS.map((spec) => spec.kind)), {
  error: 'is none of the 28 kinds; give one, such as "factura.created"',
})
export const group = z.enum(names<Group>(GROUPS.map(({ slug }) => slug)))
export const words = z.record(z.string(), z.union([z.string(), z.number()]))

/** A name that people type and scripts hold on to: of an endpoint, a target, a forward. */
export const endpointName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'use 1 to 60 characters of a-z, 0-9 and "-"')

/** RFC 9110: what a header name or a method is made of. */
export const token = (what: string, most: number) => {
  const wrong = `not a ${what}; use letters, digits and signs such as "-", and no spaces`
  return z
    .string()
    .max(most)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, wrong)
}
export const headerName = token('header name', 200)

/** RFC 9110 field values: no CR, LF, NUL or other controls but tab; latin-1 at most, since that is what HTTP/1.1 can carry. */
export const headerValue = z
  .string()
  .max(65_536)
  .regex(
    /^[\t\x20-\x7e\x80-\xff]*$/,
    'not a header value; use no line breaks or control characters, and Latin-1 at most',
  )

/** `localhost:3000/hook`, `127.0.0.1:3000`, `[::1]:3000`: a machine nearby, for which one leaves out the scheme. */
const NEARBY = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i

/** A URL as a user typed it, trimmed, and with `http://` where an address of this computer has no scheme. */
export function fullUrl(text: string): string {
  const typed = text.trim()
  return NEARBY.test(typed) ? `http://${typed}` : typed
}

/** An address to send to, completed by `fullUrl`. Credentials have places of their own: in a URL they would end up in logs. */
export const httpUrl = z
  .string()
  .max(8_000)
  .overwrite(fullUrl)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
  }, 'give an http:// or https:// address without user and password')

/** Whether this is an IANA time zone that the system knows. */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
export const zone = z
  .string()
  .max(100)
  .refine(isZone, 'not a time zone; give one such as America/Santo_Domingo')

/** A file of this machine; a relative path would mean another one after the next start. */
const absolutePath = z
  .string()
  .max(4_000)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]+$/, 'give the absolute path of a PEM file')

export const receiverTls = z.union([
  z.strictObject({ certificate: z.literal('generated') }),
  z.strictObject({ certificate: absolutePath, key: absolutePath }),
])

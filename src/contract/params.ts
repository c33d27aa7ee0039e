import { z } from 'zod'
import { GROUPS, type Group, KINDS, type Kind } from '#catalog/kinds.ts'
import { ERROR_CODES } from './errors.ts'

/**
 * Declares a command once: types, validation, contract tests and reference pages derive from it. Its name is its key in COMMANDS.
 * @param about what the command does and when it refuses, for the reference and for tools
 * @param params schema with which hosts validate; refuses unknown members, since a typo must not silently do nothing
 * @param result schema against which the contract suite checks every host's results
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

/** Like `defineCommand`, for a command that changes nothing: only these and queries run on an opened session file. */
export const defineReading = <P extends z.ZodType, R extends z.ZodType>(
  about: string,
  params: P,
  result: R,
) => ({
  ...defineCommand(about, params, result),
  reads: true as const,
})

/** Like `defineReading`, for a command that the store's reader answers with its method of the same name. */
export const defineQuery = <P extends z.ZodType, R extends z.ZodType>(
  about: string,
  params: P,
  result: R,
) => ({
  ...defineReading(about, params, result),
  query: true as const,
})

/** A value that crossed a boundary, read-only for both sides. */
export type Sent<T> = T extends object ? { readonly [K in keyof T]: Sent<T[K]> } : T
/** The output type of a schema, read-only. */
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
/** Id of a delivery, job, sweep and so on: rises and is never reused. */
export const id = z.int().positive()
export const byId = z.strictObject({ id })
export const count = z.int().nonnegative()
/** Milliseconds since the epoch. */
export const instant = z.int().nonnegative().max(8_640_000_000_000_000)
/** Milliseconds since the epoch, in results. */
export const epochMs = z.number()
/** Microseconds since the epoch; negative when an event claims an earlier date. */
export const micros = z.int()
export const milliseconds = z.int().min(1).max(3_600_000)
export const limit = z.int().min(1).max(1_000)
/** A text in the filter language (docs/reference/filter.md). */
export const filter = z.string().max(10_000)
export const kind = z.enum(names<Kind>(KINDS.map((spec) => spec.kind)), {
  error: 'is none of the 28 kinds; give one, such as "factura.created"',
})
export const group = z.enum(names<Group>(GROUPS.map(({ slug }) => slug)))
/** A refusal that is part of a result. */
export const refusal = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  command: z.string().exactOptional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).exactOptional(),
})
export const words = z.record(z.string(), z.union([z.string(), z.number()]))

/** A name that users type and scripts refer to: of an endpoint, target or forward. */
export const endpointName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'use 1 to 60 characters of a-z, 0-9 and "-"')

/** An RFC 9110 token: a header name or a method. */
export const token = (what: string, most: number) => {
  const wrong = `not a ${what}; use letters, digits and signs such as "-", and no spaces`
  return z
    .string()
    .max(most)
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, wrong)
}
export const headerName = token('header name', 200)

/** RFC 9110 field value: no CR, LF, NUL or other control except tab; Latin-1 at most, which is what HTTP/1.1 can carry. */
export const headerValue = z
  .string()
  .max(65_536)
  .regex(
    /^[\t\x20-\x7e\x80-\xff]*$/,
    'not a header value; use no line breaks or control characters, and Latin-1 at most',
  )

/** An address on this machine, for which users leave out the scheme: `localhost:3000/hook`, `127.0.0.1:3000`, `[::1]:3000`. */
const NEARBY = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?:[/?#]|$)/i

/** Trims a typed URL and prepends `http://` to a local address without a scheme. */
export function fullUrl(text: string): string {
  const typed = text.trim()
  return NEARBY.test(typed) ? `http://${typed}` : typed
}

/** An address to send to, completed by `fullUrl`. Credentials have fields of their own: in a URL they would end up in logs. */
export const httpUrl = z
  .string()
  .max(8_000)
  .overwrite(fullUrl)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password
  }, 'give an http:// or https:// address without user and password')

/** Scheme and host of an address, without a path. */
export const origin = z
  .string()
  .max(300)
  .regex(/^https?:\/\/[\w.:[\]-]+$/i, 'give http:// or https:// and a host, without a path')

/** Whether the system knows this IANA time zone. */
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

/** A file of this machine. Absolute, since a relative path would depend on the working directory. */
const absolutePath = z
  .string()
  .max(4_000)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]+$/, 'give the absolute path of a PEM file')

export const receiverTls = z.union([
  z.strictObject({ certificate: z.literal('generated') }),
  z.strictObject({ certificate: absolutePath, key: absolutePath }),
])

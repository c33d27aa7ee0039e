import { z } from 'zod'
import { SORT_KEYS } from './order.ts'

/** A name that people type and scripts hold on to: of an endpoint, a target, a forward. */
export const endpointName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, 'use 1 to 60 characters of a-z, 0-9 and "-"')

export const headerName = z
  .string()
  .max(200)
  .regex(
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    'not a header name; use letters, digits and signs such as "-", and no spaces',
  )

/** RFC 9110 field values: no CR, LF, NUL or other controls but tab; latin-1 at most, since that is what HTTP/1.1 can carry. */
export const headerValue = z
  .string()
  .max(65_536)
  .regex(
    /^[\t\x20-\x7e\x80-\xff]*$/,
    'not a header value; use no line breaks or control characters, and Latin-1 at most',
  )

/** An address to send to. Credentials have places of their own: in a URL they would end up in logs. */
export const httpUrl = z
  .string()
  .max(8_000)
  .refine((text) => {
    const url = URL.parse(text)
    return (
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      !url.username &&
      !url.password
    )
  }, 'give an http:// or https:// address without user and password')

/** A file of this machine; a relative path would mean another one after the next start. */
const absolutePath = z
  .string()
  .max(4_000)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]+$/, 'give the absolute path of a PEM file')

export const receiverTls = z.union([
  z.strictObject({ certificate: z.literal('generated') }),
  z.strictObject({ certificate: absolutePath, key: absolutePath }),
])

/** An order of deliveries (order.ts). */
export const sort = z.strictObject({
  by: z.enum(SORT_KEYS),
  descending: z.boolean(),
  upto: z.int().nonnegative().optional(),
})

import { z } from 'zod'
import { endpointName, headerName, headerValue, httpUrl, milliseconds, type Of, token } from './params.ts'

/** A header that a target adds. One of the same name in the delivery is replaced, in its place. */
const targetHeader = z.strictObject({
  name: headerName,
  /** Null for a secret: its value lies in the secret store and never leaves the process. */
  value: headerValue.nullable(),
  secret: z.boolean(),
})
export type TargetHeader = Of<typeof targetHeader>

/** Milliseconds. Each phase has its own bound, and the whole has one. */
export const timeouts = z.strictObject({
  /** Name look-up, connection and TLS. */
  connectMs: milliseconds,
  /** From the last byte sent to the first byte of the answer. */
  answerMs: milliseconds,
  totalMs: milliseconds,
})
export type Timeouts = Of<typeof timeouts>

export const method = token('method', 40)

/** Where deliveries are sent again: a URL with all that belongs to it. */
export const target = z.strictObject({
  name: endpointName,
  url: httpUrl,
  /** Null: as received. */
  method: method.nullable(),
  /** `target`: the URL's own; `append`: the delivery's is put behind it. */
  path: z.enum(['target', 'append']),
  query: z.enum(['target', 'append']),
  headers: z.array(targetHeader).max(1_000),
  remove: z.array(headerName).max(1_000),
  timeouts,
  acceptAnyCertificate: z.boolean(),
  /** The receiver's secret header goes along even where the target is not loopback (loopback targets always get it). */
  keepSecret: z.boolean(),
  /** Cookie and Authorization of the delivery go along beyond loopback (which always gets them). Targets of 0.1 say nothing of it. */
  keepCredentials: z.boolean().default(false),
  /** Sends `X-Acuse-Replay: <attempt id>`. */
  markReplays: z.boolean(),
})
export type Target = Of<typeof target>

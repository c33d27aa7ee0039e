import { z } from 'zod'
import { endpointName, headerName, headerValue, httpUrl, milliseconds, type Of, token } from './params.ts'

/** A header that a target adds. It replaces a header of the same name in the delivery, at the same position. */
const targetHeader = z.strictObject({
  name: headerName,
  /** Null for a secret, whose value is in the secret store and never leaves the process. */
  value: headerValue.nullable(),
  secret: z.boolean(),
})
export type TargetHeader = Of<typeof targetHeader>

/** Milliseconds: one limit per phase and one for the whole attempt. */
export const timeouts = z.strictObject({
  /** Name look-up, connection and TLS. */
  connectMs: milliseconds,
  /** From the last byte sent to the first byte of the answer. */
  answerMs: milliseconds,
  totalMs: milliseconds,
})
export type Timeouts = Of<typeof timeouts>

export const method = token('method', 40)

/** Where deliveries are sent: a URL with its options. */
export const target = z.strictObject({
  name: endpointName,
  url: httpUrl,
  /** Null: the method of the delivery. */
  method: method.nullable(),
  /** `target`: only the target URL's own; `append`: followed by that of the delivery. */
  path: z.enum(['target', 'append']),
  query: z.enum(['target', 'append']),
  headers: z.array(targetHeader).max(1_000),
  remove: z.array(headerName).max(1_000),
  timeouts,
  acceptAnyCertificate: z.boolean(),
  /** Sends the receiver's secret header to targets beyond loopback too (loopback targets always get it). */
  keepSecret: z.boolean(),
  /** Sends the delivery's Cookie and Authorization beyond loopback too (loopback always gets them). Absent in targets of 0.1. */
  keepCredentials: z.boolean().default(false),
  /** Adds the header `X-Acuse-Replay: <attempt id>`. */
  markReplays: z.boolean(),
})
export type Target = Of<typeof target>

import { z } from 'zod'
import { answeredBy } from './faults.ts'
import { count } from './params.ts'
import { MALFORMED, MARKS } from './values.ts'

/** Bytes of a header as Latin-1 text. A line feed separates headers in the store. */
const headerText = z
  .string()
  .max(1_048_576)
  .regex(/^[^\n\u{100}-\u{10ffff}]*$/u, 'is no header: it has a line break or characters beyond Latin-1')
const headerPairs = z.array(z.tuple([headerText, headerText])).max(100_000)
const line = z.string().max(1_048_576)

/** A delivery in a file that Acuse exported; unknown members are ignored. */
export const importedRecord = z.object({
  receivedAt: z.string(),
  endpoint: z.string().min(1).max(60).optional(),
  method: line,
  url: line,
  httpVersion: z.string().max(20).optional(),
  remoteAddress: z.string().max(200).optional(),
  remotePort: z.int().min(0).max(65_535).optional(),
  receivingUs: count.optional(),
  tookUs: count.nullish(),
  rejected: z.boolean().optional(),
  malformed: z.enum(MALFORMED).nullish(),
  marks: z.array(z.enum(MARKS)).optional(),
  tags: z.array(z.string().max(100)).max(1_000).optional(),
  noteText: z.string().max(100_000).nullish(),
  size: count,
  headers: headerPairs.optional(),
  trailers: headerPairs.optional(),
  answer: count.nullish(),
  answeredBy: answeredBy.nullish(),
  answered: z.object({ headers: headerPairs, bodyBase64: z.base64() }).nullish(),
  body: z.string().nullish(),
  bodyBase64: z.base64().optional(),
})

import { z } from 'zod'
import { ERROR_CODES, type Refusal } from '#contract/errors.ts'

/**
 * One JSON text per line. A client sends `{id, command, params}` and gets `{id, result}` or `{id, refusal}`, in any order.
 * The command `subscribe` answers `{}`; after that the host sends pushes as lines without an id.
 */
export const SUBSCRIBE = 'subscribe'

export const REQUEST_LIMIT = 4 * 1_048_576

export const request = z.object({
  id: z.union([z.int(), z.string().max(200)]),
  command: z.string().max(200),
  params: z.unknown().optional(),
})

export type Reply =
  | { readonly id: number | string; readonly result: unknown }
  /** The id is null when the host could not parse the line. */
  | { readonly id: number | string | null; readonly refusal: Refusal }

const refusal = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  command: z.string().optional(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
})

/** A line from the host: an answer or a push. */
export const reply = z.union([
  z.object({ id: z.union([z.int(), z.string(), z.null()]), refusal }),
  z.object({ id: z.union([z.int(), z.string()]), result: z.unknown() }),
  z.object({ seq: z.int(), push: z.string(), payload: z.unknown() }),
])

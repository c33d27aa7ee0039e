import { z } from 'zod'
import type { DeliveryRow } from './delivery.ts'

/** `json`: one object in one line each; `curl`: a command of a POSIX shell each. */
export const COPY_FORMS = ['json', 'curl'] as const
export type CopyForm = (typeof COPY_FORMS)[number]

/** A body beyond this is not written out in a copy. */
export const MOST_COPIED_BODY = 1_048_576

export interface CopyCommands {
  /** Rows of those ids that exist, in the order of the ids. */
  'deliveries.rows': { params: { ids: readonly number[] }; result: { rows: readonly DeliveryRow[] } }
  /** Deliveries written out for another program. Secrets are masked unless `reveal`. */
  'deliveries.copy': {
    params: {
      ids: readonly number[]
      as: CopyForm
      /** Where `curl` sends it, without a path; absent: to the host that the delivery names. */
      base?: string
      reveal?: boolean
    }
    result: {
      /** In the order of the ids; none for what does not exist. */
      texts: readonly string[]
      /** An answer has a bound: so many ids are in it, and the others are to be asked for again. */
      taken: number
    }
  }
}
export type CopyCommandName = keyof CopyCommands

const ids = z.array(z.int().positive()).min(1).max(1_000)

export const COPY_PARAMS: { readonly [C in CopyCommandName]: z.ZodType<unknown> } = {
  'deliveries.rows': z.strictObject({ ids }),
  'deliveries.copy': z.strictObject({
    ids,
    as: z.enum(COPY_FORMS),
    base: z
      .string()
      .max(300)
      .regex(/^https?:\/\/[\w.:[\]-]+$/i, 'give http:// or https:// and a host, without a path')
      .optional(),
    reveal: z.boolean().optional(),
  }),
}

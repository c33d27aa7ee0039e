import { z } from 'zod'

/** How long what was deleted can be restored, milliseconds. */
export const TRASH_KEPT_MS = 86_400_000

/** What is to be deleted: exactly one of `ids` and `filter`. */
export interface TrashParams {
  /** Pinned ones among them go too. */
  readonly ids?: readonly number[]
  /** All that it selects but the pinned ones. */
  readonly filter?: string
  /** With `filter`: none that is newer than this id, such as the newest that was seen when it was decided. */
  readonly upTo?: number
}

export interface TrashOutcome {
  /** What `deliveries.restore` takes; null when nothing was deleted. */
  readonly batch: number | null
  readonly deliveries: number
  /** Bytes of headers and bodies. */
  readonly bytes: number
  /** Selected by the filter, and left because they are pinned. */
  readonly pinnedExempt: number
}

/** What was deleted at once. */
export interface TrashBatch {
  readonly batch: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null when single ones were meant. */
  readonly filter: string | null
  readonly deliveries: number
  readonly bytes: number
  /** Arrival of the oldest and newest of them, microseconds. */
  readonly oldest: number
  readonly newest: number
  /** When it is gone for good, milliseconds since the epoch. */
  readonly emptiedAt: number
}

export interface TrashCommands {
  /** Takes deliveries out of every list at once. For a day they can be restored. */
  'deliveries.trash': { params: TrashParams; result: TrashOutcome }
  /** Puts them back under their ids, with their notes, tags and pins. */
  'deliveries.restore': { params: { batch: number }; result: { deliveries: number } }
  /** The latest first. */
  'trash.list': { params: Record<string, never>; result: { batches: readonly TrashBatch[] } }
  /** Deletes for good; everything when no batch is named. */
  'trash.empty': { params: { batch?: number }; result: { deliveries: number; bytes: number } }
}
export type TrashCommandName = keyof TrashCommands

const id = z.int().positive()

export const TRASH_PARAMS: { readonly [C in TrashCommandName]: z.ZodType<unknown> } = {
  'deliveries.trash': z
    .strictObject({
      ids: z.array(id).min(1).max(100_000).optional(),
      filter: z.string().max(10_000).optional(),
      upTo: id.optional(),
    })
    .refine(
      ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
      'give exactly one of ids and filter',
    )
    .refine(({ ids, upTo }) => ids === undefined || upTo === undefined, 'give upTo with a filter only'),
  'deliveries.restore': z.strictObject({ batch: id }),
  'trash.list': z.strictObject({}),
  'trash.empty': z.strictObject({ batch: id.optional() }),
}

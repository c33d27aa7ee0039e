import { z } from 'zod'
import { COUNTED_FIELDS, type CountedField } from './counted-fields.ts'
import { FILTER_NAME, type SavedFilter, type Settings } from './settings.ts'

export interface FilterCounts {
  /** The most frequent first; `none` stands for deliveries that have no such value. */
  readonly counts: readonly { readonly value: string; readonly count: number }[]
  /** False: counted among the newest deliveries only, so each count is the least it can be. */
  readonly exact: boolean
}

export interface FilterCommands {
  /**
   * Keeps a filter under a name; one of that name, or of `previousName`, is replaced. Without `notify` it tells of deliveries as the one
   * did that it replaces. `conflict` where `previousName` would get the name of another.
   */
  'filters.save': { params: SavedFilter & { readonly previousName?: string }; result: Settings }
  'filters.remove': { params: { name: string }; result: Settings }
  /** How often each value of a field occurs among the deliveries that `filter` selects. */
  'filter.counts': { params: { field: CountedField; filter: string }; result: FilterCounts }
}
export type FilterCommandName = keyof FilterCommands

const name = z.string().max(60).regex(FILTER_NAME, 'use 1 to 60 letters, digits, spaces, ".", "_" and "-"')
const filter = z.string().max(10_000)

export const FILTER_PARAMS: { readonly [C in FilterCommandName]: z.ZodType<unknown> } = {
  'filters.save': z.strictObject({
    name,
    filter: filter.min(1),
    notify: z.boolean().optional(),
    previousName: name.optional(),
  }),
  'filters.remove': z.strictObject({ name }),
  'filter.counts': z.strictObject({ field: z.enum(COUNTED_FIELDS), filter }),
}

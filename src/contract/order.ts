import { z } from 'zod'
import { count, type Of } from './params.ts'
import { SORT_KEYS } from './values.ts'

/**
 * An order other than by arrival. Ascending order puts rows without a value first and equal rows in order of arrival; descending order is
 * its exact reverse. As in order of arrival, the row shown first has the highest position.
 */
export const sort = z.strictObject({
  by: z.enum(SORT_KEYS),
  descending: z.boolean(),
  /** Leaves out deliveries after this id, so that positions stay valid. Absent: none; `Ordered.upto` gives the id used. */
  upto: count.exactOptional(),
})
export type Sort = Of<typeof sort>
export type SortKey = Sort['by']

/** Facts about a page requested with an order. */
export const ordered = z.strictObject({
  /** Id of the last delivery included in the order. */
  upto: count,
  /** Members that arrived after it. */
  newer: count,
  /** Progress while the order is built, as long as the client polls every two seconds. Until then `rows` has only what an index gives. */
  building: z.strictObject({ done: count, of: count }).exactOptional(),
})
export type Ordered = Of<typeof ordered>

import { z } from 'zod'
import { count, type Of } from './params.ts'
import { SORT_KEYS } from './values.ts'

/**
 * An order other than that of arrival. Ascending, what has no value comes first and equals stand as they arrived; descending is exactly the
 * reverse. As by arrival, the row shown first has the highest position.
 */
export const sort = z.strictObject({
  by: z.enum(SORT_KEYS),
  descending: z.boolean(),
  /** Leaves out what arrived after this delivery, so that positions keep their meaning. Absent: all; `Ordered.upto` says up to where. */
  upto: count.exactOptional(),
})
export type Sort = Of<typeof sort>
export type SortKey = Sort['by']

/** What is said of a page that was asked for with an order. */
export const ordered = z.strictObject({
  /** The last delivery that takes part. */
  upto: count,
  /** Members that arrived after it. */
  newer: count,
  /** The order is still being made, while a client asks again within two seconds. Until then `rows` are only those that an index gives. */
  making: z.strictObject({ done: count, of: count }).exactOptional(),
})
export type Ordered = Of<typeof ordered>

/**
 * What deliveries can be ordered by. `arrival`: the order without a sort. `document`: number, else document id. `tags`: the first of its
 * tags in alphabetical order. `timestamp`: what the event says.
 */
export const SORT_KEYS = [
  'arrival',
  'kind',
  'document',
  'verdict',
  'tags',
  'endpoint',
  'answer',
  'size',
  'took',
  'timestamp',
  'attempts',
  'method',
  'path',
] as const
export type SortKey = (typeof SORT_KEYS)[number]

/**
 * An order other than that of arrival. Ascending, what has no value comes first and equals stand as they arrived; descending is
 * exactly the reverse. Positions count from the end of the list as it is shown, as they do by arrival, newest first: the row shown
 * first has the highest.
 */
export interface Sort {
  readonly by: SortKey
  readonly descending: boolean
  /**
   * Leaves out what arrived after this delivery, so that positions keep their meaning while deliveries arrive. Absent: all that can be
   * ordered now is, and `Ordered.upto` says up to where that is; further pages of the same list give it.
   */
  readonly upto?: number
}

/** What is said of a page that was asked for with an order. */
export interface Ordered {
  /** The last delivery that takes part. */
  readonly upto: number
  /** Members that arrived after it. */
  readonly newer: number
  /**
   * The order is still being made, and goes on while somebody asks again within two seconds: so many deliveries are taken in, of all
   * there are. Until then `rows` are only those that an index gives, or none at all; those that are given stand where they will stay.
   */
  readonly making?: { readonly done: number; readonly of: number }
}

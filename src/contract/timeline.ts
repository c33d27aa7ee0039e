import type { CoverageSpan } from './status.ts'

/** What a bar of the timeline is stacked by. */
export const TIMELINE_BY = ['verdict', 'group'] as const
export type TimelineBy = (typeof TIMELINE_BY)[number]

/** Most bars that are counted at once. */
export const MOST_BUCKETS = 2_000

export interface TimelineBucket {
  /** Milliseconds since the epoch at which it begins. */
  readonly at: number
  /** In the order of `keys`. */
  readonly counts: readonly number[]
}

interface Activity {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null while it goes on. */
  readonly to: number | null
  /** The replay's target, or the sweep's connection. */
  readonly label: string
}

/** Something that was done, drawn where the deliveries are: a job, a sweep, or one delivery sent by hand. */
export type TimelineMark =
  | (Activity & { readonly type: 'replay' | 'sweep' })
  | (Activity & {
      /** `id` is the last attempt's. */
      readonly type: 'attempt'
      readonly delivery: number
      /** Times it was sent to that target within a minute. */
      readonly times: number
    })

/** What arrived, and when it could, from `from` to before `to`. */
export interface Timeline {
  /** May be wider than asked for: finer than a minute is counted only where few deliveries are. */
  readonly bucketMs: number
  /** Milliseconds since the epoch; `from` is moved back to where a whole minute begins, `to` forward. */
  readonly from: number
  readonly to: number
  /** Verdicts and `unjudged`, or groups and `none`. */
  readonly keys: readonly string[]
  /** Those that hold something, in order. */
  readonly buckets: readonly TimelineBucket[]
  /** False: some of what matches is not counted, because it waits for analysis or would have to be read whole. */
  readonly exact: boolean
  readonly coverage: readonly CoverageSpan[]
  readonly marks: readonly TimelineMark[]
  /** First and last minute in which anything at all was received, milliseconds; null in an empty store. */
  readonly stored: { readonly from: number; readonly to: number } | null
}

import { z } from 'zod'
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

/** Something that was done, drawn where the deliveries are. */
export interface TimelineMark {
  readonly type: 'replay' | 'sweep'
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null while it goes on. */
  readonly to: number | null
  /** The replay's target, or the sweep's connection. */
  readonly label: string
}

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

export interface TimelineParams {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** At most MOST_BUCKETS of them may fit between `from` and `to`. */
  readonly bucketMs: number
  readonly by: TimelineBy
  readonly filter: string
}

export interface TimelineCommands {
  'timeline.get': { params: TimelineParams; result: Timeline }
}
export type TimelineCommandName = keyof TimelineCommands

const instant = z.int().nonnegative().max(8_640_000_000_000_000)

export const TIMELINE_PARAMS: { readonly [C in TimelineCommandName]: z.ZodType<unknown> } = {
  'timeline.get': z
    .strictObject({
      from: instant,
      to: instant,
      bucketMs: z.int().min(1_000).max(31_536_000_000),
      by: z.enum(TIMELINE_BY),
      filter: z.string().max(10_000),
    })
    .refine(({ from, to }) => from < to, 'give an end after the beginning')
    .refine(
      ({ from, to, bucketMs }) => (to - from) / bucketMs <= MOST_BUCKETS,
      `give wider bars: at most ${MOST_BUCKETS}`,
    ),
}

import { z } from 'zod'
import { count, defineReading, epochMs, filter, id, instant, type Of } from './params.ts'
import { coverageSpan } from './status.ts'
import { MOST_BUCKETS, TIMELINE_BY } from './values.ts'

export type TimelineBy = (typeof TIMELINE_BY)[number]

const bucket = z.strictObject({
  at: epochMs,
  /** In the order of `keys`. */
  counts: z.array(count),
})
export type TimelineBucket = Of<typeof bucket>

const activity = {
  id,
  at: epochMs,
  /** Null while it is running. */
  to: epochMs.nullable(),
  /** The target of the replay, or the connection of the sweep. */
  label: z.string(),
}
/** An activity shown on the timeline: a job, a sweep, or one delivery sent by hand. */
const mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['replay', 'sweep']), ...activity }),
  z.strictObject({
    type: z.literal('attempt'),
    ...activity,
    /** Delivery that was sent; `id` is the last attempt. */
    delivery: id,
    /** Number of attempts to that target within one minute. */
    times: count,
  }),
])
export type TimelineMark = Of<typeof mark>

/** Deliveries and coverage from `from` (inclusive) to `to` (exclusive). */
const timeline = z.strictObject({
  /** May be wider than requested: counts finer than a minute exist only for few deliveries. */
  bucketMs: z.number(),
  /** `from` is rounded down to a whole minute, `to` up. */
  from: epochMs,
  to: epochMs,
  /** Verdicts and `unjudged`, or groups and `none`. */
  keys: z.array(z.string()),
  /** Non-empty buckets, in order. */
  buckets: z.array(bucket),
  /** False when some matching deliveries are not counted, because they await analysis or would have to be read in full. */
  exact: z.boolean(),
  coverage: z.array(coverageSpan),
  marks: z.array(mark),
  /** First and last minute with any arrival, milliseconds; null for an empty store. */
  stored: z.strictObject({ from: epochMs, to: epochMs }).nullable(),
})
export type Timeline = Of<typeof timeline>

const timelineParams = z
  .strictObject({
    from: instant,
    to: instant,
    /** Width of a bucket; `from` to `to` may hold at most MOST_BUCKETS. */
    bucketMs: z.int().min(1_000).max(31_536_000_000),
    by: z.enum(TIMELINE_BY),
    filter,
  })
  .refine(({ from, to }) => from < to, 'give an end after the beginning')
  .refine(
    ({ from, to, bucketMs }) => (to - from) / bucketMs <= MOST_BUCKETS,
    `give wider bars: at most ${MOST_BUCKETS}`,
  )
export type TimelineParams = Of<typeof timelineParams>

export const timelineCommands = {
  'timeline.get': defineReading(
    'Deliveries counted by time, with the coverage and the activity of that time.',
    timelineParams,
    timeline,
  ),
}

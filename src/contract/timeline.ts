import { z } from 'zod'
import { count, defineCommand, epochMs, filter, id, instant, type Of } from './params.ts'
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
  /** Null while it goes on. */
  to: epochMs.nullable(),
  /** The replay's target, or the sweep's connection. */
  label: z.string(),
}
/** Something that was done, drawn where the deliveries are: a job, a sweep, or one delivery sent by hand. */
const mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['replay', 'sweep']), ...activity }),
  z.strictObject({
    type: z.literal('attempt'),
    ...activity,
    /** `id` is the last attempt's. */
    delivery: id,
    /** Times it was sent to that target within a minute. */
    times: count,
  }),
])
export type TimelineMark = Of<typeof mark>

/** What arrived, and when it could, from `from` to before `to`. */
const timeline = z.strictObject({
  /** May be wider than asked for: finer than a minute is counted only where few deliveries are. */
  bucketMs: z.number(),
  /** `from` is moved back to where a whole minute begins, `to` forward. */
  from: epochMs,
  to: epochMs,
  /** Verdicts and `unjudged`, or groups and `none`. */
  keys: z.array(z.string()),
  /** Those that hold something, in order. */
  buckets: z.array(bucket),
  /** False: some of what matches is not counted, because it waits for analysis or would have to be read whole. */
  exact: z.boolean(),
  coverage: z.array(coverageSpan),
  marks: z.array(mark),
  /** First and last minute in which anything at all was received, milliseconds; null in an empty store. */
  stored: z.strictObject({ from: epochMs, to: epochMs }).nullable(),
})
export type Timeline = Of<typeof timeline>

const timelineParams = z
  .strictObject({
    from: instant,
    to: instant,
    /** At most MOST_BUCKETS of them may fit between `from` and `to`. */
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
  'timeline.get': defineCommand(
    'Deliveries counted by time, with the coverage and the activity of that time.',
    timelineParams,
    timeline,
  ),
}

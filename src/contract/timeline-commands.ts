import { z } from 'zod'
import { MOST_BUCKETS, TIMELINE_BY, type Timeline, type TimelineBy } from './timeline.ts'

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

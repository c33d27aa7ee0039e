import { z } from 'zod'
import { count, endpointName, epochMs, id, type Of, words } from './params.ts'
import { ROUTE_CHOICES, WEEKDAYS } from './values.ts'

export type Weekday = (typeof WEEKDAYS)[number]

/** Every so many minutes, or at a time of day (`06:30`) in the connection's zone; without `weekdays`, every day. */
const scheduleTime = z.union(
  [
    z.strictObject({ every: z.int().min(1).max(43_200) }),
    z.strictObject({
      at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
      weekdays: z
        .array(z.enum(WEEKDAYS))
        .min(1)
        .max(WEEKDAYS.length)
        .refine((days) => new Set(days).size === days.length)
        .exactOptional(),
    }),
  ],
  {
    error:
      'give {"every": minutes} with 1 to 43200 minutes, or {"at": "06:30"} with a time of the day and, if not every day is meant, weekdays of mon, tue, wed, thu, fri, sat, sun',
  },
)
export type ScheduleTime = Of<typeof scheduleTime>

/** Automatic sweeps of a connection; at most one schedule per connection. */
export const schedule = z.strictObject({
  connection: endpointName,
  /** A disabled schedule keeps its settings and can still be run by hand. */
  enabled: z.boolean(),
  time: scheduleTime,
  route: z.enum(ROUTE_CHOICES),
  /** Each sweep starts this long before the end of the last complete one, to look at recent issue dates again (readings, Reconciling). */
  overlapMinutes: z.int('give whole minutes').min(0).max(525_600, 'at most 525600 minutes, which is a year'),
  /** Days that the first sweep reaches back. */
  lookBackDays: z.int('give whole days').min(1).max(3_660, 'at most 3660 days'),
  notify: z.boolean(),
  /** Target to which Acuse sends rebuilt missed events; null: no recovery. */
  recoverTo: endpointName.nullable(),
})
export type Schedule = Of<typeof schedule>

const recovery = z.strictObject({
  target: z.string(),
  documents: count,
  events: count,
  /** Replay jobs that send the rebuilt events. */
  jobs: z.array(id),
})

export const scheduleRun = z.strictObject({
  startedAt: epochMs,
  endedAt: epochMs,
  by: z.enum(['schedule', 'hand']),
  /** Range of issue dates swept, as sent; null when no sweep began. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** One per route; the counts are those of the first sweep. */
  sweeps: z.array(id),
  /** Documents of these classes, without those that a user ignored; null when nothing was compared. */
  missing: count.nullable(),
  differs: count.nullable(),
  /** Documents with a missed event that no earlier scheduled run reported. */
  fresh: count,
  /** Null when there was nothing to recover or recovery is off. */
  recovery: recovery.nullable(),
  /** Why the run failed. The code is that of a sweep problem or an error, or the state in which the sweep ended. */
  error: z.strictObject({ code: z.string(), message: z.string(), params: words }).nullable(),
})
export type ScheduleRun = Of<typeof scheduleRun>

export const scheduleState = z.strictObject({
  schedule,
  running: z.boolean(),
  /** Milliseconds since the epoch; null while disabled or running. */
  nextRun: epochMs.nullable(),
  last: scheduleRun.nullable(),
})
export type ScheduleState = Of<typeof scheduleState>

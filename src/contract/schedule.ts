import { z } from 'zod'
import { count, endpointName, epochMs, id, type Of, words } from './params.ts'
import { ROUTE_CHOICES, WEEKDAYS } from './values.ts'

export type Weekday = (typeof WEEKDAYS)[number]

/** Every so many minutes, or at a time of the day (`06:30`) in the connection's zone, on all days where none are named. */
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

/** Sweeps that Acuse makes by itself. A connection has one at most. */
export const schedule = z.strictObject({
  connection: endpointName,
  /** One that is off keeps its settings, and can still be run by hand. */
  enabled: z.boolean(),
  time: scheduleTime,
  route: z.enum(ROUTE_CHOICES),
  /** Each sweep begins so long before the end of the last complete one: late issue dates are looked at again (readings, Reconciling). */
  overlapMinutes: z.int('give whole minutes').min(0).max(525_600, 'at most 525600 minutes, which is a year'),
  /** How far back the first sweep goes. */
  lookBackDays: z.int('give whole days').min(1).max(3_660, 'at most 3660 days'),
  notify: z.boolean(),
  /** Name of the target that missed events are rebuilt and sent to; null: nothing is. */
  recoverTo: endpointName.nullable(),
})
export type Schedule = Of<typeof schedule>

const recovery = z.strictObject({
  target: z.string(),
  documents: count,
  events: count,
  /** Those that send what was rebuilt. */
  jobs: z.array(id),
})
export type ScheduleRecovery = Of<typeof recovery>

export const scheduleRun = z.strictObject({
  startedAt: epochMs,
  endedAt: epochMs,
  by: z.enum(['schedule', 'hand']),
  /** Issue dates that were swept, as sent; null where no sweep began. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** One per route; the counts are those of the first. */
  sweeps: z.array(id),
  /** Documents of these classes that no user ignored; null where nothing was compared. */
  missing: count.nullable(),
  differs: count.nullable(),
  /** Documents with a missed event that no scheduled run before has told of. */
  fresh: count,
  /** Null where nothing had to be recovered, or nothing is to be. */
  recovery: recovery.nullable(),
  /** Why it did not come to its end; the code is a sweep problem's, a refusal's, or the state that the sweep was left in. */
  error: z.strictObject({ code: z.string(), message: z.string(), params: words }).nullable(),
})
export type ScheduleRun = Of<typeof scheduleRun>

export const scheduleState = z.strictObject({
  schedule,
  running: z.boolean(),
  /** Null while it is off, or runs. */
  nextRun: epochMs.nullable(),
  last: scheduleRun.nullable(),
})
export type ScheduleState = Of<typeof scheduleState>

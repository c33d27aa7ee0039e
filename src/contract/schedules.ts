import { z } from 'zod'
import { endpointName } from './params.ts'
import { ROUTE_CHOICES, type RouteChoice } from './reconcile.ts'
import type { Settings } from './settings.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Every so many minutes, or at a time of the day (`06:30`) in the connection's zone, on all days where none are named. */
export type ScheduleTime =
  | { readonly every: number }
  | { readonly at: string; readonly weekdays?: readonly Weekday[] }

/** Sweeps that are made by themselves. A connection has one at most. */
export interface Schedule {
  readonly connection: string
  /** One that is off keeps its settings, and can still be run by hand. */
  readonly enabled: boolean
  readonly time: ScheduleTime
  readonly route: RouteChoice
  /**
   * Each sweep begins so long before the end of the last complete one: documents that were not yet due then, and those issued with an
   * earlier date, are looked at again (readings, Reconciling).
   */
  readonly overlapMinutes: number
  /** How far back the first sweep goes. */
  readonly lookBackDays: number
  /** Tell when something was missed. */
  readonly notify: boolean
  /** Name of the target that missed events are rebuilt and sent to; null: nothing is. */
  readonly recoverTo: string | null
}

/** The overlap is as long as a document can be not yet due because of its issue date: 24 hours. */
export const DEFAULT_SCHEDULE: Omit<Schedule, 'connection'> = {
  enabled: true,
  time: { every: 60 },
  route: 'accounting',
  overlapMinutes: 1_440,
  lookBackDays: 7,
  notify: true,
  recoverTo: null,
}

export interface ScheduleRecovery {
  readonly target: string
  readonly documents: number
  readonly events: number
  /** Those that send what was rebuilt. */
  readonly jobs: readonly number[]
}

/** What came of one run. */
export interface ScheduleRun {
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number
  readonly by: 'schedule' | 'hand'
  /** Issue dates that were swept, as sent; null where no sweep began. */
  readonly from: string | null
  readonly to: string | null
  /** One per route; the counts are those of the first. */
  readonly sweeps: readonly number[]
  /** Documents of these classes that nobody ignored; null where nothing was compared. */
  readonly missing: number | null
  readonly differs: number | null
  /** Documents with a missed event that no scheduled run before has told of. */
  readonly fresh: number
  /** Null where nothing had to be recovered, or nothing is to be. */
  readonly recovery: ScheduleRecovery | null
  /** Why it did not come to its end; the code is a sweep problem's, a refusal's, or the state that the sweep was left in. */
  readonly error: {
    readonly code: string
    readonly message: string
    readonly params: Readonly<Record<string, string | number>>
  } | null
}

export interface ScheduleState {
  readonly schedule: Schedule
  readonly running: boolean
  /** Milliseconds since the epoch; null while it is off, or runs. */
  readonly nextRun: number | null
  readonly last: ScheduleRun | null
}

export interface ScheduleCommands {
  /** Makes the connection's schedule, or takes the place of the one it has. */
  'schedules.save': { params: Schedule; result: Settings }
  /** What was found stays; a run that is under way ends first: `conflict`. */
  'schedules.remove': { params: { readonly connection: string }; result: Settings }
  /** In the order of the connections. */
  'schedules.list': {
    params: Record<string, never>
    result: { readonly schedules: readonly ScheduleState[] }
  }
  /** Begins a run at once, also of one that is off; `conflict` while a run or a sweep of the connection is under way. */
  'schedules.run-now': { params: { readonly connection: string }; result: ScheduleState }
}
export type ScheduleCommandName = keyof ScheduleCommands

const byConnection = z.strictObject({ connection: endpointName })

export const SCHEDULE_PARAMS: { readonly [C in ScheduleCommandName]: z.ZodType<unknown> } = {
  'schedules.save': z.strictObject({
    connection: endpointName,
    enabled: z.boolean(),
    time: z.union(
      [
        z.strictObject({ every: z.int().min(1).max(43_200) }),
        z.strictObject({
          at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
          weekdays: z
            .array(z.enum(WEEKDAYS))
            .min(1)
            .max(WEEKDAYS.length)
            .refine((days) => new Set(days).size === days.length)
            .optional(),
        }),
      ],
      {
        error:
          'give {"every": minutes} with 1 to 43200 minutes, or {"at": "06:30"} with a time of the day and, if not every day is meant, weekdays of mon, tue, wed, thu, fri, sat, sun',
      },
    ),
    route: z.enum(ROUTE_CHOICES),
    overlapMinutes: z
      .int('give whole minutes')
      .min(0)
      .max(525_600, 'at most 525600 minutes, which is a year'),
    lookBackDays: z.int('give whole days').min(1).max(3_660, 'at most 3660 days'),
    notify: z.boolean(),
    recoverTo: endpointName.nullable(),
  }),
  'schedules.remove': byConnection,
  'schedules.list': z.strictObject({}),
  'schedules.run-now': byConnection,
}

import type { Params } from '#contract/commands.ts'
import { DEFAULT_SCHEDULE, type ScheduleCommandName } from '#contract/schedules.ts'

const schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }

export const SCHEDULE_VALID: {
  readonly [C in ScheduleCommandName]: readonly [Params<C>, ...Params<C>[]]
} = {
  'schedules.save': [
    schedule,
    {
      ...schedule,
      ...{ enabled: false, time: { at: '06:30', weekdays: ['mon', 'sun'] }, route: 'both' },
      ...{ overlapMinutes: 0, lookBackDays: 31, notify: false, recoverTo: 'handler' },
    },
  ],
  'schedules.remove': [{ connection: 'main' }],
  'schedules.list': [{}],
  'schedules.run-now': [{ connection: 'main' }],
}

export const SCHEDULE_INVALID: {
  readonly [C in ScheduleCommandName]?: readonly (readonly [what: string, params: unknown])[]
} = {
  'schedules.save': [
    ['no time at all', { ...schedule, time: {} }],
    ['both kinds of time', { ...schedule, time: { every: 60, at: '06:30' } }],
    ['every 0 minutes', { ...schedule, time: { every: 0 } }],
    ['every half minute', { ...schedule, time: { every: 0.5 } }],
    ['a time of the day that there is not', { ...schedule, time: { at: '24:00' } }],
    ['a time without its zero', { ...schedule, time: { at: '6:30' } }],
    ['no weekday', { ...schedule, time: { at: '06:30', weekdays: [] } }],
    ['a weekday twice', { ...schedule, time: { at: '06:30', weekdays: ['mon', 'mon'] } }],
    ['an overlap into the future', { ...schedule, overlapMinutes: -1 }],
    ['no day to look back', { ...schedule, lookBackDays: 0 }],
    ['an address to recover to', { ...schedule, recoverTo: 'http://127.0.0.1:3000' }],
  ],
}

import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { RouteChoice } from '#contract/reconcile.ts'
import type { Schedule, Weekday } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import type { Form } from '@/shared/forms/form.ts'

/** A schedule as the user edits it: right or not. */
export interface ScheduleDraft {
  readonly enabled: boolean
  readonly kind: 'every' | 'at'
  readonly minutes: number | null
  readonly at: string
  /** None: every day. */
  readonly weekdays: readonly Weekday[]
  readonly route: RouteChoice
  readonly overlapMinutes: number | null
  readonly lookBackDays: number | null
  readonly notify: boolean
  /** Empty: nothing is recovered. */
  readonly recoverTo: string
}
type ScheduleField = 'minutes' | 'time' | 'overlap' | 'lookBack'

function scheduleDraftOf(schedule: Schedule | null): ScheduleDraft {
  const { time, recoverTo, ...rest } = schedule ?? DEFAULT_SCHEDULE
  return {
    enabled: rest.enabled,
    kind: 'every' in time ? 'every' : 'at',
    minutes: 'every' in time ? time.every : 60,
    at: 'at' in time ? time.at : '06:30',
    weekdays: 'at' in time ? (time.weekdays ?? []) : [],
    route: rest.route,
    overlapMinutes: rest.overlapMinutes,
    lookBackDays: rest.lookBackDays,
    notify: rest.notify,
    recoverTo: recoverTo ?? '',
  }
}

/** `6:30` is as good as `06:30`. */
const padded = (text: string): string => text.trim().padStart(5, '0')

export const scheduleForm = (
  schedule: Schedule | null,
  connection: string,
): Form<'schedules.save', ScheduleDraft, ScheduleField> => ({
  command: 'schedules.save',
  first: scheduleDraftOf(schedule),
  params: ({ kind, minutes, at, weekdays, recoverTo, ...draft }) => {
    const days = WEEKDAYS.filter((day) => weekdays.includes(day))
    const everyDay = days.length === 0 || days.length === WEEKDAYS.length
    return {
      ...draft,
      connection,
      time:
        kind === 'every' ? { every: minutes } : { at: padded(at), ...(everyDay ? {} : { weekdays: days }) },
      recoverTo: recoverTo === '' ? null : recoverTo,
    }
  },
  places: ({ kind }) => ({
    time: kind === 'every' ? ['minutes', 'minutes'] : ['time', 'time'],
    'time.every': ['minutes', 'minutes'],
    'time.at': ['time', 'time'],
    overlapMinutes: ['overlap', 'overlap'],
    lookBackDays: ['lookBack', 'lookBack'],
  }),
})

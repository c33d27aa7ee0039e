import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { RouteChoice } from '#contract/reconcile.ts'
import type { Schedule, Weekday } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'

/** A schedule while it is being edited: whatever was typed, right or not. */
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
export type ScheduleField = 'minutes' | 'time' | 'overlap' | 'lookBack'

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

export function scheduleDraftOf(schedule: Schedule | null): ScheduleDraft {
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

const whole = (value: number | null, from: number, to: number): boolean =>
  value !== null && Number.isInteger(value) && value >= from && value <= to

/** What the host would refuse, told while typing. What is not in use is not looked at. */
export function scheduleErrors(draft: ScheduleDraft): ReadonlySet<ScheduleField> {
  const errors = new Set<ScheduleField>()
  if (draft.kind === 'every' && !whole(draft.minutes, 1, 43_200)) errors.add('minutes')
  if (draft.kind === 'at' && !TIME.test(padded(draft.at))) errors.add('time')
  if (!whole(draft.overlapMinutes, 0, 525_600)) errors.add('overlap')
  if (!whole(draft.lookBackDays, 1, 3_660)) errors.add('lookBack')
  return errors
}

/** `6:30` is as good as `06:30`. */
const padded = (text: string): string => text.trim().padStart(5, '0')

/** @returns undefined while something is missing */
export function scheduleOf(draft: ScheduleDraft, connection: string): Schedule | undefined {
  const { enabled, kind, minutes, weekdays, route, overlapMinutes, lookBackDays, notify, recoverTo } = draft
  if (minutes === null && kind === 'every') return undefined
  if (overlapMinutes === null || lookBackDays === null) return undefined
  const days = WEEKDAYS.filter((day) => weekdays.includes(day))
  const everyDay = days.length === 0 || days.length === WEEKDAYS.length
  return {
    ...{ connection, enabled, route, overlapMinutes, lookBackDays, notify },
    time:
      kind === 'every'
        ? { every: minutes ?? 0 }
        : { at: padded(draft.at), ...(everyDay ? {} : { weekdays: days }) },
    recoverTo: recoverTo === '' ? null : recoverTo,
  }
}

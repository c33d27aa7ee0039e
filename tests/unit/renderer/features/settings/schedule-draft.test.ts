import { describe, expect, it } from 'vitest'
import { COMMANDS } from '#contract/commands.ts'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { Schedule } from '#contract/schedule.ts'
import {
  scheduleDraftOf,
  scheduleErrors,
  scheduleOf,
} from '../../../../../renderer/src/features/settings/schedule-draft.ts'

const BASE: Schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }
const draft = scheduleDraftOf(null)

describe('a schedule while it is being edited (issue D, 7)', () => {
  it('comes back as it was, of either kind', () => {
    const all: readonly Schedule[] = [
      BASE,
      {
        ...BASE,
        enabled: false,
        time: { at: '06:30', weekdays: ['mon', 'fri'] },
        route: 'both',
        recoverTo: 'handler',
      },
      { ...BASE, time: { at: '23:59' }, overlapMinutes: 0, lookBackDays: 31, notify: false },
    ]
    for (const one of all) {
      expect(scheduleOf(scheduleDraftOf(one), 'main')).toEqual(one)
      expect(scheduleErrors(scheduleDraftOf(one)).size).toBe(0)
      expect(COMMANDS['schedules.save'].params.safeParse(one).success).toBe(true)
    }
  })
  it('a new one is the usual one', () => {
    expect(scheduleOf(draft, 'main')).toEqual(BASE)
  })
  it('every weekday is every day, in their own order; a time needs no zero in front', () => {
    const weekdays = ['sun', 'sat', 'fri', 'thu', 'wed', 'tue', 'mon'] as const
    const at = { ...draft, kind: 'at' as const, at: '6:30' }
    expect(scheduleOf({ ...at, weekdays }, 'main')?.time).toEqual({ at: '06:30' })
    expect(scheduleOf({ ...at, weekdays: ['fri', 'tue'] }, 'main')?.time).toEqual({
      at: '06:30',
      weekdays: ['tue', 'fri'],
    })
  })
  it('what the host would refuse is told at its field, and only where it is in use', () => {
    const errors = (part: Partial<typeof draft>) => [...scheduleErrors({ ...draft, ...part })]
    expect(errors({ minutes: 0 })).toEqual(['minutes'])
    expect(errors({ minutes: 1.5 })).toEqual(['minutes'])
    expect(errors({ kind: 'at', minutes: null, at: '25:00' })).toEqual(['time'])
    expect(errors({ kind: 'every', at: 'soon' })).toEqual([])
    expect(errors({ overlapMinutes: null, lookBackDays: 0 })).toEqual(['overlap', 'lookBack'])
  })
})

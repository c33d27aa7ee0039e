import { describe, expect, it } from 'vitest'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { Schedule } from '#contract/schedule.ts'
import { scheduleForm } from '../../../../../renderer/src/features/settings/forms.ts'
import { judge } from '../../../../../renderer/src/shared/forms/form.ts'

const BASE: Schedule = { ...DEFAULT_SCHEDULE, connection: 'main' }
const form = scheduleForm(null, 'main')
const draft = form.first
const saved = (part: Partial<typeof draft>) => judge(form, { ...draft, ...part }).params

describe('a schedule while it is being edited', () => {
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
      const present = scheduleForm(one, 'main')
      expect(judge(present, present.first)).toEqual({ wrong: new Map(), params: one, refusal: null })
    }
  })
  it('a new one is the usual one', () => {
    expect(saved({})).toEqual(BASE)
  })
  it('every weekday is every day, in their own order; a time needs no zero in front', () => {
    const weekdays = ['sun', 'sat', 'fri', 'thu', 'wed', 'tue', 'mon'] as const
    const at = { kind: 'at' as const, at: '6:30' }
    expect(saved({ ...at, weekdays })?.time).toEqual({ at: '06:30' })
    expect(saved({ ...at, weekdays: ['fri', 'tue'] })?.time).toEqual({
      at: '06:30',
      weekdays: ['tue', 'fri'],
    })
  })
  it('what the host would refuse is told at its field, and only where it is in use', () => {
    const errors = (part: Partial<typeof draft>) => [...judge(form, { ...draft, ...part }).wrong.keys()]
    expect(errors({ minutes: 0 })).toEqual(['minutes'])
    expect(errors({ minutes: 1.5 })).toEqual(['minutes'])
    expect(errors({ kind: 'at', minutes: null, at: '25:00' })).toEqual(['at'])
    expect(errors({ kind: 'every', at: 'soon' })).toEqual([])
    expect(errors({ overlapMinutes: null, lookBackDays: 0 })).toEqual(['overlapMinutes', 'lookBackDays'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScheduleTime, Weekday } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import { nextDue } from '#core/schedules/scheduler.ts'
import { offsetAt, zonedText } from '#core/time/zone.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

const SANTO_DOMINGO = 'America/Santo_Domingo'
const text = (zone: string, at: number): string => zonedText(zone, at * 1_000)
const next = (time: ScheduleTime, zone: string, after: string): string =>
  text(zone, nextDue(time, zone, Date.parse(after))).replace(/\.000000|:00\.0+/, ':00')

describe('the next time of a schedule', () => {
  it('every n minutes counts from the run before', () =>
    expect(nextDue({ every: 90 }, SANTO_DOMINGO, 1_000)).toBe(1_000 + 90 * 60_000))
  it('a time of the day is that of the connection’s zone, today or tomorrow', () => {
    const at = (after: string) => next({ at: '06:30' }, SANTO_DOMINGO, after).slice(0, 16)
    expect(at('2026-10-05T06:29:59-04:00')).toBe('2026-10-05T06:30')
    expect(at('2026-10-05T06:30:00-04:00')).toBe('2026-10-06T06:30')
    expect(at('2026-10-05T23:59:00-04:00')).toBe('2026-10-06T06:30')
    // It is the fifth in Santo Domingo still.
    expect(at('2026-10-06T01:00:00Z')).toBe('2026-10-06T06:30')
  })
  it('weekdays are those of the zone', () => {
    const at = (weekdays: readonly Weekday[], after: string) =>
      next({ at: '22:00', weekdays }, SANTO_DOMINGO, after).slice(0, 16)
    // 2026-10-05 is a Monday.
    expect(at(['mon'], '2026-10-05T12:00:00-04:00')).toBe('2026-10-05T22:00')
    expect(at(['mon'], '2026-10-05T22:00:00-04:00')).toBe('2026-10-12T22:00')
    expect(at(['sun', 'wed'], '2026-10-05T22:00:00-04:00')).toBe('2026-10-07T22:00')
  })
  it('where clocks go forward over it, it is as much later; the day after it is itself again', () => {
    const at = (after: string) =>
      text('America/New_York', nextDue({ at: '02:30' }, 'America/New_York', Date.parse(after))).slice(0, 16)
    expect(at('2026-03-07T12:00:00-05:00')).toBe('2026-03-08T03:30')
    expect(at('2026-03-08T03:30:00-04:00')).toBe('2026-03-09T02:30')
  })
  it('where clocks go back over it, only the first of the two counts', () => {
    const due = (after: string) => nextDue({ at: '01:30' }, 'America/New_York', Date.parse(after))
    expect(due('2026-10-31T12:00:00-04:00')).toBe(Date.parse('2026-11-01T01:30:00-04:00'))
    expect(due('2026-11-01T01:30:00-04:00')).toBe(Date.parse('2026-11-02T01:30:00-05:00'))
  })

  const zones = fc.constantFrom(
    SANTO_DOMINGO,
    ...words`America/New_York Europe/Madrid Asia/Kathmandu Australia/Lord_Howe America/Havana Pacific/Apia`,
  )
  const instants = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2040, 0) })
  const times = fc.record({
    minutes: fc.integer({ min: 0, max: 1_439 }),
    weekdays: fc.option(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), { nil: null }),
  })
  const two = (value: number) => String(value).padStart(2, '0')

  it('is always later, shows the time asked for unless clocks jump over it, and leaves no day out', () =>
    forAll(300, [zones, instants, times], (zone, after, { minutes, weekdays }) => {
      const at = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
      const time = weekdays ? { at, weekdays } : { at }
      const due = nextDue(time, zone, after)
      expect(due).toBeGreaterThan(after)
      // A week, and the hours or the day by which a zone may jump.
      expect(due - after).toBeLessThanOrEqual((weekdays ? 8 : 2) * 86_400_000 + 86_400_000)
      if (offsetAt(zone, due - 86_400_000) === offsetAt(zone, due + 86_400_000)) {
        const shown = new Date(due + offsetAt(zone, due))
        expect(shown.toISOString().slice(11, 16)).toBe(at)
        if (weekdays) expect(weekdays).toContain(WEEKDAYS[(shown.getUTCDay() + 6) % 7])
      }
      // Nothing of the schedule lies in between.
      const middle = after + Math.floor((due - after) / 2)
      expect(nextDue(time, zone, middle)).toBe(due)
    }))
})

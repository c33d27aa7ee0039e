import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SweepRange } from '#contract/reconcile.ts'
import { resolveRange } from '#core/reconcile/range.ts'
import { instantOf, offsetAt } from '#core/time/zone.ts'
import { microsOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'

const ZONE = 'America/Santo_Domingo'
const range = (change: Partial<SweepRange>): SweepRange => ({
  ...{ route: 'accounting', from: '2026-10-01', to: '2026-10-31', documentTypeId: null, pageSize: 200 },
  ...change,
})

describe('ends of a range (readings, accounting-sync)', () => {
  it('a date alone means the whole day in the zone of the connection', () => {
    expect(resolveRange(range({}), ZONE)).toMatchObject({
      from: '2026-10-01T00:00:00-04:00',
      to: '2026-10-31T23:59:59.999999-04:00',
    })
    expect(resolveRange(range({ to: '2026-10-01' }), 'Asia/Kolkata')).toMatchObject({
      from: '2026-10-01T00:00:00+05:30',
      to: '2026-10-01T23:59:59.999999+05:30',
    })
  })

  it('where clocks change, the day has the offsets of its own ends', () => {
    expect(resolveRange(range({ from: '2026-03-08', to: '2026-03-08' }), 'America/New_York')).toMatchObject({
      from: '2026-03-08T00:00:00-05:00',
      to: '2026-03-08T23:59:59.999999-04:00',
    })
    // Midnight did not exist: clocks went from 23:59:59 to 01:00:00.
    expect(resolveRange(range({ from: '2018-11-04', to: '2018-11-04' }), 'America/Sao_Paulo').from).toBe(
      '2018-11-04T01:00:00-02:00',
    )
  })

  it('days follow each other without gap or overlap, in any zone', () => {
    const zones = [ZONE, 'America/Sao_Paulo', 'Europe/Lisbon', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
    forAll(100, [fc.constantFrom(...zones), fc.integer({ min: 4_000, max: 22_000 })], (zone, n) => {
      const day = n * 86_400_000
      const text = (at: number) => new Date(at).toISOString().slice(0, 10)
      const ends = resolveRange(range({ from: text(day), to: text(day) }), zone)
      expect(microsOf(ends.to ?? '') + 1).toBe(instantOf(zone, day + 86_400_000) * 1_000)
      expect(microsOf(ends.from ?? '')).toBe(instantOf(zone, day) * 1_000)
      expect(Math.abs(offsetAt(zone, day))).toBeLessThanOrEqual(14 * 3_600_000)
    })
  })

  it('a full date-time goes out as it was typed', () => {
    const ends = { from: '2026-10-01T08:00:00.5-04:00', to: '2026-10-01T12:00:01Z' }
    expect(resolveRange(range(ends), ZONE)).toMatchObject(ends)
  })

  it('treasury-sync may go without', () =>
    expect(resolveRange(range({ route: 'treasury', from: null, to: null }), ZONE)).toMatchObject({
      from: null,
      to: null,
    }))
})

describe('what cannot be is refused with what, where and what to do, before anything is sent', () => {
  it.each<[string, Partial<SweepRange>, string, string]>([
    ['no date', { from: 'yesterday' }, 'range.from', '"yesterday" is not a date; give one such as'],
    ['a day that is none', { to: '2026-02-31' }, 'range.to', 'is not a date'],
    ['no offset', { from: '2026-10-01T08:00:00' }, 'range.from', 'has no offset from UTC; add one'],
    ['a form that services do not read', { from: '20261001T080000Z' }, 'range.from', 'is not a date'],
    ['a day that no microsecond counts to', { to: '9999-12-31' }, 'range.to', '"9999-12-31" is too far away'],
    ['a day before all others', { from: '0000-01-01' }, 'range.from', '"0000-01-01" is too far away'],
    ['a week', { from: '2026-W40-1' }, 'range.from', 'is not a date'],
    ['no beginning', { from: null }, 'range.from', 'accounting-sync needs both ends'],
    ['no end', { to: null }, 'range.to', 'accounting-sync needs both ends'],
    ['an end before its beginning', { to: '2026-09-30' }, 'range.to', 'is earlier than the beginning'],
    ['a page of 501', { pageSize: 501 }, 'range.pageSize', '1 to 500'],
    ['a page of none', { pageSize: 0 }, 'range.pageSize', '1 to 500'],
  ])('%s', (_, change, path, sentence) => {
    try {
      resolveRange(range(change), ZONE)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad-params', details: { path } })
      expect(String(error)).toContain(`${path}: `)
      expect(String(error)).toContain(sentence)
    }
  })

  it('the same instant at both ends is a range', () => {
    const at = '2026-10-01T08:00:00-04:00'
    expect(resolveRange(range({ from: at, to: '2026-10-01T12:00:00Z' }), ZONE).from).toBe(at)
  })
})

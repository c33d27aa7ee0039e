import { describe, expect, it } from 'vitest'
import { scanJson } from '#core/json/scan.ts'
import { sameValue } from '#core/reconcile/fingerprint.ts'
import { accountingOf } from '#core/reconcile/item.ts'

/** Whether two sources of a field are unlike values, whichever side has which. */
function differ(field: string, ours: string, theirs: string, zone = 'America/Santo_Domingo'): boolean {
  const [a, b] = [ours, theirs].map((source) => {
    const tree = scanJson(`{"${field}":${source}}`)
    if ('problem' in tree) throw new Error(tree.problem)
    return accountingOf(tree, 0).get(field)
  })
  if (!a || !b) throw new Error('no value')
  expect(sameValue(a, b, zone)).toBe(sameValue(b, a, zone))
  return !sameValue(a, b, zone)
}

describe('values (readings, Reconciling)', () => {
  it('numbers are compared as exact decimals', () => {
    expect([differ('Total', '14.00', '14'), differ('Total', '1.4e1', '14')]).toEqual([false, false])
    expect(differ('Total', '9007199254740993', '9007199254740992')).toBe(true)
    expect(differ('Total', '0.1', '0.10000000000000001')).toBe(true)
  })
  it('numbers as text are numbers, text is exact', () => {
    expect([differ('Total', '14', '"14"'), differ('Total', '"14.00"', '14')]).toEqual([false, false])
    expect([differ('Total', '14', '"14,0"'), differ('Total', '14', '"014"')]).toEqual([true, true])
    expect([differ('Total', '"DOP"', '"dop"'), differ('Total', 'null', '0')]).toEqual([true, true])
  })

  const dates = (ours: string, theirs: string, zone?: string) =>
    differ('LimitDate', JSON.stringify(ours), JSON.stringify(theirs), zone)
  it.each([
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06T03:30:10.123456Z'],
    // Without an offset: in the connection's zone.
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:10.123456'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05 23:30:10.1234560'],
    // At the precision of the coarser side, cut off or rounded.
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:10-04:00'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:11-04:00'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30:10.623'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05T23:30'],
    ['2026-10-05T23:30:10.623456-04:00', '2026-10-05'],
    ['2026-10-05', '2026-10-05T00:00:00-04:00'],
  ])('%s is %s', (ours, theirs) => expect(dates(ours, theirs)).toBe(false))
  it.each([
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:10.123457-04:00'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:30:09-04:00'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-05T23:31'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06'],
    ['2026-10-05T23:30:10.123456-04:00', '2026-10-06T03:30:10.123456'],
    ['2026-10-05', '2026-10-04'],
    ['2026-10-05', '2026-13-05'],
  ])('%s is not %s', (ours, theirs) => expect(dates(ours, theirs)).toBe(true))
  it('a zone whose clocks were set forward shows its own time', () => {
    expect(dates('2026-04-05T12:00:00Z', '2026-04-05T08:00:00', 'America/New_York')).toBe(false)
    expect(dates('2026-02-05T12:00:00Z', '2026-02-05T08:00:00', 'America/New_York')).toBe(true)
  })
})

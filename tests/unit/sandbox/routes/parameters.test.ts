import { describe, expect, test } from 'vitest'
import { endsBefore, readMoment } from '#sandbox/routes/sync-routes.ts'

const at = (iso: string) => Date.parse(iso)

describe('from and to are ISO 8601 (accounting-sync, treasury-sync)', () => {
  const moments: readonly (readonly [text: string, instant: number])[] = [
    ['2026-01-15T10:00:00-04:00', at('2026-01-15T14:00:00Z')],
    ['2026-01-15t14:00:00z', at('2026-01-15T14:00:00Z')],
    ['2026-01-15T14:00:00,250+0000', at('2026-01-15T14:00:00.250Z')],
    ['2026W034T1000-04', at('2026-01-15T14:00:00Z')],
    // Sandbox choice: a time without an offset is at -04:00.
    ['2026-01-15T10:00:00', at('2026-01-15T14:00:00Z')],
  ]
  for (const [text, instant] of moments)
    test(text, () => expect(readMoment(text)).toMatchObject({ from: instant, to: instant }))

  test('a date alone is the whole day at -04:00 (sandbox choice)', () => {
    for (const date of ['2026-01-15', '20260115', '2026-W03-4', '2026W034', '2026-015', '2026015'])
      expect(readMoment(date), date).toMatchObject({
        from: at('2026-01-15T04:00:00Z'),
        to: at('2026-01-16T03:59:59.999Z'),
      })
  })

  test('digits beyond the millisecond let in nothing that lies outside', () =>
    expect(readMoment('2026-01-15T14:00:00.0005000Z')).toMatchObject({
      from: at('2026-01-15T14:00:00.001Z'),
      to: at('2026-01-15T14:00:00Z'),
    }))

  // Other forms: the reader's own tests, tests/unit/catalog/date-time.test.ts.
  for (const text of ['yesterday', '2026-02-30', '2026-01-15T10:00:00 04:00', '', '2026-W03'])
    test(`${JSON.stringify(text)} is none`, () => expect(readMoment(text)).toBeNull())

  test('a range ends before it begins by instant, not by text', () => {
    const ends = (to: string, from: string) => {
      const [a, b] = [readMoment(to), readMoment(from)]
      return a && b && endsBefore(a, b)
    }
    expect(ends('2026-01-15T14:00:00Z', '2026-01-15T10:00:00-04:00')).toBe(false)
    expect(ends('2026-01-15T13:59:59.999Z', '2026-01-15T10:00:00-04:00')).toBe(true)
    expect([ends('2026-01-15', '2026-01-15'), ends('2026-01-14', '2026-01-15')]).toEqual([false, true])
    expect(ends('2026-01-15T14:00:00.0005Z', '2026-01-15T14:00:00.0005Z')).toBe(false)
    expect(ends('2026-01-15T14:00:00.0004Z', '2026-01-15T14:00:00.0005Z')).toBe(true)
  })
})

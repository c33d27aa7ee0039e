import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localTime, offsetMinutes, readInstant } from '../../../../src/sandbox/domain/local-time.ts'

describe('Timestamp: local time with its offset, never Z (Webhook envelope)', () => {
  it('says the offset it was given', () => {
    const instant = Date.UTC(2026, 0, 1, 2, 3, 4, 56)
    expect(localTime(instant, '-04:00')).toBe('2025-12-31T22:03:04.056-04:00')
    expect(localTime(instant, '+05:30')).toBe('2026-01-01T07:33:04.056+05:30')
  })
  it('is the same instant again when read, for every offset', () => {
    const instants = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2099, 11, 30) })
    const offsets = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 59 }),
    )
    fc.assert(
      fc.property(instants, offsets, (instant, [sign, hours, minutes]) => {
        const offset = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
        fc.pre(offset !== '-00:00')
        expect(readInstant(localTime(instant, offset))).toBe(instant)
      }),
    )
  })
  it.each(['Z', '-00:00', '4:00', '+15:00', '-04:60', '-0400', ''])(
    'takes no “%s” for an offset',
    (offset) => {
      expect(offsetMinutes(offset)).toBeNull()
    },
  )
  it.each(['2026-11-21', '2026-11-21T10:00:00', '1999-01-01T00:00:00Z', '2026-13-01T00:00:00Z', 'now'])(
    'takes no “%s” for an issue date',
    (text) => expect(readInstant(text)).toBeNull(),
  )
  it('reads an issue date in every form that the checks take', () => {
    const instant = Date.UTC(2026, 10, 21, 14)
    for (const text of ['2026-11-21T10:00-04:00', '20261121T1000-04', '2026-W47-6T14:00:00,000Z'])
      expect(readInstant(text)).toBe(instant)
  })
})

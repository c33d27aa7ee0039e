import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateTimeLike, dateTimeText, readTimestamp } from '#catalog/date-time.ts'
import { microsOf } from '../../support/events.ts'
import { forAll } from '../../support/for-all.ts'
import { words } from '../../support/words.ts'

const at = (iso: string): number => Date.parse(iso) * 1000

describe('Timestamp is an ISO 8601 date-time with UTC offset (readings, The envelope)', () => {
  test.each([
    ['2026-11-21T09:20:41-04:00', at('2026-11-21T13:20:41Z')],
    ['2026-11-21T09:20:41.1234567-04:00', at('2026-11-21T13:20:41Z') + 123_456],
    ['2026-11-21T09:20:41,5-04', at('2026-11-21T13:20:41Z') + 500_000],
    ['2026-11-21T09:20:41-0430', at('2026-11-21T13:50:41Z')],
    ['2026-11-21T09:20+05:45', at('2026-11-21T03:35:00Z')],
    ['20261121T092041-0400', at('2026-11-21T13:20:41Z')],
    ['2024-02-29T00:00:00+00:00', at('2024-02-29T00:00:00Z')],
    ['2026-325T09:20:41-04:00', at('2026-11-21T13:20:41Z')],
    ['2026-W47-6T09:20:41-04:00', at('2026-11-21T13:20:41Z')],
    ['2020-W53-5T00:00:00+00:00', at('2021-01-01T00:00:00Z')],
    ['2026W476T092041-0400', at('2026-11-21T13:20:41Z')],
    ['2026-12-31T24:00:00-04:00', at('2027-01-01T04:00:00Z')],
    ['2016-12-31T23:59:60+00:00', at('2017-01-01T00:00:00Z')],
    ['2016-12-31T19:59:60.5-04:00', at('2017-01-01T00:00:00Z') + 500_000],
    ['1969-12-31T19:59:59-04:00', -1_000_000],
  ])('%s', (text, instant) => expect(readTimestamp(text)).toEqual({ instant, zone: 'offset' }))

  test.each(['2026-11-21T09:20:41Z', '2026-11-21T09:20:41-00:00', '20261121T092041Z'])(
    '%s says UTC',
    (text) => expect(readTimestamp(text)).toEqual({ instant: at('2026-11-21T09:20:41Z'), zone: 'utc' }),
  )
  test.each(['2026-11-21T09:20:41', '2026-11-21T09:20', '2026-11-21T24:00:00', '20261121T092041.5'])(
    '%s has no offset',
    (text) => expect(readTimestamp(text)).toEqual({ problem: 'no-offset' }),
  )
  test.each([
    ...['', 'T', '2026-11-21', '09:20:41-04:00', '2026-11-21 09:20:41-04:00', '2026-11-21t09:20:41-04:00'],
    ...['2026-11-21T09:20:41z', '2026-02-29T00:00:00Z', '2026-00-10T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-04-31T00:00:00Z', '2026-11-21T25:00:00Z', '2026-11-21T24:00:01Z', '2026-11-21T24:00:00.1Z'],
    ...['2026-11-21T09:60:00Z', '2026-11-21T09:20:61Z', '2026-11-21T09:20:60Z', '2016-12-30T23:59:60Z'],
    ...[
      '2026-11-21T09:20:41+24:00',
      '2026-11-21T09:20:41+04:60',
      '2026-11-21T09:20:41 -04:00',
      '2026-366T00:00:00Z',
    ],
    ...['2026-W54-1T00:00:00Z', '2026-W00-1T00:00:00Z', '2026-W10-8T00:00:00Z', '+002026-11-21T09:20:41Z'],
    ...words`
      2026-11-21T0920-04:00 20261121T09:20-04:00 2026-11-21T09Z 2026-11-21T09:20:41.Z
      ٢٠٢٦-11-21T09:20:41Z
    `,
    ...[
      '2026-11-21T09:20:41-04:00\n',
      `2026-11-21T09:20:41.${'1'.repeat(200)}Z`,
      'Sat, 21 Nov 2026 09:20:41 GMT',
    ],
  ])('%j is no date-time', (text) => expect(readTimestamp(text)).toEqual({ problem: 'no-date-time' }))

  test('instants beyond what a double holds exactly are clamped, in order', () => {
    expect(microsOf('0001-01-01T00:00:00+00:00')).toBe(-Number.MAX_SAFE_INTEGER)
    expect(microsOf('9999-12-31T23:59:59+00:00')).toBe(Number.MAX_SAFE_INTEGER)
  })
  test('agrees with Date for any instant and any offset (property)', () => {
    const instant = fc.integer({ min: Date.UTC(1700, 0, 1), max: Date.UTC(2250, 0, 1) })
    forAll(100, [instant, fc.integer({ min: -14 * 60, max: 14 * 60 })], (ms, offset) => {
      const local = new Date(ms + offset * 60_000).toISOString().slice(0, -1)
      const size = Math.abs(offset)
      const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
      expect(microsOf(local + zone)).toBe(ms * 1000)
    })
  })
})

describe('one formatter writes what the reader reads', () => {
  test('every instant and offset, to the microsecond or the millisecond', () => {
    const instant = fc.integer({ min: -2_000_000_000_000_000, max: 4_000_000_000_000_000 })
    forAll(100, [instant, fc.integer({ min: -1_439, max: 1_439 })], (micros, east) => {
      const text = dateTimeText(micros, east)
      expect(microsOf(text)).toBe(micros)
      expect(microsOf(dateTimeText(micros, east, 3))).toBe(Math.floor(micros / 1_000) * 1_000)
      expect(dateTimeLike(micros, text)).toBe(text)
      expect(text).not.toMatch(/Z|\.(?:000)?000$/)
    })
  })
  test('UTC is written as an offset', () => {
    expect(dateTimeLike(0, '2026-11-21T00:00:00Z')).toBe('1970-01-01T00:00:00+00:00')
    expect(dateTimeText(1_500, -240)).toBe('1969-12-31T20:00:00.001500-04:00')
    expect(dateTimeText(1_000, 330, 3)).toBe('1970-01-01T05:30:00.001+05:30')
  })
})

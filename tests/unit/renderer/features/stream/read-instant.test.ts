import { expect, test } from 'vitest'
import { readInstant } from '@/features/stream/go-to-time.tsx'
import { words } from '../../../../support/words.ts'

const NOW = new Date(2026, 10, 21, 10, 30, 15).getTime()
const at = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime()

test.each([
  ['9:05', at(2026, 10, 21, 9, 5)],
  // The most recent such time.
  ['14:05', at(2026, 10, 20, 14, 5)],
  ['10:30:15', NOW],
  ['2026-11-01', at(2026, 10, 1)],
  ['2026-11-01T10:00', at(2026, 10, 1, 10)],
  [' 2026-11-01 10:00:05 ', at(2026, 10, 1, 10, 0, 5)],
  ['2026-11-01T10:00-04:00', Date.UTC(2026, 10, 1, 14)],
  ['2026-11-01T10:00Z', Date.UTC(2026, 10, 1, 10)],
  ['2026-11', at(2026, 10, 1)],
  ['-2h', NOW - 7_200_000],
  ['-90 s', NOW - 90_000],
  ['−1w', NOW - 7 * 86_400_000],
  ['today', at(2026, 10, 21)],
  ['AYER', at(2026, 10, 20)],
])('%s is a time to go to', (typed, instant) => expect(readInstant(typed, NOW)).toBe(instant))

test.each([
  ...words`
    noon 25:00 14:60 2026-13-01 2026-02-30 -2x -99999w >2026-11-01 2026-11-01.. last-7d 1969-01-01T00:00Z 🕐
  `,
  '',
])('%j is none', (typed) => expect(readInstant(typed, NOW)).toBeNull())

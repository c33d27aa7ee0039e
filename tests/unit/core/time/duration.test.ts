import { expect, test } from 'vitest'
import { durationText, spanText } from '#core/time/duration.ts'

test.each([
  [0, '0 ms'],
  [31, '0.03 ms'],
  [812, '0.8 ms'],
  [3_140, '3.1 ms'],
  [3_000, '3 ms'],
  [12_400, '12 ms'],
  [828_000, '828 ms'],
  [999_600, '1 s'],
  [1_240_000, '1.2 s'],
  [59_960_000, '1 min'],
  [125_000_000, '2 min 5 s'],
  [7_500_000_000, '2 h 5 min'],
  [266_500_000_000, '3 d 2 h'],
])('a duration of %d µs is written %s', (micros, text) => expect(durationText(micros)).toBe(text))

test('time that is left is told in whole seconds, at least one', () =>
  expect([0.02, 29.6, 125, 172_805].map(spanText)).toEqual(['1 s', '30 s', '2 min 5 s', '2 d']))

import { expect, test } from 'vitest'
import { durationText, spanText } from '#core/time/duration.ts'

test('durations from microseconds to hours have no more digits than a reader compares', () => {
  const micros = [
    0, 31, 812, 3_140, 3_000, 12_400, 828_000, 999_600, 1_240_000, 59_960_000, 125e6, 7_500e6, 266_500e6,
  ]
  const said =
    '0 ms, 0.03 ms, 0.8 ms, 3.1 ms, 3 ms, 12 ms, 828 ms, 1 s, 1.2 s, 1 min, 2 min 5 s, 2 h 5 min, 3 d 2 h'
  expect(micros.map(durationText).join(', ')).toBe(said)
})

test('time that is left is told in whole seconds, at least one', () =>
  expect([0.02, 29.6, 125, 172_805].map(spanText)).toEqual(['1 s', '30 s', '2 min 5 s', '2 d']))

import { expect, test } from 'vitest'
import { spanText } from '@/shared/formats/span.ts'

const DAY = 86_400
test.each([
  [0.02, '1 s'],
  [30, '30 s'],
  [125, '2 min 5 s'],
  [3_600, '1 h'],
  [2 * DAY + 5, '2 d'],
  [3 * DAY + 7_300, '3 d 2 h'],
])('%s seconds are told in their two largest units: %s', (seconds, text) =>
  expect(spanText(seconds, { number: String })).toBe(text),
)

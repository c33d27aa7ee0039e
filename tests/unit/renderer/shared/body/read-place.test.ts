import { expect, test } from 'vitest'
import { spanOf } from '../../../../../renderer/src/features/delivery/detail/span.ts'
import { readPlace } from '../../../../../renderer/src/shared/body/read-place.ts'
import { formatFor } from '../../../../../renderer/src/shared/i18n/format.ts'

test('a typed place is a line, a line and column, a pointer, or in hex an offset', () => {
  expect(readPlace(' 120 ', 'pretty')).toEqual({ number: 120 })
  expect(readPlace('0', 'text')).toEqual({ number: 1 })
  expect(readPlace('3:14', 'pretty')).toEqual({ line: 3, column: 14 })
  expect(readPlace('/data/Lines/0', 'text')).toEqual({ pointer: '/data/Lines/0' })
  expect(readPlace('0x1F', 'hex')).toEqual({ offset: 31 })
  expect(readPlace('31', 'hex')).toEqual({ offset: 31 })
  for (const wrong of ['', 'line 3', '-1', '1.5', '3:', '99999999999'])
    expect(readPlace(wrong, 'text')).toBeNull()
  expect(readPlace('0x1f', 'text')).toBeNull()
})

test('a stretch of time is told in its two largest units', () => {
  const format = formatFor('en')
  const second = 1_000_000
  expect(spanOf(125 * second, format)).toBe('2 min 5 s')
  expect(spanOf(3_600 * second, format)).toBe('1 h')
  expect(spanOf((3 * 86_400 + 7_300) * second, format)).toBe('3 d 2 h')
  expect(spanOf(30 * second, format)).toBe('30 s')
  expect(spanOf(1_500, format)).toBe('1.5 ms')
})

import { expect, test } from 'vitest'
import { readPlace } from '@/shared/body/find-bar.tsx'

test('a typed place is a line, a line and column, a pointer, or in hex an offset', () => {
  expect(readPlace(' 120 ', 'pretty')).toEqual({ number: 120 })
  expect(readPlace('0', 'text')).toEqual({ number: 1 })
  expect(readPlace('3:14', 'pretty')).toEqual({ line: 3, column: 14 })
  expect(readPlace('/data/Lines/0', 'text')).toEqual({ pointer: '/data/Lines/0' })
  expect([readPlace('0x1F', 'hex'), readPlace('31', 'hex')]).toEqual([{ offset: 31 }, { offset: 31 }])
  for (const wrong of ['', 'line 3', '-1', '1.5', '3:', '99999999999'])
    expect(readPlace(wrong, 'text')).toBeNull()
  expect(readPlace('0x1f', 'text')).toBeNull()
})

import { expect, test } from 'vitest'
import { localTime, localZone } from '@/shared/formats/local-time.ts'

test.each([0, 1_763_649_738_311, 1_751_371_200_000])(
  'the local time and its zone at %i name that instant',
  (ms) => {
    expect(Date.parse(localTime(ms) + localZone(ms))).toBe(ms)
    expect(new Date(localTime(ms)).getTime()).toBe(ms)
  },
)

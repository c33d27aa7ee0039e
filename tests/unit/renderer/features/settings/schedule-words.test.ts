import { expect, test } from 'vitest'
import { whenNext } from '@/shared/live/schedules.ts'

test('the status bar says of a sweep on the present day only the time, of another the day', () => {
  const now = new Date(2026, 10, 21, 9, 0).getTime()
  const format = { clock: () => '22:07:00.000', moment: () => 'Nov 22, 2026, 22:07' }
  const at = (day: number) => whenNext(new Date(2026, 10, day, 22, 7).getTime(), now, format)
  expect([at(21), at(22)]).toEqual(['22:07', 'Nov 22, 2026, 22:07'])
})

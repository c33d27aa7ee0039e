import { expect, test } from 'vitest'
import { DEFAULT_SCHEDULE, type ScheduleRun, type ScheduleState } from '#contract/schedules.ts'
import { type NoticeParts, scheduleNotices } from '../../../src/main/schedule-notices.ts'

const state = (run: Partial<ScheduleRun>, notify = true): ScheduleState => ({
  schedule: { ...DEFAULT_SCHEDULE, connection: 'erp', notify },
  ...{ running: false, nextRun: null },
  last: {
    ...{ startedAt: 1, endedAt: 2, by: 'schedule', from: null, to: null, sweeps: [14] },
    ...{ missing: 0, differs: 0, fresh: 0, recovery: null, error: null },
    ...run,
  },
})

function rig(change: Partial<NoticeParts> = {}) {
  const shown: { title: string; body: string; click: () => void }[] = []
  const opened: (number | undefined)[] = []
  const take = scheduleNotices({
    make: (words) => {
      let click = () => {}
      return {
        on: (_, listener) => {
          click = listener
        },
        show: () => shown.push({ ...words, click }),
      }
    },
    language: () => 'en',
    open: (sweep) => opened.push(sweep),
    ...change,
  })
  return { take, shown, opened }
}

test('a run that missed something new is told of, and a click opens its sweep (issue D, 7)', () => {
  const { take, shown, opened } = rig()
  take(state({ missing: 3, fresh: 2 }))
  expect(shown).toMatchObject([
    { title: 'Events of erp were missed', body: '2 documents with missed events.' },
  ])
  shown[0]?.click()
  expect(opened).toEqual([14])
})

test('what is no news is not told: nothing new, nothing at all, or not wanted', () => {
  const { take, shown } = rig()
  take(state({ missing: 3, fresh: 0 }))
  take(state({}))
  take(state({ missing: 1, fresh: 1 }, false))
  take({ ...state({}), last: null })
  expect(shown).toEqual([])
})

test('it speaks Spanish, and says what was recovered', () => {
  const { take, shown } = rig({ language: () => 'es' })
  const recovery = { target: 'erp-local', documents: 1, events: 2, jobs: [5] }
  take(state({ missing: 1, fresh: 1, recovery }))
  expect(shown[0]).toMatchObject({
    title: 'Se perdieron eventos de erp',
    body: '1 documento con un evento perdido; se reconstruyeron y se envían a erp-local.',
  })
})

test('a system without notifications is no reason to fail', () => {
  const { take, shown } = rig({ make: () => undefined })
  take(state({ fresh: 1 }))
  expect(shown).toEqual([])
})

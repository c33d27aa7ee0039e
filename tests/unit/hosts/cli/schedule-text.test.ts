import { expect, test } from 'vitest'
import { DEFAULT_SCHEDULE } from '#contract/defaults.ts'
import type { ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import { newsTeller, scheduleText } from '#hosts/cli/commands/schedule.ts'

const state = (run: Partial<ScheduleRun>): ScheduleState => ({
  schedule: { ...DEFAULT_SCHEDULE, connection: 'erp', time: { at: '06:30', weekdays: ['mon'] } },
  ...{ running: false, nextRun: 0 },
  last: {
    ...{ startedAt: 0, endedAt: 0, by: 'schedule', from: null, to: null, sweeps: [14] },
    ...{ missing: 0, differs: 0, fresh: 0, recovery: null, error: null },
    ...run,
  },
})
const failed = { missing: null, error: { code: 'unauthorised', message: 'The key is wrong.', params: {} } }

test('a host without a window says in one line what was missed and recovered, and nothing of what is no news', () => {
  const said: string[] = []
  const tell = newsTeller((line) => said.push(line))
  tell(state({ missing: 2, fresh: 0 }))
  expect(said).toEqual([])
  tell(state({ missing: 2, fresh: 1, recovery: { target: 'handler', documents: 1, events: 2, jobs: [7] } }))
  expect(said).toEqual([
    'Scheduled sweep of erp (sweep 14): 2 missing, 0 differ, 1 with a missed event that is new. 2 events of 1 document rebuilt and sent to handler by job 7.',
  ])
})

test('a failure that stays the same is said once, and again after it was away', () => {
  const said: string[] = []
  const tell = newsTeller((line) => said.push(line))
  for (const run of [failed, failed, {}, failed]) tell(state(run))
  expect(said).toEqual(Array(2).fill('Scheduled sweep of erp (sweep 14): The key is wrong.'))
})

test('a schedule for people says when it runs and its last result', () => {
  const text = scheduleText(state({}), 'America/Santo_Domingo')
  expect(text).toContain('erp  at 06:30 on mon (America/Santo_Domingo)\n')
  expect(text).toContain('Last run     1970-01-01T00:00:00Z: 0 missing, 0 differ.')
})

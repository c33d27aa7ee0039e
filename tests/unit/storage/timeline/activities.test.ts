import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { activitiesBetween } from '#storage/reader/activities.ts'
import { ATTEMPTS, Beside } from '#storage/sql/beside.ts'
import { Statements } from '#storage/sql/connection.ts'
import { addJob, attempt, captured, ledgerIn, options } from '../replays/support.ts'

const MINUTE = 60_000
const START = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE)

test('jobs, and what was sent by hand, are marks where they were: n times within a minute are one', () => {
  const { folder } = captured(3)
  const paths = storeFiles(folder)
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  const within = (from: number, to: number) => activitiesBetween(new Statements(db), START + from, START + to)
  // Nothing was ever sent, and there is no database.
  expect(within(0, MINUTE)).toEqual([])
  const ledger = ledgerIn(folder)
  const job = addJob(ledger, { type: 'filter', filter: '' }, options(), START + 5_000)
  ledger.changeJob(job.id, { state: 'done', endedAt: START + 9_000 })
  const [item] = ledger.waiting(job.id, 0, 1)
  const at = (seconds: number) => (START + seconds * 1_000) * 1_000
  ledger.commit({
    ended: [],
    begun: [
      attempt(1, { deliveryId: 2, startedAt: at(10) }),
      attempt(2, { deliveryId: 2, startedAt: at(11) }),
      attempt(3, { deliveryId: 3, startedAt: at(12), target: 'staging' }),
      attempt(4, { deliveryId: 2, startedAt: at(75) }),
      // A forward's and a job's are none of them.
      attempt(5, {
        deliveryId: 1,
        startedAt: at(13),
        origin: { by: 'job', job: job.id },
        item: item ?? null,
      }),
    ],
  })
  ledger.settle()
  new Beside(db, paths.replays, ATTEMPTS).ensure()
  const first = { id: 2, at: START + 10_000, to: START + 11_000, label: 'local' }
  expect(within(0, MINUTE)).toEqual([
    { type: 'replay', id: job.id, at: START + 5_000, to: START + 9_000, label: 'local' },
    { type: 'attempt', ...first, delivery: 2, times: 2 },
    {
      type: 'attempt',
      id: 3,
      at: START + 12_000,
      to: START + 12_000,
      label: 'staging',
      delivery: 3,
      times: 1,
    },
  ])
  expect(within(MINUTE, 2 * MINUTE)).toEqual([
    expect.objectContaining({ type: 'attempt', id: 4, delivery: 2, times: 1 }),
  ])
  expect(within(2 * MINUTE, 3 * MINUTE)).toEqual([])
})

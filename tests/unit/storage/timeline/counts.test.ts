import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import type { Timeline, TimelineBy } from '#contract/timeline.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Store } from '#core/ports.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { activitiesBetween } from '#storage/reader/activities.ts'
import { ATTEMPTS, createOptionalDatabase } from '#storage/sql/attached.ts'
import { Statements } from '#storage/sql/connection.ts'
import { aBody, aUuid } from '../../../support/events.ts'
import { seeded } from '../../../support/random.ts'
import { appendAtOnce } from '../../../support/store.ts'
import { test } from '../fixture.ts'
import { addJob, attempt, captured, ledgerIn, options } from '../replays/support.ts'

/** A full hour, at which wide bars may begin. */
const START = Date.UTC(2026, 10, 20, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

async function fill(store: Store, count: number): Promise<void> {
  const random = seeded(5)
  const kinds = KINDS.slice(0, 9).map(({ kind }) => kind)
  await appendAtOnce(store, count, (n) => {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'factura.created'
    const odd = random()
    return {
      receivedAt: (START + Math.floor(random() * 3 * HOUR)) * 1_000,
      endpoint: random() < 0.3 ? 'erp' : 'default',
      rejected: random() < 0.1,
      body: odd < 0.1 ? 'no json' : aBody(kind, { data: { DocumentId: odd < 0.3 ? 7 : aUuid(n) } }),
    }
  })
  await store.deliveries.settled(20_000)
}

type Asked = { by: TimelineBy; bucketMs: number; from: number; to: number }
async function naive(store: Store, filter: string, { by, bucketMs, from, to }: Asked) {
  const { rows } = await store.deliveries.page(readFilter(filter), { from: 0, limit: 1_000 })
  const bars = new Map<number, Map<string, number>>()
  for (const { receivedAt, verdict, group } of rows) {
    const at = from + Math.floor((receivedAt / 1_000 - from) / bucketMs) * bucketMs
    if (receivedAt / 1_000 < from || receivedAt / 1_000 >= to) continue
    const key = by === 'verdict' ? (verdict ?? 'unjudged') : (group ?? 'none')
    const bar = bars.get(at) ?? new Map<string, number>()
    bars.set(at, bar.set(key, (bar.get(key) ?? 0) + 1))
  }
  return new Map([...bars].sort(([a], [b]) => a - b))
}

const asMap = ({ buckets, keys }: Pick<Timeline, 'buckets' | 'keys'>) =>
  new Map(
    buckets.map(({ at, counts }) => [
      at,
      new Map(counts.flatMap((n, place) => (n > 0 ? [[keys[place] ?? '', n] as const] : []))),
    ]),
  )

test('bars hold what the list holds, whatever the filter and the width', async ({ store }) => {
  await fill(store, 600)
  const filters = [
    '',
    'verdict:>=warning',
    'kind:factura.*',
    'group:invoices,dgii -verdict:valid',
    'endpoint:erp or verdict:unreadable',
    'is:rejected',
    'comercial',
    'doc:5f0c -endpoint:erp',
    'verdict:unjudged',
  ]
  for (const filter of filters)
    for (const by of ['verdict', 'group'] as const)
      for (const [bucketMs, from, to] of [
        [MINUTE, START, START + 3 * HOUR],
        [5 * MINUTE, START + 10 * MINUTE, START + 70 * MINUTE],
        [HOUR, START, START + 3 * HOUR],
        [10_000, START + 3 * MINUTE, START + 9 * MINUTE],
      ] as const) {
        const asked = { from, to, bucketMs, by }
        const got = await store.deliveries.timeline(readFilter(filter), asked)
        const told = `${filter} by ${by} at ${bucketMs}`
        expect(asMap(got), told).toEqual(await naive(store, filter, asked))
        expect([got.bucketMs, got.exact], told).toEqual([bucketMs, true])
      }
})

test('what arrives later, and what retention deletes, is counted at once', async ({ store }) => {
  await fill(store, 200)
  const query = { from: START, to: START + 3 * HOUR, bucketMs: HOUR, by: 'verdict' } as const
  const total = async (filter: string) => {
    const { buckets } = await store.deliveries.timeline(readFilter(filter), query)
    return buckets.flatMap(({ counts }) => counts).reduce((sum, n) => sum + n, 0)
  }
  expect([await total(''), await total('kind:*.created or -kind:*.created')]).toEqual([200, 200])
  const words = await total('comercial')
  await fill(store, 50)
  expect(await total('')).toBe(250)
  expect(await total('comercial')).toBeGreaterThan(words)
  await store.deliveries.retention({ keepNewest: 20 }, true)
  await expect.poll(() => total('')).toBe(20)
  expect(await total('comercial')).toBeLessThanOrEqual(20)
  expect(await total('-endpoint:nowhere')).toBe(20)
  await store.deliveries.retention({ keepNewest: 0 }, true)
  await expect.poll(() => total('')).toBe(0)
  expect((await store.deliveries.timeline(readFilter(''), query)).stored).toBeNull()
})

test('stretches and bars are widened to whole minutes', async ({ store }) => {
  await fill(store, 30)
  const asked = { from: START + 1, to: START + 2 * HOUR + 1, bucketMs: 90_000, by: 'verdict' } as const
  const got = await store.deliveries.timeline(readFilter(''), asked)
  expect([got.from, got.to, got.bucketMs]).toEqual([START, START + 2 * HOUR + MINUTE, 2 * MINUTE])
  expect(got.stored?.from).toBeGreaterThanOrEqual(START)
  expect(got.stored?.to).toBeLessThanOrEqual(START + 3 * HOUR)
})

test('jobs, and what was sent by hand, are marks where they were: n times within a minute are one', () => {
  const { folder } = captured(3)
  const paths = storeFiles(folder)
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  const within = (from: number, to: number) => activitiesBetween(new Statements(db), START + from, START + to)
  // Without any attempt there is no database.
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
      // Attempts of forwards and jobs do not count.
      attempt(5, { startedAt: at(13), origin: { by: 'job', job: job.id }, item: item ?? null }),
    ],
  })
  ledger.settle()
  createOptionalDatabase(db, paths.replays, ATTEMPTS).ensure()
  const first = { id: 2, at: START + 10_000, to: START + 11_000, label: 'local' }
  const second = { id: 3, at: START + 12_000, to: START + 12_000, label: 'staging' }
  expect(within(0, MINUTE)).toEqual([
    { type: 'replay', id: job.id, at: START + 5_000, to: START + 9_000, label: 'local' },
    { type: 'attempt', ...first, delivery: 2, times: 2 },
    { type: 'attempt', ...second, delivery: 3, times: 1 },
  ])
  expect(within(MINUTE, 2 * MINUTE)).toMatchObject([{ type: 'attempt', id: 4, delivery: 2, times: 1 }])
  expect(within(2 * MINUTE, 3 * MINUTE)).toEqual([])
})

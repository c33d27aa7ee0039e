import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_JOB_OPTIONS, DEFAULT_SCHEDULE, DEFAULT_TARGET } from '#contract/defaults.ts'
import type { ScheduleRun } from '#contract/schedule.ts'
import type { Call } from '#core/ports.ts'
import type { ScheduleMemory } from '#core/schedules/ports.ts'
import { sweepAll } from '#core/schedules/run.ts'
import { hookReceiver } from '../../../support/hook-receiver.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { until } from '../../../support/until.ts'
import { business, ranged, reconcileHost } from './support.ts'

const SCHEDULE = { ...DEFAULT_SCHEDULE, connection: 'main', lookBackDays: 40 }
const CREATED = /^(?:factura|nota_\w+|gasto)\.created$/

async function run({ call }: Pick<Awaited<ReturnType<typeof business>>, 'call'>): Promise<ScheduleRun> {
  const before = await call('schedules.run-now', { connection: 'main' })
  expect(before.running).toBe(true)
  const after = await until(
    async () => (await call('schedules.list', {})).schedules[0],
    (state) => state?.running === false && state.last?.startedAt !== before.last?.startedAt,
  )
  return after?.last ?? Promise.reject(new Error('it never ran'))
}

test('an outage, found by a scheduled run and recovered to a target; the run after it finds nothing new', async () => {
  const house = await business()
  const { call } = house
  const handler = await hookReceiver((_, response) => response.end())
  await call('targets.save', { ...DEFAULT_TARGET, name: 'handler', url: handler.url })
  const finished: unknown[] = []
  house.subscribe((push, payload) => {
    if (push === 'schedules.finished') finished.push(payload)
  })
  await house.client.admin('PUT', '/laboratory', { lose: { share: 0.1 }, seed: 11 })
  const log = await house.play('month', 120)
  await house.client.admin('DELETE', '/laboratory')
  const lost = log.filter((entry) => entry.lost && CREATED.test(entry.kind)).length
  expect(lost).toBeGreaterThan(3)

  await call('schedules.save', { ...SCHEDULE, overlapMinutes: 40 * 1_440, recoverTo: 'handler' })
  const first = await run(house)
  expect(first).toMatchObject({ by: 'hand', error: null, missing: lost })
  expect(first.fresh).toBeGreaterThanOrEqual(lost)
  expect(first.recovery?.documents).toBeGreaterThanOrEqual(lost)
  const done = await house.job(first.recovery?.jobs[0] ?? 0, 'done')
  expect(done).toMatchObject({ done: first.recovery?.events, failed: 0 })
  expect(handler.received).toHaveLength(first.recovery?.events ?? 0)
  for (const { headers } of handler.received) expect(headers).toContain('X-Acuse-Synthetic')
  expect(finished).toEqual([expect.objectContaining({ last: first })])
  // An automatic recovery does not change the user's default target.
  expect((await call('settings.get', {})).defaultTarget).toBeNull()

  const second = await run(house)
  expect(second).toMatchObject({ error: null, missing: 0, fresh: 0, recovery: null })
  // From the last complete sweep on, minus the overlap.
  expect(Date.parse(second.from ?? '')).toBe(Date.parse(first.to ?? '') - 40 * 86_400_000)
  expect(handler.received).toHaveLength(first.recovery?.events ?? 0)
  expect((await call('jobs.list', {})).jobs).toHaveLength(1)
})

test('a schedule outlives Acuse; a sweep that its end interrupted is gone on with at the next start', async () => {
  const dataDir = tempFolder()
  const house = await business({ dataDir })
  await house.play('month', 60)
  const timed = { route: 'both', time: { at: '06:30', weekdays: ['tue'] } } as const
  await house.call('schedules.save', { ...SCHEDULE, ...timed })
  await house.client.admin('PUT', '/laboratory', { sync: { fault: 'slow', slowMs: 60_000, share: 1 } })
  await house.call('schedules.run-now', { connection: 'main' })
  const sweeps = async () => (await house.call('sweeps.list', {})).sweeps
  const [{ id } = expect.fail()] = await until(sweeps, (all) => all.length > 0)
  await house.close()
  await house.client.admin('DELETE', '/laboratory')

  const next = await reconcileHost({ dataDir })
  const { schedules } = await next.call('schedules.list', {})
  expect(schedules[0]).toMatchObject({ schedule: timed, last: null })
  expect(schedules[0]?.nextRun).toBeGreaterThan(Date.now())
  const last = await run(next)
  expect(last).toMatchObject({ error: null, sweeps: [id, id + 1] })
  const { sweeps: all } = await next.call('sweeps.list', {})
  expect(all.map(({ state, range }) => `${range.route} ${state}`)).toEqual([
    'treasury complete',
    'accounting complete',
  ])
})

test('a service that refuses is told of, and the next run begins where the last complete one ended', async () => {
  const house = await business()
  await house.play('month', 20)
  await house.call('schedules.save', SCHEDULE)
  const good = await run(house)
  await house.connect(house.sandbox.url, { previousName: 'main', apiKey: 'wrong' })
  const bad = await run(house)
  expect(bad).toMatchObject({ error: { code: 'unauthorised' }, missing: null, recovery: null })
  await house.connect(house.sandbox.url, { previousName: 'main', apiKey: house.sandbox.apiKey })
  const again = await run(house)
  expect(again).toMatchObject({ error: null, from: bad.from })
  expect(Date.parse(bad.from ?? '')).toBe(Date.parse(good.to ?? '') - 1_440 * 60_000)
  expect(JSON.stringify(await house.call('schedules.list', {}))).not.toContain(house.sandbox.apiKey)
})

test('a schedule goes with its connection, and keeps its target', async () => {
  const house = await business()
  const { call } = house
  await call('targets.save', { ...DEFAULT_TARGET, name: 'handler', url: 'http://127.0.0.1:9' })
  const refused = (change: object) => expect(call('schedules.save', { ...SCHEDULE, ...change })).rejects
  await refused({ recoverTo: 'nobody' }).toThrow('no target named "nobody"')
  await refused({ connection: 'other' }).toMatchObject({ code: 'not-found' })
  await call('schedules.save', { ...SCHEDULE, recoverTo: 'handler' })
  await expect(call('targets.remove', { name: 'handler' })).rejects.toMatchObject({ code: 'conflict' })
  await house.connect(house.sandbox.url, { previousName: 'main', name: 'renamed' })
  const { schedules } = await call('schedules.list', {})
  expect(schedules.map(({ schedule }) => schedule.connection)).toEqual(['renamed'])
  await call('connections.remove', { name: 'renamed' })
  expect((await call('settings.get', {})).schedules).toEqual([])
  expect(await call('targets.remove', { name: 'handler' })).toMatchObject({ targets: [] })
})

test('a run that fell due while Acuse was off is made at its start, by itself and once', async () => {
  const dataDir = tempFolder()
  const house = await business({ dataDir })
  await house.play('month', 20)
  await house.call('schedules.save', SCHEDULE)
  await house.close()
  const file = join(dataDir, 'schedule-runs.json')
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  // Five of its hours ago.
  writeFileSync(file, JSON.stringify({ main: { ...kept.main, since: kept.main.since - 5 * 3_600_000 } }))
  const startedAt = Date.now()
  const next = await reconcileHost({ dataDir })
  const state = await until(
    async () => (await next.call('schedules.list', {})).schedules[0],
    (one) => one?.running === false && one.last !== null,
  )
  expect(state?.last).toMatchObject({ by: 'schedule', error: null, missing: 0 })
  expect(state?.nextRun).toBeGreaterThanOrEqual(startedAt + 3_600_000)
  expect((await next.call('sweeps.list', {})).sweeps).toHaveLength(1)
})

test('both routes of a sweep by hand are the host’s own work: treasury follows accounting with no window open', async () => {
  const house = await business()
  await house.play('month', 30)
  const range = { ...ranged({ pageSize: 7 }), route: 'both' } as const
  const { id } = await house.call('sweeps.start', { connection: 'main', range })
  await house.sweep(id, 'complete')
  await house.sweep(id + 1, 'complete')
  const second = await house.call('sweeps.get', { id: id + 1 })
  expect(second.range).toMatchObject({ route: 'treasury', pageSize: 7 })
})

test('a recovery whose run was killed before its end goes on with its job', async () => {
  const dataDir = tempFolder()
  const house = await business({ dataDir })
  await house.play('month', 20)
  const handler = await hookReceiver((_, response) => setTimeout(() => response.end(), 200))
  await house.call('targets.save', { ...DEFAULT_TARGET, name: 'handler', url: handler.url })
  await house.call('schedules.save', { ...SCHEDULE, enabled: false, recoverTo: 'handler' })
  const source = { type: 'filter', filter: '' } as const
  const options = { ...DEFAULT_JOB_OPTIONS, to: { target: 'handler' } }
  const { id, total } = await house.call('jobs.start', { source, options })
  await house.close()
  const kept = join(dataDir, 'schedule-runs.json')
  const { main } = JSON.parse(readFileSync(kept, 'utf8'))
  const sending = { sweep: 1, target: 'handler', afterJob: id - 1 }
  writeFileSync(kept, JSON.stringify({ main: { ...main, sending } }))

  const next = await reconcileHost({ dataDir })
  expect(await next.job(id, 'done')).toMatchObject({ done: total })
})

test('a run that is killed in the moment in which its sweep begins goes on with that sweep', async () => {
  const house = await business()
  await house.play('month', 20)
  let memory = {
    since: 0,
    last: null,
    sweptTo: {},
    told: [],
    underWay: null,
    sending: null,
  } as ScheduleMemory
  const { signal } = new AbortController()
  const run = (call: Call) =>
    sweepAll(
      {
        call,
        clock: { now: Date.now },
        once: null,
        zone: () => 'UTC',
        memory: () => memory,
        remember: async (change) => {
          memory = { ...memory, ...change }
        },
        timer: {
          set(_, work) {
            const timer = setTimeout(work, 20)
            return () => clearTimeout(timer)
          },
        },
        onSweeps: () => () => {},
        startJob: () => Promise.reject(new Error('not asked')),
        knowsTarget: () => true,
      },
      { ...SCHEDULE, route: 'accounting' },
      signal,
    )
  const killed: Call = async (name, params) => {
    const answer = await house.call(name, params)
    if (name === 'sweeps.start') throw new Error('killed')
    return answer
  }
  await expect(run(killed)).rejects.toThrow('killed')
  const { sweeps } = await run(house.call)
  const { sweeps: all } = await house.call('sweeps.list', {})
  expect(all.map(({ id, state }) => [id, state])).toEqual([[sweeps[0]?.id, 'complete']])
})

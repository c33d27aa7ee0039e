import { expect, it } from 'vitest'
import type { Alert } from '#contract/alerts.ts'
import { DEFAULT_ALERT, DEFAULT_HOURS, DEFAULT_SCHEDULE, DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { ScheduleRun, ScheduleState } from '#contract/schedule.ts'
import type { ReceiverState } from '#contract/status.ts'
import { type AlertMemories, Alerts } from '#core/alerts/alerts.ts'
import type { AlertNote } from '#core/alerts/incidents.ts'
import type { StoreNotice } from '#core/ports.ts'
import { memorySettings } from '../../../support/memory-settings.ts'

const MINUTE = 60_000
const LISTENING: ReceiverState = { state: 'listening', url: '', host: '127.0.0.1', port: 1 }

/** Alerts with a simulated clock; every delivery matches every filter. */
function rig(alert: Partial<Alert> & Pick<Alert, 'cause'>, from: string, memories?: AlertMemories) {
  let now = Date.parse(from)
  let lastId = 0
  const timers = new Set<{ at: number; work: () => void }>()
  const notes: AlertNote[] = []
  const told = new Set<(notice: StoreNotice) => void>()
  const swept = new Set<(state: ScheduleState) => void>()
  const turned = new Set<(state: ReceiverState) => void>()
  let kept = memories ?? { lastIncident: 0, alerts: {} }
  const listen =
    <T>(to: Set<(one: T) => void>) =>
    (listener: (one: T) => void) => {
      to.add(listener)
      return () => to.delete(listener)
    }
  const settings = memorySettings({
    ...DEFAULT_SETTINGS,
    alerts: [{ ...DEFAULT_ALERT, name: 'ops', target: 'http://127.0.0.1:1/', ...alert }],
  })
  const alerts = new Alerts({
    settings,
    store: {
      onNotice: listen(told),
      deliveries: { scan: async () => [{ id: lastId } as never], settled: async () => 0 },
    },
    receiver: { state: () => LISTENING, onState: listen(turned) },
    clock: { now: () => now },
    timer: {
      set(ms, work) {
        const one = { at: now + ms, work }
        timers.add(one)
        return () => timers.delete(one)
      },
    },
    memories: kept,
    remember: async (next) => {
      kept = next
    },
    onSwept: listen(swept),
    swept: () => [],
    recall: () => undefined,
    send: async (_, note) => {
      notes.push(note)
      return { problem: null, tookMs: 1 }
    },
    demandSendable: async () => {},
    warn: (message) => expect.fail(message),
  })
  alerts.begin()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...{ alerts, notes },
    kept: () => kept,
    events: () => notes.map(({ event, at }) => `${event} ${at.slice(5, 16)}`),
    async pass(minutes: number) {
      for (const end = now + minutes * MINUTE; now < end; ) {
        const next = [...timers].toSorted((a, b) => a.at - b.at)[0]
        now = Math.min(end, Math.max(now, next?.at ?? end))
        if (next && next.at <= now) {
          timers.delete(next)
          next.work()
        }
        await settle()
      }
    },
    async deliver() {
      lastId += 1
      for (const listener of told) listener({ type: 'arrived', firstId: lastId, lastId })
      for (const listener of told) listener({ type: 'judged', firstId: lastId, lastId })
      await new Promise((resolve) => setTimeout(resolve, 300))
    },
    async sweep(last: Pick<ScheduleRun, 'missing' | 'fresh'>, connection = 'erp') {
      const run = {
        startedAt: 0,
        endedAt: 0,
        by: 'schedule',
        from: null,
        to: null,
        sweeps: [],
        differs: 0,
      } as const
      const schedule = { ...DEFAULT_SCHEDULE, connection }
      const state = { schedule, running: false, nextRun: null }
      for (const listener of swept)
        listener({ ...state, last: { ...run, recovery: null, error: null, ...last } })
      await settle()
    },
  }
}

// A Friday; Santo Domingo is at -04:00.
const HOURS = { ...DEFAULT_HOURS, from: '08:00', to: '18:00' }

it('silence: counts within working hours only, is told once, and is over with the next delivery', async () => {
  const { pass, events, deliver } = rig(
    { cause: 'silence', minutes: 30, hours: HOURS },
    '2026-11-27T10:00:00Z',
  )
  await pass(149)
  expect(events()).toEqual([])
  await pass(60)
  expect(events()).toEqual(['opened 11-27T12:30'])
  await deliver()
  await pass(20)
  expect(events()).toEqual(['opened 11-27T12:30', expect.stringMatching(/^recovered 11-27T13:29/)])
  await pass(15)
  expect(events()).toHaveLength(3)
  // Nothing arrives all weekend: the incident stays open, and no other one opens.
  await pass(3 * 24 * 60)
  expect(events()).toHaveLength(3)
})

it('silence: a restart begins to count again, and tells an open incident no second time', async () => {
  const first = rig({ cause: 'silence', minutes: 30 }, '2026-11-27T12:00:00Z')
  await first.pass(31)
  await first.alerts.close()
  const second = rig({ cause: 'silence', minutes: 30 }, '2026-11-27T13:00:00Z', first.kept())
  await second.pass(120)
  expect(second.notes).toEqual([])
  await second.deliver()
  await second.pass(1)
  expect(second.notes).toMatchObject([{ event: 'recovered', incident: 1 }])
})

it('misses: each run with new ones is an incident per connection; one that misses nothing ends it', async () => {
  const { notes, sweep, pass } = rig({ cause: 'missed' }, '2026-11-27T12:00:00Z')
  await sweep({ missing: 2, fresh: 2 })
  await pass(1)
  await sweep({ missing: 2, fresh: 0 })
  await sweep({ missing: 1, fresh: 1 }, 'pos')
  await pass(1)
  await sweep({ missing: 5, fresh: 3 })
  await pass(1)
  await sweep({ missing: 0, fresh: 0 })
  await pass(1)
  const told = notes.map(({ event, connection, count, incident }) => [event, connection, count, incident])
  expect(told).toEqual([
    ['opened', 'erp', 2, 1],
    ['opened', 'pos', 1, 2],
    ['opened', 'erp', 3, 3],
    ['recovered', 'erp', 3, 3],
  ])
})

it('invalid deliveries: over when none came for the given time', async () => {
  const { events, deliver, pass } = rig({ cause: 'invalid', minutes: 10 }, '2026-11-27T12:00:00Z')
  await deliver()
  await pass(9)
  await deliver()
  await pass(9)
  expect(events()).toEqual(['opened 11-27T12:00'])
  await pass(2)
  expect(events()).toEqual(['opened 11-27T12:00', 'recovered 11-27T12:19'])
})

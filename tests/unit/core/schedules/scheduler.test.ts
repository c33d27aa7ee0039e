import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ScheduleTime, Weekday } from '#contract/schedule.ts'
import { WEEKDAYS } from '#contract/values.ts'
import type { RunPorts } from '#core/schedules/ports.ts'
import { nextDue, type Planned, Scheduler } from '#core/schedules/scheduler.ts'
import { tell } from '#core/schedules/told.ts'
import { offsetAt, zonedText } from '#core/time/zone.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A scheduler with a simulated clock and timers; the test decides how long runs last. */
function rig(schedules: Record<string, ScheduleTime>, outcome: () => 'ended' | 'busy' = () => 'ended') {
  let now = Date.UTC(2026, 9, 5)
  const start = now
  const since = new Map(Object.keys(schedules).map((name) => [name, now]))
  const timers = new Set<{ at: number; work: () => void }>()
  const runs: { connection: string; at: number; by: string }[] = []
  const waiting: (() => void)[] = []
  let hold = false
  const scheduler = new Scheduler({
    clock: { now: () => now },
    timer: {
      set(ms, work) {
        const one = { at: now + ms, work }
        timers.add(one)
        return () => timers.delete(one)
      },
    },
    planned: () =>
      Object.entries(schedules).map(
        ([connection, time]): Planned => ({
          connection,
          time,
          zone: 'UTC',
          since: since.get(connection) ?? 0,
        }),
      ),
    async run(connection, by, signal) {
      const at = now
      runs.push({ connection, at: at - start, by })
      if (hold)
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => resolve())
        })
      const how = outcome()
      if (how === 'ended') since.set(connection, at)
      return how
    },
    changed() {},
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return {
    scheduler,
    runs,
    timers,
    since,
    start,
    settled,
    hold: (on: boolean) => {
      hold = on
      if (!on) for (const resolve of waiting.splice(0)) resolve()
    },
    async pass(ms: number) {
      const end = now + ms
      for (;;) {
        const [next] = [...timers].sort((a, b) => a.at - b.at)
        if (!next || next.at > end) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.work()
        await settled()
      }
      now = end
    },
    /** Simulates the machine's sleep: the clock advances without timers; a due timer fires at the end. */
    async sleep(ms: number) {
      now += ms
      for (const one of [...timers]) {
        timers.delete(one)
        one.work()
      }
      await settled()
    },
  }
}

describe('the scheduler', () => {
  it('runs at its times, each as often as it is due', async () => {
    const one = rig({ a: { every: 60 }, b: { every: 25 } })
    one.scheduler.begin()
    await one.pass(2 * HOUR)
    const of = (name: string) =>
      one.runs.filter((run) => run.connection === name).map(({ at }) => at / MINUTE)
    expect({ a: of('a'), b: of('b') }).toEqual({ a: [60, 120], b: [25, 50, 75, 100] })
    expect(one.scheduler.next('a')).toBe(one.start + 3 * HOUR)
  })
  it('makes up for what was missed asleep once, not once for each', async () => {
    const one = rig({ a: { every: 10 } })
    one.scheduler.begin()
    await one.sleep(8 * HOUR)
    await one.pass(9 * MINUTE)
    expect(one.runs.map(({ at }) => at / HOUR)).toEqual([8])
  })
  it('has no two runs of one connection at a time, and another connection does not wait', async () => {
    const one = rig({ a: { every: 10 }, b: { every: 10 } })
    one.hold(true)
    one.scheduler.begin()
    await one.pass(35 * MINUTE)
    expect(one.runs.map(({ connection }) => connection)).toEqual(['a', 'b'])
    expect([one.scheduler.isRunning('a'), one.scheduler.next('a')]).toEqual([true, null])
    one.hold(false)
    await one.settled()
    // Runs that fell due during a run are done once, at its end.
    await one.pass(MINUTE)
    expect(one.runs.filter(({ connection }) => connection === 'a')).toHaveLength(2)
  })
  it('a connection that is busy is asked again after a minute, until it is not', async () => {
    let busy = 3
    const one = rig({ a: { every: 60 } }, () => (busy-- > 0 ? 'busy' : 'ended'))
    one.scheduler.begin()
    await one.pass(2 * HOUR)
    expect(one.runs.map(({ at }) => at / MINUTE)).toEqual([60, 61, 62, 63])
  })
  it('interrupts what runs when it closes, and begins nothing more', async () => {
    const one = rig({ a: { every: 10 } })
    one.hold(true)
    one.scheduler.begin()
    await one.pass(10 * MINUTE)
    await one.scheduler.close()
    await one.pass(5 * HOUR)
    expect(one.runs).toHaveLength(1)
    expect(one.timers.size).toBe(0)
  })
})

const SANTO_DOMINGO = 'America/Santo_Domingo'
const text = (zone: string, at: number): string => zonedText(zone, at * 1_000)
const next = (time: ScheduleTime, zone: string, after: string): string =>
  text(zone, nextDue(time, zone, Date.parse(after))).replace(/\.000000|:00\.0+/, ':00')

describe('the next time of a schedule', () => {
  it('every n minutes counts from the run before', () =>
    expect(nextDue({ every: 90 }, SANTO_DOMINGO, 1_000)).toBe(1_000 + 90 * 60_000))
  it('a time of the day is that of the connection’s zone, today or tomorrow', () => {
    const at = (after: string) => next({ at: '06:30' }, SANTO_DOMINGO, after).slice(0, 16)
    expect(at('2026-10-05T06:29:59-04:00')).toBe('2026-10-05T06:30')
    expect(at('2026-10-05T06:30:00-04:00')).toBe('2026-10-06T06:30')
    expect(at('2026-10-05T23:59:00-04:00')).toBe('2026-10-06T06:30')
    // In Santo Domingo it is still the fifth.
    expect(at('2026-10-06T01:00:00Z')).toBe('2026-10-06T06:30')
  })
  it('weekdays are those of the zone', () => {
    const at = (weekdays: readonly Weekday[], after: string) =>
      next({ at: '22:00', weekdays }, SANTO_DOMINGO, after).slice(0, 16)
    // 2026-10-05 is a Monday.
    expect(at(['mon'], '2026-10-05T12:00:00-04:00')).toBe('2026-10-05T22:00')
    expect(at(['mon'], '2026-10-05T22:00:00-04:00')).toBe('2026-10-12T22:00')
    expect(at(['sun', 'wed'], '2026-10-05T22:00:00-04:00')).toBe('2026-10-07T22:00')
  })
  it('where clocks go forward over it, it is as much later; the day after it is itself again', () => {
    const at = (after: string) =>
      text('America/New_York', nextDue({ at: '02:30' }, 'America/New_York', Date.parse(after))).slice(0, 16)
    expect(at('2026-03-07T12:00:00-05:00')).toBe('2026-03-08T03:30')
    expect(at('2026-03-08T03:30:00-04:00')).toBe('2026-03-09T02:30')
  })
  it('where clocks go back over it, only the first of the two counts', () => {
    const due = (after: string) => nextDue({ at: '01:30' }, 'America/New_York', Date.parse(after))
    expect(due('2026-10-31T12:00:00-04:00')).toBe(Date.parse('2026-11-01T01:30:00-04:00'))
    expect(due('2026-11-01T01:30:00-04:00')).toBe(Date.parse('2026-11-02T01:30:00-05:00'))
  })

  const zones = fc.constantFrom(
    SANTO_DOMINGO,
    ...words`America/New_York Europe/Madrid Asia/Kathmandu Australia/Lord_Howe America/Havana Pacific/Apia`,
  )
  const instants = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2040, 0) })
  const times = fc.record({
    minutes: fc.integer({ min: 0, max: 1_439 }),
    weekdays: fc.option(fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }), { nil: null }),
  })
  const two = (value: number) => String(value).padStart(2, '0')

  it('is always later, shows the time asked for unless clocks jump over it, and leaves no day out', () =>
    forAll(300, [zones, instants, times], (zone, after, { minutes, weekdays }) => {
      const at = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
      const time = weekdays ? { at, weekdays } : { at }
      const due = nextDue(time, zone, after)
      expect(due).toBeGreaterThan(after)
      // A week, plus the hours or the day of a zone's change.
      expect(due - after).toBeLessThanOrEqual((weekdays ? 8 : 2) * 86_400_000 + 86_400_000)
      if (offsetAt(zone, due - 86_400_000) === offsetAt(zone, due + 86_400_000)) {
        const shown = new Date(due + offsetAt(zone, due))
        expect(shown.toISOString().slice(11, 16)).toBe(at)
        if (weekdays) expect(weekdays).toContain(WEEKDAYS[(shown.getUTCDay() + 6) % 7])
      }
      // No due time lies in between.
      const middle = after + Math.floor((due - after) / 2)
      expect(nextDue(time, zone, middle)).toBe(due)
    }))
})

/** A host that reports unanalysed deliveries for the first `polls` polls. */
function analysing(polls: number) {
  const asked: string[] = []
  const call = async (command: string) => {
    asked.push(command)
    if (command === SETTLED) return { unjudged: asked.length <= polls ? 7 : 0 }
    return { rows: [], total: 0 }
  }
  return { ports: { call, memory: () => ({ told: [] }) } as unknown as RunPorts, asked }
}

const { signal } = new AbortController()
const SETTLED = 'deliveries.settled'

describe('what a scheduled run tells', () => {
  it('compares once everything is analysed: what waits for that would count as missed', async () => {
    const { ports, asked } = analysing(3)
    expect(await tell(ports, 1, signal)).toEqual({ missing: 0, differs: 0, fresh: 0, keys: [] })
    expect(asked).toEqual([...Array(4).fill(SETTLED), 'reconciliation.summary', 'reconciliation.rows'])
  })

  it('compares nothing where the analysis never comes to its end', async () => {
    const { ports, asked } = analysing(Number.POSITIVE_INFINITY)
    await expect(tell(ports, 1, signal)).rejects.toMatchObject({ code: 'not-available' })
    expect(new Set(asked)).toEqual(new Set([SETTLED]))
  })
})

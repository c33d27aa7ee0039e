import { describe, expect, it } from 'vitest'
import type { ScheduleTime } from '#contract/schedule.ts'
import { type Planned, Scheduler } from '#core/schedules/scheduler.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A clock that only the test moves, with its timers; runs last as long as the test wants. */
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
    /** Asleep: the clock goes on, timers do not; the one that waits fires at waking. */
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
    // What fell due meanwhile is made once, as it ends.
    await one.pass(MINUTE)
    expect(one.runs.filter(({ connection }) => connection === 'a')).toHaveLength(2)
  })
  it('a run that fails is not made again before its next time', async () => {
    const one = rig({ a: { every: 60 } })
    one.scheduler.begin()
    await one.pass(90 * MINUTE)
    expect(one.runs).toHaveLength(1)
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

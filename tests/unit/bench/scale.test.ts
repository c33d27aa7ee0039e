import { describe, expect, it } from 'vitest'
import { type Constants, line, type Plan, simulate } from '../../bench/scale-model.ts'
import { seeded } from '../../support/random.ts'

const FREE = { batch: 0, each: 0 }
const NOTHING: Constants = {
  ...{
    sender: 0,
    receiver: 0,
    primary: FREE,
    standby: FREE,
    drain: FREE,
    commit: FREE,
    spread: [1],
    spill: 0,
  },
}
const REAL: Constants = {
  ...{ sender: 0.03, receiver: 0.1, spill: 2, spread: [0.8, 1, 1, 3] },
  ...{ primary: { batch: 0.6, each: 0.03 }, standby: { batch: 0.3, each: 0.01 } },
  ...{ drain: { batch: 0.6, each: 0.05 }, commit: { batch: 3, each: 0.01 } },
}
const run = (costs: Constants, plan: Partial<Plan> & Pick<Plan, 'load'>) =>
  simulate(costs, { seconds: 20, receivers: 2, cores: 2, ...plan }, seeded(7))
const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
/** Share by which a value may differ from the formula. */
const close = (value: number, formula: number) => Math.abs(value / formula - 1)

describe('the simulation obeys the laws of queues', () => {
  it.each([0.3, 0.6, 0.8])(
    'one processor with constant work, used %d of the time, as Pollaczek and Khinchine say',
    (used) => {
      const { receivers, latencies } = run(
        { ...NOTHING, receiver: 1 },
        { load: { rate: used * 1_000 }, receivers: 1, seconds: 200 },
      )
      expect(close(receivers, used)).toBeLessThan(0.02)
      expect(close(mean(latencies), 1 + used / (2 * (1 - used)))).toBeLessThan(0.05)
    },
  )
  it('senders that wait are as many as their rate times their wait, as Little says', () => {
    const { perSecond, latencies } = run(REAL, { load: { senders: 64 }, shared: true })
    expect(close((perSecond * mean(latencies)) / 1_000, 64)).toBeLessThan(0.02)
  })
  it('cores are used as long as the work takes', () => {
    const { arrived, batch, database } = run(REAL, { load: { rate: 5_000 } })
    expect(close(database * 2 * 20_000, (arrived / batch) * 0.6 + arrived * 0.03)).toBeLessThan(1e-6)
  })
  it.each([
    { load: { rate: 3_000 } },
    { load: { rate: 3_000 }, outage: { from: 4_000, ms: 10_000 } },
    { load: { rate: 3_000 }, outage: { from: 15_000, ms: 10_000 } },
    { load: { senders: 300 }, shared: true, outage: { from: 4_000, ms: 3_000 } },
  ])('each delivery is answered once, and ends in the database once: %o', (plan) => {
    const { arrived, stored, spilled, drained, latencies, batch } = run(REAL, plan)
    expect(stored + spilled).toBe(arrived)
    expect({ drained, answers: latencies.length }).toEqual({ drained: spilled, answers: arrived })
    expect(spilled > 0).toBe('outage' in plan)
    expect(batch).toBeLessThanOrEqual(256)
  })
  it('costs are the line through what was measured', () => {
    const { batch, each } = line([1, 16, 256].map((x) => [x, 600 + 30 * x]))
    expect([batch, each].map(Math.round)).toEqual([600, 30])
  })
})

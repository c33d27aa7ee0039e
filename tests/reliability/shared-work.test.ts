import { describe, expect, it } from 'vitest'
import {
  alertRound,
  type Failure,
  forwardRound,
  recoveryRound,
  type SweepFailure,
  sweepRound,
} from './shared-work-rounds.ts'

describe('followers with the same forward send each delivery once, in order', () => {
  it.each<[Failure]>([['none'], ['killed'], ['stopped'], ['restarted'], ['cut']])(
    'holder: %s',
    async (failure) => {
      const out = await forwardRound(failure)
      expect(out.twice).toEqual([])
      expect(out.unordered).toBe(0)
      // What a killed holder had started is uncertain, and not sent again: one in flight, and one or two whose end was not recorded yet.
      expect(out.missed.filter((n) => !out.uncertain.includes(n))).toEqual([])
      expect(out.uncertain.length).toBeLessThanOrEqual(failure === 'none' ? 0 : 3)
      expect(out.takeoverMs).toBeLessThan(10_000)
    },
  )
})

it('followers with the same alerts tell of each incident once, also when the one that tells is killed', async () => {
  expect(await alertRound()).toEqual(['broken opened', 'off opened', 'off recovered'])
})

describe('followers with the same schedule sweep once', () => {
  it.each<[SweepFailure, idle: readonly string[]]>([
    ['never', []],
    ['before', []],
    // Its sweep is of its own machine, where it is cancelled: the other one began its own.
    ['during', ['cancelled']],
  ])('the holder is killed: %s', async (killed, idle) => {
    const out = await sweepRound(killed)
    expect(out).toMatchObject({ swept: ['complete'], idle, waits: true })
    expect(out.takeoverMs).toBeLessThan(10_000)
  })
})

it.each(['killed', 'stopped'] as const)(
  'followers with the same schedule send each missed event once; the one that sends is %s',
  async (failure) => {
    const { missed, withoutFirst, withFirst, again } = await recoveryRound(failure)
    expect(missed).toBeGreaterThan(250)
    // What it had begun is uncertain until it comes back, and its job goes on.
    expect(missed - withoutFirst.events).toBeLessThanOrEqual(200)
    expect(withoutFirst.repeated).toBe(0)
    expect(withFirst.events).toBe(missed)
    // Tries in flight when it failed are repeated by its job, as after any failed try.
    expect(withFirst.repeated).toBeLessThanOrEqual(4)
    expect(again).toEqual(withFirst)
  },
)

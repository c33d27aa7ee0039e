import { describe, expect, it } from 'vitest'
import { ArrivalRate } from '#core/engine/pushes.ts'

const T0 = 1_700_000_000_000

describe('the rate in the status bar', () => {
  it('averages over the last five whole seconds, the running one left out', () => {
    const rate = new ArrivalRate()
    for (let second = 0; second < 5; second++) rate.add(10, T0 + second * 1000)
    rate.add(1_000, T0 + 5_000)
    expect(rate.perSecond(T0 + 5_500)).toBe(10)
  })

  it('falls to zero once nothing arrives', () => {
    const rate = new ArrivalRate()
    rate.add(50, T0)
    expect([rate.perSecond(T0 + 1_000), rate.perSecond(T0 + 7_000)]).toEqual([10, 0])
    expect(rate.perSecond(T0 + 3_600_000)).toBe(0)
  })

  it('does not count anything twice when the wall clock steps back', () => {
    const rate = new ArrivalRate()
    rate.add(5, T0 + 2_000)
    rate.add(5, T0)
    expect(rate.perSecond(T0 + 3_000)).toBe(2)
  })
})

import { describe, expect, it } from 'vitest'
import {
  gapOfSection,
  gapRange,
  gapsOf,
} from '../../../../../renderer/src/features/reconcile/coverage-gaps.ts'
import { paceOf } from '../../../../../renderer/src/features/reconcile/sweep-pace.ts'

describe('gaps of coverage', () => {
  const DAY = 86_400_000
  const at = (text: string) => Date.parse(text)
  const asked = { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-21T00:00:00Z') }

  it('are newest first; what follows each other is one, named by its longest state; blinks are left out', () => {
    const spans = [
      { state: 'off', from: asked.from, to: asked.from + DAY },
      { state: 'listening', from: asked.from + DAY, to: asked.from + 2 * DAY },
      { state: 'starting', from: asked.from + 2 * DAY, to: asked.from + 2 * DAY + 200 },
      { state: 'listening', from: asked.from + 2 * DAY + 200, to: asked.from + 3 * DAY },
      { state: 'asleep', from: asked.from + 3 * DAY, to: asked.from + 5 * DAY },
      { state: 'off', from: asked.from + 5 * DAY, to: asked.from + 6 * DAY },
      { state: 'listening', from: asked.from + 6 * DAY, to: asked.to - DAY },
      { state: 'port-lost', from: asked.to - DAY, to: asked.to },
    ] as const
    expect(gapsOf(spans, asked)).toEqual([
      { state: 'port-lost', from: asked.to - DAY, to: asked.to, openStart: false, openEnd: true },
      {
        state: 'asleep',
        from: asked.from + 3 * DAY,
        to: asked.from + 6 * DAY,
        openStart: false,
        openEnd: false,
      },
      { state: 'off', from: asked.from, to: asked.from + DAY, openStart: true, openEnd: false },
    ])
  })

  it('become the whole days of the zone that they touch, five minutes around them included (readings, Delivery, late)', () => {
    const gap = { from: at('2026-11-05T00:03:00-04:00'), to: at('2026-11-05T23:54:00-04:00') }
    expect(gapRange(gap, 'America/Santo_Domingo')).toEqual({ from: '2026-11-04', to: '2026-11-05' })
  })

  it('are named by a part of the address; anything else is none', () => {
    expect(gapOfSection('gap/1790000000000-1790000360000')).toEqual({
      from: 1790000000000,
      to: 1790000360000,
    })
    for (const other of [null, 'sweep-3', 'gap/2-1', 'gap/x-1', 'gap/1-'])
      expect(gapOfSection(other)).toBeNull()
  })
})

describe('the pace of a sweep', () => {
  const sample = (at: number, documents: number, share: number | null) => ({ at, documents, share })

  it('goes by the last half minute, and is unknown until a second has been seen', () => {
    expect(paceOf([])).toEqual({ perSecond: null, leftMs: null })
    expect(paceOf([sample(0, 0, 0), sample(900, 400, 0.1)])).toEqual({ perSecond: null, leftMs: null })
    const slow = [sample(0, 100_000, 0.1), sample(40_000, 110_000, 0.4), sample(50_000, 111_000, 0.5)]
    expect(paceOf(slow)).toEqual({ perSecond: 100, leftMs: expect.closeTo(50_000, 3) })
  })

  it('says no time left where the route has no bounds, or dates do not rise', () => {
    expect(paceOf([sample(0, 0, null), sample(2_000, 400, null)])).toEqual({ perSecond: 200, leftMs: null })
    expect(paceOf([sample(0, 0, 0.9), sample(2_000, 400, 0.9)])).toEqual({ perSecond: 200, leftMs: null })
  })
})

import { describe, expect, it } from 'vitest'
import { gapOfSection, gapRange, knownGaps } from '@/features/reconcile/range.ts'
import { paceOf } from '@/features/reconcile/sweeps.ts'

describe('gaps of coverage', () => {
  it('are newest first; what follows each other is one, named by its longest state; blinks are left out', () => {
    const DAY = 86_400_000
    const at = (days: number) => Date.UTC(2026, 10, 1) + days * DAY
    const asked = { from: at(0), to: at(20) }
    const ends = [0, 1, 2, 2 + 200 / DAY, 3, 5, 6, 19, 20].map(at)
    const states = [
      ...(['off', 'listening', 'starting', 'listening'] as const),
      ...(['asleep', 'off', 'listening', 'port-lost'] as const),
    ]
    const spans = states.map((state, i) => ({ state, from: ends[i] ?? 0, to: ends[i + 1] ?? 0 }))
    expect(knownGaps(spans, asked)).toEqual([
      { state: 'port-lost', from: at(19), to: at(20), openStart: false, openEnd: true },
      { state: 'asleep', from: at(3), to: at(6), openStart: false, openEnd: false },
      { state: 'off', from: at(0), to: at(1), openStart: true, openEnd: false },
    ])
  })

  it('become the whole days of the zone that they touch, five minutes around them included (readings, Delivery, late)', () => {
    const [from, to] = ['2026-11-05T00:03:00-04:00', '2026-11-05T23:54:00-04:00'].map((text) =>
      Date.parse(text),
    )
    const range = gapRange({ from: from ?? 0, to: to ?? 0 }, 'America/Santo_Domingo')
    expect(range).toEqual({ from: '2026-11-04', to: '2026-11-05' })
  })

  it.each([null, 'sweep-3', 'gap/2-1', 'gap/x-1', 'gap/1-'])(
    'are not named by %s of the address',
    (section) =>
      expect([gapOfSection(section), gapOfSection('gap/12-34')]).toEqual([null, { from: 12, to: 34 }]),
  )
})

const samples = (...told: readonly (readonly [at: number, documents: number, share: number | null])[]) =>
  told.map(([at, documents, share]) => ({ at, documents, share }))
const UNKNOWN = { perSecond: null, leftMs: null }

it.each([
  ['nothing was seen', [], UNKNOWN],
  ['no second was seen', samples([0, 0, 0], [900, 400, 0.1]), UNKNOWN],
  [
    'only the last half minute counts',
    samples([0, 100_000, 0.1], [40_000, 110_000, 0.4], [50_000, 111_000, 0.5]),
    { perSecond: 100, leftMs: expect.closeTo(50_000, 3) },
  ],
  ['the route has no bounds', samples([0, 0, null], [2_000, 400, null]), { perSecond: 200, leftMs: null }],
  ['dates do not rise', samples([0, 0, 0.9], [2_000, 400, 0.9]), { perSecond: 200, leftMs: null }],
])('the pace of a sweep while %s', (_, told, pace) => expect(paceOf(told)).toEqual(pace))

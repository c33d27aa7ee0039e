import { expect, it } from 'vitest'
import { readTimestamp } from '#core/checks/timestamp.ts'
import { advanceSweep, beginSweep, unreachedBy } from '#core/reconcile/sweep-walk.ts'
import { unreached } from '#core/reconcile/unreached.ts'
import type { Walk } from '#core/reconcile/walk.ts'

const at = (text: string): number => {
  const read = readTimestamp(text)
  return 'instant' in read ? read.instant : Number.NaN
}
const DAY = (day: number) => `2026-10-${String(day).padStart(2, '0')}T00:00:00-04:00`
const moment = (day: number) => ({ instant: at(DAY(day)), text: DAY(day) })
const common = {
  ...{ end: moment(31), documentTypeId: null, pageSize: 200, types: [31, 32] },
  ...{ crowded: [], byType: [], requestsLeft: 9 },
}
const span = (from: number, to: number) => ({ from: at(DAY(from)), to: at(DAY(to)) })

it('lies from the date of the next page to the end, that date included: pages overlap in it (accounting-sync)', () => {
  expect(unreached({ ...common, mode: 'walk', from: moment(5), settled: null })).toEqual([span(5, 31)])
  expect(unreached({ ...common, mode: 'done' })).toEqual([])
})

it('names ranges that are still to be halved, a date that is being listed type by type, and what follows it', () => {
  expect(unreached({ ...common, mode: 'bisect', spans: [span(9, 12), span(3, 4)], settled: null })).toEqual([
    span(3, 4),
    span(9, 12),
  ])
  const types = {
    ...{ mode: 'types' as const, date: moment(7), left: [31], asked: [31, 32], shown: 500 },
    ...{ missing: [], found: 0, overfull: false },
  }
  expect(unreached({ ...common, ...types, onward: null })).toEqual([span(7, 31)])
  expect(unreached({ ...common, ...types, onward: { bisect: [span(8, 9), span(2, 7)] } })).toEqual([
    span(2, 7),
    span(8, 9),
  ])
})

it('names crowded dates and those that wait for a type seen later, once each', () => {
  const walk: Walk = {
    ...common,
    mode: 'done',
    crowded: [{ date: DAY(6), count: 700 }],
    byType: [
      { date: moment(6), types: [31] },
      { date: moment(8), types: [31, 32] },
      { date: moment(9), types: [31] },
    ],
  }
  expect(unreached(walk)).toEqual([span(6, 6), span(9, 9)])
})

it('of a walk that gave up, is what lay before it; of treasury nothing', () => {
  const range = {
    ...{ from: DAY(1), to: DAY(31), documentTypeId: null, pageSize: 200 },
    route: 'accounting' as const,
  }
  const began = beginSweep(range, [])
  if (began.route !== 'accounting') throw new Error('not asked for')
  const last = { ...began, walk: { ...began.walk, requestsLeft: 1 } }
  const page = { hasMore: true, nextFrom: null, nextAfterDocumentId: null } as Parameters<
    typeof advanceSweep
  >[1]
  expect(unreachedBy(advanceSweep(last, page, []))).toEqual([span(1, 31)])
  expect(unreachedBy(beginSweep({ ...range, route: 'treasury' }, []))).toEqual([])
})

import { expect, it } from 'vitest'
import { readTimestamp } from '#catalog/date-time.ts'
import { advanceSweep, beginSweep, unreachedBy } from '#core/reconcile/sweep-walk.ts'
import { part, unreached, type Walk } from '#core/reconcile/walk.ts'

const at = (text: string): number => {
  const read = readTimestamp(text)
  return 'instant' in read ? read.instant : Number.NaN
}
const DAY = (day: number) => `2026-10-${String(day).padStart(2, '0')}T00:00:00-04:00`
const moment = (day: number) => ({ instant: at(DAY(day)), text: DAY(day), unit: 1 })
const common = {
  ...{ begin: at(DAY(1)), end: moment(31), documentTypeId: null, pageSize: 200, types: [31, 32] },
  ...{ stated: null, crowded: [], byType: [], requestsLeft: 9, rises: 0, back: 0, ends: 'listed' as const },
}
const span = (from: number, to: number) => ({ from: at(DAY(from)), to: at(DAY(to)) })
const parts = (...spans: readonly { readonly from: number; readonly to: number }[]) => ({
  ...{ parts: spans.map(({ from, to }) => part(from, to)), due: [], onward: null },
})
const extent = ({ from, to }: { readonly from: number; readonly to: number }) => ({ from, to })

it('lies from the date of the next page to the end, that date included: pages overlap in it (accounting-sync)', () => {
  const walk = { ...common, mode: 'walk' as const, from: moment(5), settled: null, overlap: null }
  expect(unreached(walk)).toEqual([span(5, 31)])
  expect(unreached({ ...common, mode: 'done' })).toEqual([])
})

it('names parts that are still to be listed, a date that is being listed type by type, and what follows it', () => {
  const two = parts(span(9, 12), span(3, 4))
  expect(unreached({ ...common, mode: 'bisect', ...two }).map(extent)).toEqual([span(3, 4), span(9, 12)])
  const types = {
    ...{ mode: 'types' as const, date: moment(7), span: span(7, 7), left: [31], asked: [31, 32] },
    ...{ shown: 500, missing: [], found: 0, overfull: false },
  }
  const onward = { date: moment(7), step: 0 }
  expect(unreached({ ...common, ...types, ...parts(), onward })).toEqual([span(7, 31)])
  const both = parts(span(8, 9), span(2, 6))
  expect(unreached({ ...common, ...types, ...both }).map(extent)).toEqual([
    span(2, 6),
    span(7, 7),
    span(8, 9),
  ])
})

it('names crowded dates and those that wait for a type seen later, once each', () => {
  const listed = (day: number, types: readonly number[]) => ({
    date: moment(day),
    span: span(day, day),
    types,
  })
  const walk: Walk = {
    ...common,
    mode: 'done',
    crowded: [{ date: DAY(6), count: 700, ...span(6, 6) }],
    byType: [listed(6, [31]), listed(8, [31, 32]), listed(9, [31])],
  }
  expect(unreached(walk).map(extent)).toEqual([span(6, 6), span(9, 9)])
})

it('of a walk that gave up, is what lay before it; of treasury nothing', () => {
  const range = {
    ...{ from: DAY(1), to: DAY(31), documentTypeId: null, pageSize: 200 },
    route: 'accounting' as const,
  }
  const began = beginSweep(range, [])
  const page = { hasMore: true, nextFrom: null, nextAfterDocumentId: null } as Parameters<
    typeof advanceSweep
  >[1]
  expect(unreachedBy(advanceSweep(began, page, []))).toEqual([span(1, 31)])
  expect(unreachedBy(beginSweep({ ...range, route: 'treasury' }, []))).toEqual([])
})

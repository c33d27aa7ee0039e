import { describe, expect, test } from 'vitest'
import type { FieldDifference, Sweep } from '#contract/reconcile.ts'
import { CLASSES } from '#contract/values.ts'
import { notListening, wholePercent } from '@/features/reconcile/day-chart.tsx'
import { fieldRows } from '@/features/reconcile/document-sides.tsx'
import { presetRange, rangeForm } from '@/features/reconcile/range.ts'
import { CLASS_SIGNS, inRuns, SHOWN_CLASSES } from '@/features/reconcile/row-words.ts'
import { reachedShare } from '@/features/reconcile/sweeps.ts'
import { judge } from '@/shared/forms/form.ts'

const ZONE = 'America/Santo_Domingo'
/** 1 November 2026, 02:00 UTC: still October in Santo Domingo. */
const NOW = Date.UTC(2026, 10, 1, 2)

const RANGE: Sweep['range'] = {
  ...{ route: 'accounting', documentTypeId: null, pageSize: 200, to: null },
  from: '2026-10-01T00:00:00-04:00',
}

describe('the range of a sweep (readings, accounting-sync)', () => {
  test('presets mean days in the connection’s zone, not in the window’s', () => {
    const days = (preset: 'today' | 'yesterday' | 'thisMonth' | 'lastMonth') =>
      Object.values(presetRange(preset, ZONE, NOW, null) ?? {})
    expect(days('today')).toEqual(['2026-10-31', '2026-10-31'])
    expect(days('yesterday')).toEqual(['2026-10-30', '2026-10-30'])
    expect(days('thisMonth')).toEqual(['2026-10-01', '2026-10-31'])
    expect(days('lastMonth')).toEqual(['2026-09-01', '2026-09-30'])
    expect(presetRange('today', 'Asia/Tokyo', NOW, null)?.to).toBe('2026-11-01')
  })

  test('since the last sweep begins where that one ended, as sent; without one there is no such preset', () => {
    const range = { ...RANGE, to: '2026-10-30T23:59:59.999999-04:00' }
    expect(presetRange('sinceLast', ZONE, NOW, { range })?.from).toBe(range.to)
    expect(presetRange('sinceLast', ZONE, NOW, { range })?.to).toMatch(/^2026-10-31T22:00:00.*-04:00$/)
    expect(presetRange('sinceLast', ZONE, NOW, null)).toBeNull()
    const ahead = { range: { ...range, to: '2026-10-31T23:59:59-04:00' } }
    expect(presetRange('sinceLast', ZONE, NOW, ahead)?.from).toBe('2026-10-31')
  })

  const form = rangeForm([{ name: 'erp', zone: ZONE }], NOW)
  const judged = (part: Partial<typeof form.first>) => judge(form, { ...form.first, ...part })

  test('the first range is right, and both routes are one request: the host lets one follow the other', () => {
    expect(judged({}).params).toMatchObject({ connection: 'erp', range: { from: '2026-10-01' } })
    const both = judged({ route: 'both', documentType: 31 }).params?.range
    expect(both).toMatchObject({ route: 'both', documentTypeId: 31 })
  })

  test.each([
    [{ from: '' }, { from: 'needed' }],
    [{ route: 'treasury', from: '', to: '' }, {}],
    [{ route: 'both', to: '' }, { to: 'needed' }],
    [{ to: '2026-02-31' }, { to: 'date' }],
    [{ from: '2026-10-02T08:00' }, { from: 'date' }],
    [{ from: '2026-10-05', to: '2026-10-04' }, { to: 'order' }],
    [{ pageSize: 501 }, { pageSize: 'size' }],
    [{ pageSize: null }, { pageSize: 'size' }],
    [{ documentType: Number.NaN }, { documentType: 'type' }],
  ] as const)('of %j the host would refuse %j', (part, wrong) =>
    expect(Object.fromEntries(judged(part).wrong)).toEqual(wrong),
  )
})

test('how far a sweep is goes by the date reached within the range; it is not known without bounds or before the first page', () => {
  const range = { ...RANGE, to: '2026-10-11T00:00:00-04:00' }
  expect(reachedShare({ range, reached: '2026-10-06T00:00:00-04:00' })).toBe(0.5)
  expect(reachedShare({ range, reached: '2027-01-01T00:00:00-04:00' })).toBe(1)
  expect(reachedShare({ range, reached: null })).toBeNull()
  expect(reachedShare({ range: { ...range, from: null }, reached: '2026-10-06T00:00:00Z' })).toBeNull()
  expect(reachedShare({ range, reached: 'soon' })).toBeNull()
})
test('the chart by day: says which share of a day nobody listened; what no span tells counts as such, what is to come does not', () => {
  const day = { from: 0, to: 100 }
  expect(notListening(day, [{ state: 'listening', from: -50, to: 75 }], 100)).toBe(0.25)
  expect(notListening(day, [{ state: 'off', from: 0, to: 100 }], 100)).toBe(1)
  expect(notListening(day, [], 100)).toBe(1)
  expect(notListening(day, [{ state: 'listening', from: 20, to: 40 }], 40)).toBe(0.5)
  expect(notListening(day, [{ state: 'listening', from: 0, to: 40 }], 40)).toBe(0)
  expect(notListening({ from: 200, to: 300 }, [], 150)).toBe(0)
})
test('the chart by day: a share is 0 % or 100 % only where it is nothing or all', () =>
  expect([0, 0.001, 0.25, 0.996, 1].map(wholePercent)).toEqual([0, 1, 25, 99, 100]))

const item = '{"documentId":"a","accounting":{"total":15.00,"tip":0.1,"amountDue":0,"freight":2}}'
const differences: FieldDifference[] = [
  { field: 'Total', captured: '14.00', service: '15.00', ignored: false, shared: false },
  { field: 'AmountDue', captured: '14.00', service: '0', ignored: true, shared: false },
]
test('a document field by field: has one side where the other is missing, and the host’s word where a body cannot be read', () => {
  expect(fieldRows(null, item, null, []).every(({ captured }) => captured === null)).toBe(true)
  expect(fieldRows('{', '[', null, differences).map(({ field }) => field)).toEqual(['Total', 'AmountDue'])
  expect(fieldRows(null, null, null, [])).toEqual([])
})

test('lists: every class has a sign and a place in the summary', () => {
  expect([...SHOWN_CLASSES].sort()).toEqual([...CLASSES].sort())
  expect(new Set(Object.values(CLASS_SIGNS)).size).toBe(CLASSES.length)
})

test('what came several times in a row is named once in a line, with its number', () => {
  expect(inRuns(['factura.created', 'factura.created', 'dgii.aprobado', 'factura.created'])).toBe(
    'factura.created ×2 · dgii.aprobado · factura.created',
  )
  expect(inRuns([])).toBe('')
})

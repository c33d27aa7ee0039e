import { expect, test } from 'vitest'
import { moved, readLayout, readLayouts, USUAL_LAYOUT } from '@/shared/deliveries/columns.ts'

test('a layout that was written is read back', () => {
  const layout = { order: USUAL_LAYOUT.order.toReversed(), hidden: ['path'], widths: { time: 120 } }
  expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
})

test('columns that are new in this version take their usual place', () => {
  const order = USUAL_LAYOUT.order.filter((id) => id !== 'verdict')
  expect(readLayout({ order })?.order).toEqual(USUAL_LAYOUT.order)
})

test('unknown columns, repeated columns and widths out of sense are dropped', () => {
  const read = readLayout({
    order: ['kind', 'x', 'kind'],
    hidden: ['y'],
    widths: { time: 1, kind: 1e9, path: '7' },
  })
  expect(read?.order[0]).toBe('time')
  expect(new Set(read?.order).size).toBe(USUAL_LAYOUT.order.length)
  expect(read).toMatchObject({ hidden: [], widths: {} })
})

test('at least one column stays visible, whatever was stored', () => {
  expect(readLayout({ hidden: [...USUAL_LAYOUT.order] })?.hidden).toEqual([])
  for (const bad of [null, 7, 'x', undefined]) expect(readLayout(bad)).toBeUndefined()
})

test('a column takes the place of the one it was dropped on, in both directions', () => {
  expect(moved(['time', 'kind', 'path'], 'path', 'time')).toEqual(['path', 'time', 'kind'])
  expect(moved(['time', 'kind', 'path'], 'time', 'path')).toEqual(['kind', 'path', 'time'])
})

test('layouts of saved filters are read beside the usual one; of before they had any, there is the one', () => {
  const narrow = { ...USUAL_LAYOUT, widths: { time: 80 }, sort: { by: 'size', descending: true } as const }
  const before = { ...USUAL_LAYOUT, hidden: ['path'] }
  expect(readLayouts(before)).toEqual({ usual: before, filters: new Map() })
  const stored = JSON.parse(JSON.stringify({ ...before, filters: { late: narrow, broken: 7 } }))
  expect(readLayouts(stored)).toEqual({ usual: before, filters: new Map([['late', narrow]]) })
  for (const bad of [null, 'x', undefined]) expect(readLayouts(bad)).toBeUndefined()
  expect(readLayouts({ ...before, filters: 'x', sort: { by: 'nothing', descending: 1 } })?.usual).toEqual(
    before,
  )
})

import { expect, test } from 'vitest'
import {
  COLUMNS,
  moved,
  readLayout,
  readLayouts,
  tracksOf,
  USUAL_LAYOUT,
} from '@/shared/deliveries/columns.ts'

const ALL = COLUMNS.map(({ id }) => id)

test('all columns fit a window of 1280 px, beside the rail and a scroll bar', () => {
  const [rail, scrollBar, beside, gap] = [52, 11, 12 + 36, 8]
  const widths = COLUMNS.reduce((sum, { width }) => sum + width, 0)
  expect(widths + gap * (COLUMNS.length - 1) + beside).toBeLessThanOrEqual(1_280 - rail - scrollBar)
})

test('columns of which more can be read grow, what is left goes to the path; those dragged stay as wide as that', () => {
  expect(tracksOf(['time', 'document', 'path'], {})).toBe('96px minmax(118px, 272px) minmax(90px, 1fr)')
  expect(tracksOf(['time', 'kind', 'size'], {})).toBe('96px minmax(200px, 1fr) 64px')
  for (const hidden of ALL.filter((id) => id !== 'path')) {
    const shown = ALL.filter((id) => id !== hidden)
    expect(tracksOf(shown, {}).split('1fr'), hidden).toHaveLength(2)
  }
  const dragged = tracksOf(['kind', 'document', 'path'], { document: 90, path: 300 })
  expect(dragged).toBe('minmax(200px, 340px) 90px 300px')
})

test('a layout that was written is read back; new columns take their usual place, what makes no sense is dropped', () => {
  const layout = { order: USUAL_LAYOUT.order.toReversed(), hidden: ['path'], widths: { time: 120 } }
  expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
  const order = USUAL_LAYOUT.order.filter((id) => id !== 'verdict')
  expect(readLayout({ order })?.order).toEqual(USUAL_LAYOUT.order)
  const widths = { time: 1, kind: 1e9, path: '7' }
  const read = readLayout({ order: ['kind', 'x', 'kind'], hidden: ['y'], widths })
  expect([read?.order[0], new Set(read?.order).size]).toEqual(['time', USUAL_LAYOUT.order.length])
  expect(read).toMatchObject({ hidden: [], widths: {} })
  expect(readLayout({ hidden: [...USUAL_LAYOUT.order] })?.hidden).toEqual([])
  for (const bad of [null, 7, 'x', undefined]) expect(readLayout(bad)).toBeUndefined()
})

test('a column takes the place of the one it was dropped on, in both directions', () => {
  expect(moved(['time', 'kind', 'path'], 'path', 'time')).toEqual(['path', 'time', 'kind'])
  expect(moved(['time', 'kind', 'path'], 'time', 'path')).toEqual(['kind', 'path', 'time'])
})

test('layouts of saved filters are read beside the usual one; of before they had any, there is the one', () => {
  const narrow = { ...USUAL_LAYOUT, widths: { time: 80 }, sort: { by: 'size', descending: true } as const }
  const usual = { ...USUAL_LAYOUT, hidden: ['path'] }
  expect(readLayouts(usual)).toEqual({ usual, filters: new Map() })
  const stored = JSON.parse(JSON.stringify({ ...usual, filters: { late: narrow, broken: 7 } }))
  expect(readLayouts(stored)).toEqual({ usual, filters: new Map([['late', narrow]]) })
  for (const bad of [null, 'x', undefined]) expect(readLayouts(bad)).toBeUndefined()
  const odd = readLayouts({ ...usual, filters: 'x', sort: { by: 'nothing', descending: 1 } })
  expect(odd?.usual).toEqual(usual)
})

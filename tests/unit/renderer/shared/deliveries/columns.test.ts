import { expect, test } from 'vitest'
import {
  COLUMNS,
  columnsOf,
  fitted,
  readLayout,
  readLayouts,
  tracksOf,
  USUAL_LAYOUT,
} from '@/shared/deliveries/columns.ts'
import { words } from '../../../../support/words.ts'

const ALL = COLUMNS.map(({ id }) => id)

test('columns that are always on fit a window of 1280 px; beside details the least important give way, what the user asked for stays', () => {
  const [rail, scrollBar, beside] = [52, 11, 12 + 36]
  const usual = columnsOf(USUAL_LAYOUT, new Set())
  const all = fitted(usual, {}, [], 1_280 - rail - scrollBar - beside)
  expect(all).toEqual({ visible: usual, widths: {}, short: false })
  for (const auto of ['tags', 'attempts', 'endpoint', 'method', 'path'] as const) {
    expect(usual).not.toContain(auto)
    expect(columnsOf(USUAL_LAYOUT, new Set([auto]))).toContain(auto)
    expect(columnsOf({ ...USUAL_LAYOUT, shown: [auto] }, new Set())).toContain(auto)
    expect(columnsOf({ ...USUAL_LAYOUT, hidden: [auto] }, new Set([auto]))).not.toContain(auto)
  }
  // Details take a third of the window.
  const among = (width: number) => (width - rail) * 0.66 - scrollBar - beside
  const sent = columnsOf(USUAL_LAYOUT, new Set(['attempts']))
  const core = words`time kind document party total verdict`
  expect(fitted(sent, {}, [], among(1_280))).toMatchObject({ visible: [...core, 'attempts'], short: true })
  expect(fitted(sent, {}, [], among(1_440))).toMatchObject({ visible: [...core, 'attempts'], short: false })
  const tagged = columnsOf(USUAL_LAYOUT, new Set(['tags']))
  expect(fitted(tagged, {}, [], among(1_280))).toEqual({ visible: core, widths: {}, short: false })
  expect(fitted(sent, { size: 90 }, ['took'], 300).visible).toEqual(
    words`time kind document verdict size took`,
  )
})

test('columns of which more can be read grow, what is left goes to the path; those dragged stay as wide as that', () => {
  expect(tracksOf(['time', 'document', 'path'], {})).toBe(
    '92px minmax(104px, clamp(104px, 100% - 1200px, 272px)) minmax(90px, 1fr)',
  )
  expect(tracksOf(['time', 'kind', 'size'], {})).toBe('92px minmax(184px, 1fr) 64px')
  for (const hidden of ALL.filter((id) => id !== 'path')) {
    const shown = ALL.filter((id) => id !== hidden)
    expect(tracksOf(shown, {}).split('1fr'), hidden).toHaveLength(2)
  }
  const dragged = tracksOf(['kind', 'document', 'path'], { document: 90, path: 300 })
  expect(dragged).toBe('minmax(184px, 340px) 90px 300px')
})

test('a layout that was written is read back; new columns take their usual place, what makes no sense is dropped', () => {
  const layout = {
    order: USUAL_LAYOUT.order.toReversed(),
    hidden: ['path'],
    shown: ['tags'],
    widths: { time: 120 },
  }
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

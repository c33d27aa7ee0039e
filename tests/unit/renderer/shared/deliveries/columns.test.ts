import { expect, test } from 'vitest'
import { columnsOf, fitted, readLayout, USUAL_LAYOUT } from '@/shared/deliveries/columns.ts'
import { words } from '../../../../support/words.ts'

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

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DataGrid, type DataGridProps } from '@/shared/components/data-grid.tsx'
import { type Column, Table } from '@/shared/components/table.tsx'

interface Row {
  readonly id: number
  readonly name: string
}
const ROWS: readonly Row[] = Array.from({ length: 300 }, (_, id) => ({ id, name: `row ${id}` }))
const COLUMNS: readonly Column<Row, 'name' | 'size'>[] = [
  { id: 'name', title: 'Name', track: '1fr', sort: 'up', names: true, cell: ({ name }) => name },
  {
    id: 'size',
    title: 'Size',
    track: '60px',
    end: true,
    sort: 'down',
    cell: ({ id }) => ({ content: createElement('b', null, id), title: `${id} bytes` }),
  },
]
const held = (all: readonly Row[], total: number | null = all.length) => ({
  rows: { held: all, total, row: (at: number) => all[at], want: () => undefined },
})
type Props = DataGridProps<Row, 'name' | 'size', number>
const drawn = (props: Partial<Props>): string =>
  renderToStaticMarkup(
    createElement(DataGrid<Row, 'name' | 'size', number>, {
      ...{ label: 'Things', columns: COLUMNS, keyOf: ({ id }: Row) => id, open: null },
      ...{ onOpen: () => undefined, ...held(ROWS), ...props },
    }),
  )
const count = (markup: string, part: string): number => markup.split(part).length - 1

describe('a grid of rows', () => {
  beforeAll(() => void vi.stubGlobal('innerHeight', 800))
  afterAll(() => void vi.unstubAllGlobals())

  test('draws those in sight alone, and tells how many there are, the heading included', () => {
    const markup = drawn({})
    expect(markup).toContain('aria-rowcount="301"')
    expect(markup).toContain('aria-rowindex="2"')
    expect(count(markup, 'role="row"')).toBeLessThan(60)
    expect(drawn(held(ROWS, 5_000))).toContain('aria-rowcount="5001"')
  })

  test('has headings where its columns have titles; a press on one sorts where an order is given', () => {
    expect(count(drawn({}), '<button')).toBe(0)
    const sorted = drawn({ sorted: { by: 'size', descending: true } })
    expect(count(sorted, '<button')).toBe(2)
    expect(sorted).toContain('aria-sort="none"')
    expect(sorted).toContain('aria-sort="descending"')
    const bare = drawn({ columns: COLUMNS.map(({ title: _, ...column }) => column) })
    expect(bare).not.toContain('columnheader')
    expect(bare).toContain('aria-rowcount="300"')
  })

  test('marks what is open, chosen, or pointed at where nothing stays open', () => {
    expect(count(drawn({}), 'aria-selected="true"')).toBe(0)
    const open = drawn({ open: 3 })
    expect(open).toMatch(/data-key="3" aria-rowindex="5" aria-selected="true"/)
    expect(open).toMatch(/aria-activedescendant="[^"]*-3"/)
    expect(count(drawn({ open: 3, chosen: new Set([5, 6]) }), 'aria-selected="true"')).toBe(3)
    expect(drawn({ chosen: new Set() })).toContain('aria-multiselectable="true"')
    expect(drawn({ begin: 2 })).toMatch(/data-key="2" aria-rowindex="4" aria-selected="true"/)
  })

  test('says so when there is nothing, and keeps a place for what is on its way', () => {
    expect(drawn({ ...held([]), none: 'Nothing here' })).toContain('Nothing here')
    expect(drawn({ none: 'Nothing here' })).not.toContain('Nothing here')
    const waiting = { total: 2, row: () => undefined, want: () => undefined }
    expect(count(drawn({ rows: waiting }), 'bg-line')).toBe(2)
  })

  test('a cell spans those that a column leaves out', () => {
    const [name, size] = COLUMNS
    if (!name || !size) throw new Error('two columns')
    const columns = [
      { ...name, cell: () => ({ content: 'whole', span: 2 }) },
      { ...size, cell: () => null },
    ]
    const markup = drawn({ columns, ...held(ROWS.slice(0, 1)) })
    expect(markup).toContain('grid-column:span 2')
    expect(count(markup, 'role="gridcell"')).toBe(1)
  })
})

test('a table of the same columns has a heading for each column and one for each row', () => {
  const markup = renderToStaticMarkup(
    createElement(Table<Row>, {
      ...{ columns: COLUMNS, rows: ROWS.slice(0, 2), keyOf: ({ id }: Row) => id, caption: 'Two things' },
      rowClass: ({ id }) => (id === 1 ? 'odd' : undefined),
    }),
  )
  expect(markup).toContain('<caption>Two things</caption>')
  expect(count(markup, 'scope="col"')).toBe(2)
  expect(count(markup, 'scope="row"')).toBe(2)
  expect(markup).toContain('<tr class="odd">')
  expect(markup).toMatch(/<td title="1 bytes"[^>]*><b>1<\/b><\/td>/)
})

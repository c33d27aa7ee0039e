import { expect, test } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { ColumnId } from '@/shared/deliveries/columns.ts'
import { tsvOf } from '@/shared/deliveries/copy.ts'

const receivedAt = new Date(2026, 10, 21, 9, 5, 3, 7).getTime() * 1_000
const lines = (columns: readonly ColumnId[], ...rows: Partial<DeliveryRow>[]) =>
  tsvOf(
    rows.map((row) => ({ id: 1, receivedAt, tags: [], ...row }) as DeliveryRow),
    columns,
  )

test('rows are copied in the columns that are shown, with times and figures that a spreadsheet reads', () => {
  const names = { answer: null, event: 'factura.created', number: null, documentId: 'a-b', tags: ['x', 'y'] }
  const columns = ['time', 'kind', 'document', 'size', 'took', 'tags', 'answer'] as const
  expect(lines(columns, { ...names, size: 2_048, tookUs: 1_500 })).toEqual([
    '2026-11-21 09:05:03.007\tfactura.created\ta-b\t2048\t1.5\tx, y\t',
  ])
})

test.each([
  ...['=HYPERLINK("http://evil")', '+1', '@SUM(A1)', '-2+3', '|calc', '%x', ' =1', '\u00a0=1', '\u{feff}=1'],
  ...['"=1', "'=1", '\uff1d1', '\uff0b1', '\uff201'],
])('%s is no formula where it is pasted', (number) =>
  expect(lines(['document'], { number })).toEqual([`'${number}`]),
)

test.each(['\t', '\r\n', '\v', '\f', '\x85', '\u2028', '\u2029'])('%j stays in its cell', (end) =>
  expect(lines(['document'], { number: `a${end}=1` })).toEqual(['a =1']),
)

test('a quote in front swallows neither the next cell nor the next line', () => {
  const rows = [
    { number: '"a', url: '/' },
    { number: 'b"', url: '/' },
  ]
  expect(lines(['document', 'path'], ...rows)).toEqual([`"${'""'}a"\t/`, 'b"\t/'])
})

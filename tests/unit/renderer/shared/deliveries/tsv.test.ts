import { expect, test } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { tsvOf } from '@/shared/deliveries/copy.ts'

const row = (change: Partial<DeliveryRow>): DeliveryRow =>
  ({
    id: 1,
    receivedAt: new Date(2026, 10, 21, 9, 5, 3, 7).getTime() * 1_000,
    tags: [],
    ...change,
  }) as DeliveryRow

test('rows are copied in the columns that are shown, with times and figures that a spreadsheet reads', () => {
  const one = row({
    answer: null,
    event: 'factura.created',
    number: null,
    documentId: 'a-b',
    size: 2_048,
    tookUs: 1_500,
    tags: ['x', 'y'],
  })
  expect(tsvOf([one], ['time', 'kind', 'document', 'size', 'took', 'tags', 'answer'])).toEqual([
    '2026-11-21 09:05:03.007\tfactura.created\ta-b\t2048\t1.5\tx, y\t',
  ])
})

test.each([
  ...['=HYPERLINK("http://evil")', '+1', '@SUM(A1)', '-2+3', '|calc', '%x', ' =1', '\u00a0=1', '\u{feff}=1'],
  ...['"=1', "'=1", '\uff1d1', '\uff0b1', '\uff201'],
])('%s is no formula where it is pasted', (number) => {
  expect(tsvOf([row({ number })], ['document'])).toEqual([`'${number}`])
})

test('what came from outside stays in its cell', () => {
  expect(tsvOf([row({ url: '/a\tb\r\nc' })], ['path'])).toEqual(['/a b c'])
})

test('a quote in front swallows neither the next cell nor the next line', () => {
  const rows = [row({ number: '"a', url: '/' }), row({ number: 'b"', url: '/' })]
  expect(tsvOf(rows, ['document', 'path'])).toEqual([`"${'""'}a"\t/`, 'b"\t/'])
})

test.each(['\v', '\f', '\x85', '\u2028', '\u2029'])('%j begins no line', (end) => {
  expect(tsvOf([row({ number: `a${end}=1` })], ['document'])).toEqual(['a =1'])
})

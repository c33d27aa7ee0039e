import { describe, expect, test } from 'vitest'
import { crossFoots } from '../../../../../../renderer/src/features/delivery/detail/cross-foot.ts'
import type { FieldTotal, LineTotals, Member } from '../../../../../../renderer/src/shared/body/protocol.ts'

const member = (name: string, text: string, type: Member['type'] = 'number'): Member => ({
  line: 1,
  name,
  type,
  text,
  clipped: false,
  repeated: false,
})
const total = (field: string, sum: string | null, part: Partial<FieldTotal> = {}): FieldTotal => ({
  field,
  exempt: null,
  sum,
  numbers: sum === null ? 0 : 2,
  others: 0,
  absent: 0,
  ...part,
})
const totals = (...list: FieldTotal[]): LineTotals => ({
  lines: 2,
  others: 0,
  unclear: 0,
  totals: list,
  unknown: [],
  moreUnknown: false,
})
const rowOf = (lines: LineTotals, accounting: Member[], name: string) =>
  crossFoots(lines, accounting).find((row) => row.of.total === name)

describe('sums of the lines beside Accounting (information only: the specification gives no arithmetic)', () => {
  test('differ by exact decimals, the header amount by its digits as sent', () => {
    const row = rowOf(totals(total('TotalTax', '0.3')), [member('TotalTaxes', '0.30')], 'TotalTaxes')
    expect(row).toMatchObject({ sum: '0.30', sent: '0.30', difference: '0' })
    const other = rowOf(
      totals(total('TotalTax', '0.30000000000000001')),
      [member('TotalTaxes', '0.3')],
      'TotalTaxes',
    )
    expect(other?.difference).toBe('0.00000000000000001')
  })
  test('Total takes in freight and tip where they came with a number', () => {
    const sent = [member('Total', '118'), member('Freight', '10'), member('Tip', 'null', 'literal')]
    expect(rowOf(totals(total('Subtotal', '108')), sent, 'Total')).toMatchObject({
      sum: '118',
      added: ['Freight'],
      difference: '0',
    })
  })
  test('no line of a sort sums to nothing, lines without a number to no sum at all', () => {
    const none = totals(total('NetAmount', null, { exempt: true }))
    expect(rowOf(none, [member('ExemptAmount', '0')], 'ExemptAmount')).toMatchObject({
      sum: '0',
      difference: '0',
    })
    const without = totals(total('NetAmount', null, { exempt: true, absent: 2 }))
    expect(rowOf(without, [member('ExemptAmount', '0')], 'ExemptAmount')).toMatchObject({
      sum: null,
      difference: null,
      without: 2,
    })
  })
  test('a header amount that is absent, or no number, is never taken for zero', () => {
    const lines = totals(total('TotalDiscount', '5'))
    expect(rowOf(lines, [], 'TotalDiscount')).toMatchObject({
      sentIs: 'absent',
      sent: null,
      difference: null,
    })
    const text = [member('TotalDiscount', '5', 'string')]
    expect(rowOf(lines, text, 'TotalDiscount')).toMatchObject({ sentIs: 'other', difference: null })
  })
})

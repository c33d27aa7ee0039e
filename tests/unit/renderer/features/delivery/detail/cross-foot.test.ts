import { expect, test } from 'vitest'
import { type CrossFootRow, crossFoots } from '@/features/delivery/detail/cross-foots.tsx'
import type { FieldTotal, Member } from '@/shared/body/protocol.ts'

const member = (name: string, text: string, type: Member['type'] = 'number'): Member => ({
  ...{ line: 1, name, type, text, clipped: false, repeated: false },
})
const total = (field: string, sum: string | null, part: Partial<FieldTotal> = {}): FieldTotal => ({
  ...{ field, exempt: null, sum, numbers: sum === null ? 0 : 2, others: 0, absent: 0 },
  ...part,
})
const exempt = (part: Partial<FieldTotal> = {}) => total('NetAmount', null, { exempt: true, ...part })
const taxes = (sent: string) => [member('TotalTaxes', sent)]

test.each<[string, string, FieldTotal, Member[], Partial<CrossFootRow>]>([
  [
    'sums are exact decimals, the header amount stands by its digits as sent',
    'TotalTaxes',
    total('TotalTax', '0.3'),
    taxes('0.30'),
    { sum: '0.30', sent: '0.30', difference: '0' },
  ],
  [
    'the smallest difference shows',
    'TotalTaxes',
    total('TotalTax', '0.30000000000000001'),
    taxes('0.3'),
    { difference: '0.00000000000000001' },
  ],
  [
    'Total takes in freight and tip where they came with a number',
    'Total',
    total('Subtotal', '108'),
    [member('Total', '118'), member('Freight', '10'), member('Tip', 'null', 'literal')],
    { sum: '118', added: ['Freight'], difference: '0' },
  ],
  ['no line is zero', 'ExemptAmount', exempt(), [member('ExemptAmount', '0')], { sum: '0', difference: '0' }],
  [
    'lines without a number have no sum',
    'ExemptAmount',
    exempt({ absent: 2 }),
    [member('ExemptAmount', '0')],
    { sum: null, difference: null, without: 2 },
  ],
  [
    'an absent header amount is never taken for zero',
    'TotalDiscount',
    total('TotalDiscount', '5'),
    [],
    { sentIs: 'absent', sent: null, difference: null },
  ],
  [
    'nor is one that is no number',
    'TotalDiscount',
    total('TotalDiscount', '5'),
    [member('TotalDiscount', '5', 'string')],
    { sentIs: 'other', difference: null },
  ],
])('%s', (_, name, lines, accounting, row) => {
  const totals = { lines: 2, others: 0, unclear: 0, totals: [lines], unknown: [], moreUnknown: false }
  expect(crossFoots(totals, accounting).find(({ of }) => of.total === name)).toMatchObject(row)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BodyDocument } from '@/shared/body/body-document.ts'
import { runs } from '../../../../support/depth.ts'

async function totalsOf(lines: string) {
  const bytes = Buffer.from(`{"data":{"Lines":${lines}}}`)
  const document = new BodyDocument(bytes.length)
  document.feed({ base64: bytes.toString('base64') })
  await document.read({ whole: true })
  const list = document.event().lines
  const totals = list && (await document.totals({ line: list.line }))
  if (!totals) throw new Error('no lines')
  const sum = (field: string, exempt: boolean | null = null) =>
    totals.totals.find((one) => one.field === field && one.exempt === exempt)
  return { totals, sum }
}

test.each([
  [
    'are exact, by the digits as sent',
    '[{"Subtotal":0.1},{"Subtotal":0.20},{"Subtotal":1e-20}]',
    { sum: '0.30000000000000000001', numbers: 3, others: 0, absent: 0 },
  ],
  [
    'tell the lines that have no number there',
    '[{"Subtotal":"18"},{"Subtotal":null},{},7,{"Subtotal":18.00}]',
    { sum: '18.00', numbers: 1, others: 2, absent: 1 },
  ],
  ['never take a line for nothing', '[{},{}]', { sum: null, numbers: 0, absent: 2 }],
  [
    'count a name as the event does: exact before another case, of several the last',
    '[{"Subtotal":1,"subtotal":100},{"SUBTOTAL":2},{"Subtotal":50,"Subtotal":4},{"S\\u0075btotal":8}]',
    { sum: '15' },
  ],
])('totals of Lines %s', async (_, lines, total) => {
  const { sum } = await totalsOf(lines)
  expect(sum('Subtotal')).toMatchObject({ field: 'Subtotal', exempt: null, ...total })
})

test('net amounts are parted by IsExempt; lines that are neither, no objects, or have unknown fields are counted', async () => {
  const { sum, totals } = await totalsOf(
    '[{"IsExempt":true,"NetAmount":1,"Batch":2},{"IsExempt":false,"NetAmount":20,"Batch":3,"Caf\u00e9":1},{"NetAmount":300},{"IsExempt":"true","NetAmount":4000},7]',
  )
  expect([null, true, false].map((exempt) => sum('NetAmount', exempt)?.sum)).toEqual(['4321', '1', '20'])
  expect(totals).toMatchObject({ lines: 4, others: 1, unclear: 2 })
  expect(totals.unknown).toEqual([
    { name: 'Batch', times: 2 },
    { name: 'Café', times: 1 },
  ])
})

test('totals hold for any number of lines, a stretch at a time', async () => {
  const amounts = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 3_000 })
  await fc.assert(
    fc.asyncProperty(amounts, async (cents) => {
      const { sum } = await totalsOf(
        `[${cents.map((c) => `{"NetAmount":${(c / 100).toFixed(2)}}`).join(',')}]`,
      )
      const total = cents.reduce((all, c) => all + BigInt(c), 0n)
      expect(Math.round(Number(sum('NetAmount')?.sum) * 100)).toBe(Number(total))
    }),
    { numRuns: runs(15) },
  )
})

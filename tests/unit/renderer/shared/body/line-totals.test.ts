import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BodyDocument } from '../../../../../renderer/src/shared/body/body-document.ts'
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

describe('totals of Lines', () => {
  test('are exact, by the digits as sent', async () => {
    const { sum } = await totalsOf('[{"Subtotal":0.1},{"Subtotal":0.20},{"Subtotal":1e-20}]')
    expect(sum('Subtotal')).toEqual({
      field: 'Subtotal',
      exempt: null,
      sum: '0.30000000000000000001',
      numbers: 3,
      others: 0,
      absent: 0,
    })
  })

  test('tell the lines that have no number there, and never take one for nothing', async () => {
    const { sum, totals } = await totalsOf('[{"TotalTax":"18"},{"TotalTax":null},{},7,{"TotalTax":18.00}]')
    expect(sum('TotalTax')).toMatchObject({ sum: '18.00', numbers: 1, others: 2, absent: 1 })
    expect(totals).toMatchObject({ lines: 4, others: 1 })
    expect(sum('Subtotal')).toMatchObject({ sum: null, numbers: 0, absent: 4 })
  })

  test('part the net amounts by IsExempt, and say how many lines are neither', async () => {
    const { sum, totals } = await totalsOf(
      '[{"IsExempt":true,"NetAmount":1},{"IsExempt":false,"NetAmount":20},{"NetAmount":300},{"IsExempt":"true","NetAmount":4000}]',
    )
    expect(sum('NetAmount')?.sum).toBe('4321')
    expect(sum('NetAmount', true)?.sum).toBe('1')
    expect(sum('NetAmount', false)?.sum).toBe('20')
    expect(totals.unclear).toBe(2)
  })

  test('count a name as the event does: exact before another case, of several the last', async () => {
    const { sum } = await totalsOf(
      '[{"Subtotal":1,"subtotal":100},{"SUBTOTAL":2},{"Subtotal":50,"Subtotal":4},{"S\\u0075btotal":8}]',
    )
    expect(sum('Subtotal')?.sum).toBe('15')
  })

  test('name the fields that nobody documented, and how often they came', async () => {
    const { totals } = await totalsOf('[{"LineId":1,"Batch":2},{"Batch":3,"Caf\u00e9":1}]')
    expect(totals.unknown).toEqual([
      { name: 'Batch', times: 2 },
      { name: 'Café', times: 1 },
    ])
  })

  test('hold for any number of lines, a stretch at a time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 3_000 }),
        async (cents) => {
          const lines = cents.map((c) => `{"NetAmount":${(c / 100).toFixed(2)}}`)
          const { sum } = await totalsOf(`[${lines.join(',')}]`)
          const total = cents.reduce((all, c) => all + BigInt(c), 0n)
          expect(Math.round(Number(sum('NetAmount')?.sum) * 100)).toBe(Number(total))
        },
      ),
      { numRuns: runs(15) },
    )
  })
})

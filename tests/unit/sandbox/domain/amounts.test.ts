import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesWorth, lineTotal, priceLine, totalsOf } from '../../../../src/sandbox/domain/amounts.ts'
import type { Line } from '../../../../src/sandbox/domain/records.ts'

const drafts = fc.record({
  quantity: fc.integer({ min: 1, max: 100_000 }),
  price: fc.integer({ min: 0, max: 10_000_000 }),
  discountPercent: fc.integer({ min: 0, max: 10_000 }),
  recharge: fc.integer({ min: 0, max: 100_000 }),
  rate: fc.constantFrom(0 as const, 16 as const, 18 as const),
})
const rules = fc.record({ itbis: fc.constantFrom(0, 30, 100), isr: fc.constantFrom(0, 5, 10, 27) })
const lists = fc.tuple(fc.array(drafts, { minLength: 1, maxLength: 8 }), rules).map(([list, rule]) =>
  list.map((draft, at): Line => {
    const fixed = {
      id: `line ${at}`,
      productId: null,
      code: 'X',
      description: 'x',
      isService: false,
      unit: 43,
    }
    return priceLine({ ...fixed, ...draft }, rule)
  }),
)
const sum = (lines: readonly Line[], of: (line: Line) => number): number =>
  lines.reduce((total, line) => total + of(line), 0)

describe('amounts in whole cents', () => {
  it('of lines add up to the header, whatever they are', () => {
    fc.assert(
      fc.property(lists, fc.nat(9_999), fc.nat(9_999), (lines, freight, tip) => {
        const totals = totalsOf({ lines, freight, tip })
        expect(totals.taxable + totals.exempt).toBe(sum(lines, (line) => line.net))
        expect(totals.taxes).toBe(sum(lines, (line) => line.tax))
        expect(totals.total).toBe(totals.taxable + totals.exempt + totals.taxes + freight + tip)
        expect(Object.values(totals).every(Number.isSafeInteger)).toBe(true)
      }),
    )
  })
  it('of a correction are worth exactly what was asked, and no line is taken back beyond its own', () => {
    fc.assert(
      fc.property(lists, fc.nat(1000), fc.nat(1000), (lines, from, part) => {
        const all = sum(lines, lineTotal)
        const skip = Math.floor((all * from) / 1000)
        const worth = Math.floor(((all - skip) * part) / 1000)
        const taken = linesWorth(lines, skip, worth, () => 'new')
        expect(sum(taken, lineTotal)).toBe(worth)
        for (const line of taken)
          expect(Math.abs(line.tax - (line.net * line.rate) / 100)).toBeLessThanOrEqual(1)
      }),
    )
  })
})

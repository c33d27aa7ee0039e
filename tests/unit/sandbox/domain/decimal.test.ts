import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, divideRounded } from '../../../../src/sandbox/domain/json.ts'

describe('money in whole cents', () => {
  it('is written with its two decimals, sign and leading zero', () => {
    expect([0, 5, -5, 100, -12_345, 600_000].map((cents) => decimal(cents).digits)).toEqual([
      ...['0.00', '0.05', '-0.05', '1.00', '-123.45', '6000.00'],
    ])
    expect(decimal(664_908, 4).digits).toBe('66.4908')
  })
  it('loses no cent on the way to digits and back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(BigInt(decimal(cents).digits.replace('.', ''))).toBe(BigInt(cents))
      }),
    )
  })
  it('rounds half away from zero, exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 1, max: 10_000 }), (numerator, denominator) => {
        const [n, d] = [BigInt(numerator), BigInt(denominator)]
        const expected = ((n < 0n ? -n : n) * 2n + d) / (2n * d)
        expect(BigInt(divideRounded(numerator, denominator))).toBe(n < 0n ? -expected : expected)
      }),
    )
  })
})

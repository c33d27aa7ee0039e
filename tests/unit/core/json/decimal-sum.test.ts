import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDecimals, type Decimal, formatDecimal, parseDecimal } from '#core/json/decimal.ts'
import { DecimalSum } from '#core/json/decimal-sum.ts'
import { forAll } from '../../../support/for-all.ts'

function sumOf(sources: readonly string[]): { sum: Decimal | undefined; taken: number } {
  const sum = new DecimalSum()
  let taken = 0
  for (const source of sources) {
    const bytes = Buffer.from(`[${source}]`, 'latin1')
    if (sum.add(bytes, 1, bytes.length - 1)) taken += 1
  }
  return { sum: sum.total(), taken }
}

const numberSource = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 22n }),
    fc.option(fc.stringMatching(/^\d{1,8}$/)),
    fc.option(fc.integer({ min: -30, max: 30 })),
  )
  .map(
    ([negative, whole, fraction, exponent]) =>
      `${negative ? '-' : ''}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
  )

test('the sum of very many numbers is the one that adding them exactly gives', () =>
  forAll(100, [fc.array(numberSource, { maxLength: 60 })], (sources) => {
    let expected = parseDecimal('0')
    for (const source of sources) {
      const value = parseDecimal(source)
      expected = expected && value && addDecimals(expected, value)
    }
    expect(sumOf(sources)).toEqual({ sum: expected, taken: sources.length })
  }))

test('money never drifts: ten thousand dimes are a thousand', () => {
  const { sum } = sumOf(Array.from({ length: 10_000 }, () => '0.10'))
  expect(sum && formatDecimal(sum)).toBe('1000')
})

test('sums pass what a double holds', () => {
  const { sum } = sumOf([...Array.from({ length: 20 }, () => '999999999999999'), '0.01'])
  expect(sum && formatDecimal(sum)).toBe('19999999999999980.01')
})

test('what is no JSON number is left out and told', () => {
  for (const source of ['', '-', '.5', '5.', '007', '-01.5', '1.2.3', '1e', '+1', 'NaN', '0x10', '"5"'])
    expect([source, sumOf([source, '2']).taken]).toEqual([source, 1])
})

test('numbers too far apart to be written out together have no sum', () =>
  expect(sumOf(['1e30000', '1']).sum).toBeUndefined())

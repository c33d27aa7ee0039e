import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  DecimalSum,
  formatDecimal,
  isInteger,
  parseDecimal,
  sameNumber,
  subtractDecimals,
  toSafeInteger,
} from '#core/json/decimal.ts'
import { grouped, money } from '#core/json/money.ts'
import { forAll } from '../../../support/for-all.ts'

function decimal(source: string): Decimal {
  const value = parseDecimal(source)
  if (!value) throw new Error(source)
  return value
}
const cents = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 8 }))
const written = ([units, places]: [bigint, number]): string => {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0')
  const cut = digits.length - places
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${places > 0 ? `.${digits.slice(cut)}` : ''}`
}

test('a difference of nothing is zero without a sign', () =>
  expect(formatDecimal(subtractDecimals(decimal('0'), decimal('0.00')) ?? decimal('1'))).toBe('0'))

describe('money is compared and summed exactly (readings, data per kind)', () => {
  test.each([
    ['1.10', '1.1'],
    ['100', '1e2'],
    ['-0', '0.00e9'],
    ['0.1', '1E-1'],
    ['1e400', '10e399'],
  ])('%s is the same number as %s', (a, b) => expect(sameNumber(a, b)).toBe(true))
  test.each([
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.10000000000000001'],
    ['1', '-1'],
    ['1e9007199254740993', '1e9007199254740992'],
    ['"1"', '1'],
  ])('%s is not the same as %s', (a, b) => expect(sameNumber(a, b)).toBe(false))
  test('0.1 + 0.2 is 0.3, and amounts too far apart are not summed', () => {
    expect(addDecimals(decimal('0.1'), decimal('0.2'))).toEqual(decimal('0.3'))
    expect(addDecimals(decimal('1e999999999'), decimal('1'))).toBeUndefined()
    expect(addDecimals(decimal('1e999999999'), decimal('0'))).toEqual(decimal('1e999999999'))
  })
  test.each(['', '+1', '01', '.5', '1.', '0x1', 'NaN', '1e', ' 1'])('%j is no JSON number', (source) =>
    expect(parseDecimal(source)).toBeUndefined(),
  )
  test('a long source is left alone', () => expect(parseDecimal('1'.repeat(20_000))).toBeUndefined())
  test('integers in the sense of JSON Schema', () => {
    for (const whole of ['5', '5.0', '1.5e1', '1e400', '0e-9'])
      expect(isInteger(decimal(whole)), whole).toBe(true)
    for (const not of ['5.1', '1e-1', '5.0000000000000000001'])
      expect(isInteger(decimal(not)), not).toBe(false)
    expect(
      ['5.0', '-2e3', '9007199254740993', '1e400', '5.5', '-0'].map((s) => toSafeInteger(decimal(s))),
    ).toEqual([...[5, -2000, undefined, undefined, undefined, 0]])
  })
  test('formats plainly, and scientifically when far away', () =>
    expect(['1250.50', '-0.05', '1e3', '1e400', '-0'].map((s) => formatDecimal(decimal(s)))).toEqual([
      ...['1250.5', '-0.05', '1000', '1e400', '0'],
    ]))
  test('agrees with integer arithmetic (property)', () =>
    forAll(100, [cents, cents], (a, b) => {
      const scale = 8
      const units = ([n, places]: [bigint, number]): bigint => n * 10n ** BigInt(scale - places)
      const [x, y] = [decimal(written(a)), decimal(written(b))]
      expect(addDecimals(x, y)).toEqual(decimal(`${units(a) + units(b)}e-${scale}`))
      expect(subtractDecimals(x, y)).toEqual(decimal(`${units(a) - units(b)}e-${scale}`))
      expect(compareDecimals(x, y)).toBe(units(a) < units(b) ? -1 : units(a) > units(b) ? 1 : 0)
      expect(decimal(formatDecimal(x))).toEqual(x)
    }))
})

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

test('a sum is grouped without touching a digit, beyond what doubles hold; Spanish is that of the Dominican Republic', () => {
  for (const [amount, english, spanish] of [
    ['3914220.10', '3,914,220.10', '3,914,220.10'],
    ['6608.00', '6,608.00', '6,608.00'],
    ['-90071992547409931234.0000000000001', '-90,071,992,547,409,931,234.0000000000001'],
    ['1e400', '1e400'],
  ] as const)
    expect([grouped(amount, 'en'), grouped(amount, 'es')]).toEqual([english, spanish ?? english])
})

test('a currency has its sign in Spanish and its code in English; what is none stands as it was sent', () => {
  expect(money('27242.00', 'DOP', 'es')).toBe('RD$ 27,242.00')
  expect([money('27242.00', 'DOP', 'en'), money('5', 'USD', 'es')]).toEqual(['DOP 27,242.00', 'US$ 5.00'])
  expect([money('5.5', 'pesos', 'es'), money('-0.125', null, 'es')]).toEqual(['pesos 5.50', '-0.125'])
  expect(money('1e3', null, 'es')).toBe('1e3')
})

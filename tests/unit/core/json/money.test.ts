import { expect, test } from 'vitest'
import { grouped, money } from '#core/json/money.ts'

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
  expect([money('27242.00', 'DOP', 'en'), money('5', 'USD', 'es')]).toEqual(['DOP 27,242.00', 'US$ 5'])
  expect([money('5', 'pesos', 'es'), money('5', null, 'es')]).toEqual(['pesos 5', '5'])
})

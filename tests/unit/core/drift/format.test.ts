import { describe, expect, test } from 'vitest'
import { FORMS, formatOf } from '#core/drift/forms.ts'

const format = (text: string): string | null | undefined => FORMS[formatOf(text, 0, text.length)]?.format

describe('what a text looks like', () => {
  test.each([
    ['', 'empty'],
    [' ', 'text'],
    ['5f0c1d2e-3b4a-4c5d-8e6f-000000000001', 'uuid'],
    ['5F0C1D2E-3B4A-4C5D-8E6F-000000000001', 'uuid'],
    ['{f0c1d2e-3b4a-4c5d-8e6f-000000000001', 'text'],
    ['5f0c1d2e-3b4a-4c5d-8e6f-00000000000g', 'text'],
    ['2026-11-21T09:20:41.1234567-04:00', 'instant'],
    ['2026-11-21T09:20:41Z', 'instant'],
    ['2026-11-21 09:20+0400', 'instant'],
    ['2026-11-21T09:20:41', 'date-time'],
    ['2026-11-21T09:20:41.5', 'date-time'],
    ['2026-11-21T9:20', 'text'],
    ['2026-11-21T09:20:41-04', 'text'],
    ['2026-11-21T09:20:41Zz', 'text'],
    ['2026-11-21', 'date'],
    ['2026-1-21', 'text'],
    ['0', 'digits'],
    ['131246789', 'digits'],
    ['-5', 'money'],
    ['1250.50', 'money'],
    ['1,250.50', 'money'],
    ['12,50', 'text'],
    ['1,2345', 'text'],
    ['.', 'text'],
    ['-', 'text'],
    ['1.2.3', 'text'],
    ['compras@example.com.do', 'email'],
    ['a@b', 'text'],
    ['a b@c.do', 'text'],
    ['@c.do', 'text'],
    ['a@b@c.do', 'text'],
    ['a@c.', 'text'],
    ['Comercial Peña & Hijos, S.R.L.', 'text'],
    [`${'9'.repeat(255)}`, 'text'],
  ])('%j is %s', (text, expected) => expect(format(text)).toBe(expected))

  test('reads only what stands between its offsets', () => {
    const text = '"2026-11-21T09:20Z"'
    expect(FORMS[formatOf(text, 1, 11)]?.format).toBe('date')
    expect(FORMS[formatOf(text, 1, 17)]?.format).toBe('date-time')
    expect(FORMS[formatOf(text, 1, 18)]?.format).toBe('instant')
  })
})

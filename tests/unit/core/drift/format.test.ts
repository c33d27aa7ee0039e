import { describe, expect, test } from 'vitest'
import { FORMS, formatOf } from '#core/drift/forms.ts'

const format = (text: string): string | null | undefined => FORMS[formatOf(text, 0, text.length)]?.format

describe('what a text looks like', () => {
  test.each<[format: string, texts: readonly string[]]>([
    ['empty', ['']],
    ['uuid', ['5f0c1d2e-3b4a-4c5d-8e6f-000000000001', '5F0C1D2E-3B4A-4C5D-8E6F-000000000001']],
    ['instant', ['2026-11-21T09:20:41.1234567-04:00', '2026-11-21T09:20:41Z', '2026-11-21 09:20+0400']],
    ['date-time', ['2026-11-21T09:20:41', '2026-11-21T09:20:41.5']],
    ['date', ['2026-11-21']],
    ['digits', ['0', '131246789']],
    ['money', ['-5', '1250.50', '1,250.50']],
    ['email', ['compras@example.com.do']],
    ['text', ['{f0c1d2e-3b4a-4c5d-8e6f-000000000001', '5f0c1d2e-3b4a-4c5d-8e6f-00000000000g']],
    ['text', ['2026-11-21T9:20', '2026-11-21T09:20:41-04', '2026-11-21T09:20:41Zz', '2026-1-21']],
    ['text', ['12,50', '1,2345', '.', '-', '1.2.3', 'a@b', 'a b@c.do', '@c.do', 'a@b@c.do', 'a@c.']],
    ['text', [' ', 'Comercial Peña & Hijos, S.R.L.', '9'.repeat(255)]],
  ])('%s is the format of %j', (expected, texts) => {
    for (const text of texts) expect(format(text), text).toBe(expected)
  })

  test('reads only what stands between its offsets', () => {
    const text = '"2026-11-21T09:20Z"'
    expect(FORMS[formatOf(text, 1, 11)]?.format).toBe('date')
    expect(FORMS[formatOf(text, 1, 17)]?.format).toBe('date-time')
    expect(FORMS[formatOf(text, 1, 18)]?.format).toBe('instant')
  })
})

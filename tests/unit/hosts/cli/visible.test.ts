import { expect, test } from 'vitest'
import { visible, visibleLines } from '#hosts/cli/shared/text.ts'

test('captured text cannot speak to the terminal: controls and ANSI sequences are written out', () => {
  expect(visible('a\u001b[31mred\u001b[0m\u0007\u009b2J\u0000\u007f')).toBe(
    'a\\x1b[31mred\\x1b[0m\\x07\\x9b2J\\x00\\x7f',
  )
  expect(visible('one\ntwo\r\nthree\t')).toBe('one\\ntwo\\r\\nthree\\t')
})

test('nor can it turn or hide what stands beside it', () => {
  expect(visible('\u202egnp.exe\u2066\u200b\ufeff\u2028\ud800')).toBe(
    '\\u{202e}gnp.exe\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{d800}',
  )
})

test('everything that can be seen stays as it is', () => {
  const text = 'Factura Nº 12 «café» 日本語 🧾 \\ "quoted"'
  expect(visible(text)).toBe(text)
  expect(visibleLines(`${text}\r\n\tsecond\n`)).toBe(`${text}\n\tsecond\n`)
  expect(visibleLines('a\rb\u001b')).toBe('a\\rb\\x1b')
})

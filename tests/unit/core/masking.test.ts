import { expect, test } from 'vitest'
import { createMasking } from '#core/masking.ts'

const masking = createMasking(() => new Set(['x-webhook-secret']))

test.each([
  'Authorization: Bearer abc',
  'AUTHORIZATION:Bearer abc',
  'cookie:\tabc',
  'Set-Cookie:  abc',
  'X-Api-Key:abc',
  'Proxy-Authorization: Basic abc',
  'x-webhook-secret:abc',
])('a head is shown without what %j says, however its colon is followed (reliability, row 21)', (line) => {
  const shown = masking.head(`GET /a:b HTTP/1.1\r\nHost: a\r\n${line}\r\n`)
  expect(shown).not.toContain('abc')
  expect(shown).toContain('<masked: ')
  expect(shown.split('\r\n')).toHaveLength(4)
})

test('a head keeps every other line as it came', () => {
  const head = 'POST http://a:1/x-api-key:1 HTTP/1.1\r\nX-Api-Keys: 1\r\nEmpty:\r\n: x\r\nno colon\r\n'
  expect(masking.head(head)).toBe(head)
})

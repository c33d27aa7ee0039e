import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeText } from '#core/json/decode.ts'
import { forAll } from '../../../support/for-all.ts'

const encoder = new TextEncoder()

describe('bytes become text strictly (readings, The envelope)', () => {
  test('a byte-order mark is taken off and told', () =>
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toEqual({
      text: '{}',
      bytes: Uint8Array.of(0x7b, 0x7d),
      bom: true,
    }))
  test.each([
    [[0xff, 0xfe, 0x7b, 0], 'UTF-16LE'],
    [[0xfe, 0xff, 0, 0x7b], 'UTF-16BE'],
    [[0x7b, 0, 0x22, 0], 'UTF-16LE'],
    [[0, 0x7b, 0, 0x22], 'UTF-16BE'],
    [[0xff, 0xfe, 0, 0], 'UTF-32LE'],
    [[0, 0, 0xfe, 0xff], 'UTF-32BE'],
    [[0x7b, 0, 0, 0], 'UTF-32LE'],
    [[0, 0, 0, 0x7b], 'UTF-32BE'],
  ])('%j is %s', (bytes, encoding) =>
    expect(decodeText(Uint8Array.from(bytes))).toEqual({ problem: 'other-encoding', encoding }),
  )
  test.each([
    ['a picture', [0, 0, 1, 0, 1, 0]],
    ['a film', [0, 0, 0, 0x18, 0x66]],
    ['a number', [0, 1, 0, 0]],
    ['text after a zero', [0, 0x7b, 0x22]],
    ['bytes after a zero', [0, 0x89, 0x50]],
    ['a second byte of zero', [0x7f, 0, 1, 1]],
    ['a brace and a zero', [0x7b, 0, 1, 1]],
  ])('bytes of %s are in no encoding of text', (_, bytes) =>
    expect(decodeText(Uint8Array.from(bytes))).not.toHaveProperty('encoding'),
  )
  test('zero bytes alone are no encoding: a file that was preallocated and never written is full of them', () => {
    expect(decodeText(new Uint8Array(100))).toMatchObject({ text: '\0'.repeat(100) })
    expect(decodeText(Uint8Array.from([0, 0, 0xfe, 0]))).toMatchObject({ problem: 'not-utf8' })
  })
  test.each([
    ['overlong', [0xc0, 0x80], 0xc0],
    ['surrogate', [0xed, 0xa0, 0x80], 0xed],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0xf4],
    ['cut off', [0xe2, 0x82], 0xe2],
    ['lone continuation', [0x80], 0x80],
    ['latin-1', [0xf1, 0x61], 0xf1],
  ])('the first bad byte is named: %s', (_, bad, byte) => {
    const bytes = Uint8Array.from([...encoder.encode('"añ€😀'), ...bad])
    expect(decodeText(bytes)).toEqual({ problem: 'not-utf8', byteOffset: 11, byte, before: '"añ€😀' })
  })
  test('any text comes back, any bytes give an answer (property)', () => {
    forAll(100, [fc.string({ unit: 'binary' })], (text) => {
      const bytes = encoder.encode(`"${text}`)
      const decoded = decodeText(bytes)
      expect(decoded).toEqual(
        'problem' in decoded ? decoded : { text: `"${text.toWellFormed()}`, bytes, bom: false },
      )
    })
    forAll(2000, [fc.uint8Array({ maxLength: 40 })], (bytes) => void decodeText(bytes))
  })
})

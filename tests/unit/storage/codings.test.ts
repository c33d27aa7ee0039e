import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codingsOf, DECODED_LIMIT, decodeBody } from '#storage/body/codings.ts'

const TEXT = Buffer.from('{"Event":"factura.created","ñ":"á"}')

describe('Content-Encoding gzip, deflate, br, zstd: the decoded body is checked (readings, The envelope)', () => {
  test.each<[string, Buffer]>([
    ['gzip', zlib.gzipSync(TEXT)],
    ['x-gzip', zlib.gzipSync(TEXT)],
    ['deflate', zlib.deflateSync(TEXT)],
    ['deflate', zlib.deflateRawSync(TEXT)],
    ['br', zlib.brotliCompressSync(TEXT)],
    ['zstd', zlib.zstdCompressSync(TEXT)],
    ['identity', TEXT],
    ['gzip, BR', zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
  ])('%s', (coding, body) => {
    expect(decodeBody(body, codingsOf(['Content-Encoding', coding]))).toEqual({ bytes: TEXT })
  })

  test.each(['bogus', 'constructor', '__proto__', 'toString', 'gzip;q=1', '*'])(
    '%s is no coding, and decodes to nothing',
    (coding) => {
      expect(decodeBody(TEXT, codingsOf(['content-ENCODING', coding]))).toMatchObject({
        undecodable: { coding: coding.toLowerCase(), reason: 'unknown coding' },
      })
    },
  )

  test.each(['gzip', 'deflate', 'br', 'zstd'])(
    '%s that is none, is cut off or empty, fails with its words',
    (coding) => {
      for (const body of [
        TEXT,
        Buffer.alloc(0),
        zlib.gzipSync(TEXT).subarray(0, 12),
        Buffer.alloc(100, 0xff),
      ])
        expect(decodeBody(body, [coding]), body.toString('hex')).toMatchObject({
          undecodable: { coding, reason: expect.stringMatching(/./) },
        })
    },
  )
})

describe('what would unpack to very much is left packed (reliability, row 15)', () => {
  const beyond = Buffer.alloc(DECODED_LIMIT + 1)

  test.each<[string, Buffer]>([
    ['gzip', zlib.gzipSync(beyond, { level: 1 })],
    ['deflate', zlib.deflateSync(beyond, { level: 1 })],
    ['br', zlib.brotliCompressSync(beyond, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ['zstd', zlib.zstdCompressSync(beyond)],
  ])('%s', (coding, body) => {
    expect(body.length).toBeLessThan(1_000_000)
    expect(decodeBody(body, [coding])).toEqual({
      undecodable: { coding, reason: `decodes to more than ${DECODED_LIMIT} bytes` },
    })
  })

  test('a layer within others is bounded as well, and there are four at most', () => {
    const twice = zlib.gzipSync(zlib.gzipSync(beyond, { level: 1 }))
    expect(twice.length).toBeLessThan(10_000)
    expect(decodeBody(twice, ['gzip', 'gzip'])).toMatchObject({ undecodable: { coding: 'gzip' } })
    const four = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(TEXT))))
    expect(decodeBody(four, Array(4).fill('gzip'))).toEqual({ bytes: TEXT })
    expect(decodeBody(zlib.gzipSync(four), Array(5).fill('gzip'))).toMatchObject({
      undecodable: { reason: 'more than 4 codings' },
    })
  })
})

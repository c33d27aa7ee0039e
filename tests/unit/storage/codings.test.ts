import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import {
  codingsOf,
  DECODED_LIMIT,
  type Decoded,
  DecodingFailure,
  decodeBody,
  decodedPieces,
} from '#storage/body/codings.ts'

const TEXT = Buffer.from('{"Event":"factura.created","ñ":"á"}')

test.each<[string, Buffer]>([
  ['gzip', zlib.gzipSync(TEXT)],
  ['x-gzip', zlib.gzipSync(TEXT)],
  ['deflate', zlib.deflateSync(TEXT)],
  ['deflate', zlib.deflateRawSync(TEXT)],
  ['br', zlib.brotliCompressSync(TEXT)],
  ['zstd', zlib.zstdCompressSync(TEXT)],
  ['identity', TEXT],
  ['gzip, BR', zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
])('decoding (readings, The envelope): %s', (coding, body) => {
  expect(decodeBody(body, codingsOf(['Content-Encoding', coding]))).toEqual({ bytes: TEXT })
})

test('decoding: piece by piece, whatever the pieces, it comes to the same as at once', async () => {
  const texts = [TEXT, Buffer.alloc(0), Buffer.alloc(300_000, 'ab'), Buffer.from([0x78, 0x9c])]
  const told = (body: Decoded) => ('bytes' in body ? body.bytes.toString('latin1') : body)
  const coders = {
    gzip: zlib.gzipSync,
    deflate: zlib.deflateRawSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
    bogus: (bytes: Buffer) => bytes,
  }
  const names = Object.keys(coders) as (keyof typeof coders)[]
  for (const text of texts)
    for (const inner of names)
      for (const outer of names) {
        const whole = coders[outer](coders[inner](text))
        for (const body of [whole, whole.subarray(0, whole.length - 3)])
          for (const length of [1, 7, 65_536])
            if (body.length / length < 300)
              expect(
                told(await gathered(cut(body, length), [inner, outer])),
                `${inner}, ${outer}: ${body.length} in ${length}`,
              ).toEqual(told(decodeBody(body, [inner, outer])))
      }
})

test.each(['bogus', 'constructor', '__proto__', 'toString', 'gzip;q=1', '*'])(
  'decoding: %s is no coding, and decodes to nothing',
  (coding) => {
    expect(decodeBody(TEXT, codingsOf(['content-ENCODING', coding]))).toMatchObject({
      undecodable: { coding: coding.toLowerCase(), reason: 'unknown coding' },
    })
  },
)

test.each(['gzip', 'deflate', 'br', 'zstd'])('decoding: %s that is none or cut off fails', (coding) => {
  for (const body of [TEXT, Buffer.alloc(0), zlib.gzipSync(TEXT).subarray(0, 12), Buffer.alloc(100, 0xff)])
    expect(decodeBody(body, [coding]), body.toString('hex')).toMatchObject({
      undecodable: { coding, reason: expect.stringMatching(/./) },
    })
})

function* cut(body: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += length) yield body.subarray(at, at + length)
}

async function gathered(body: Iterable<Buffer>, codings: readonly string[], most?: number): Promise<Decoded> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of decodedPieces(body, codings, most)) pieces.push(piece)
    return { bytes: Buffer.concat(pieces) }
  } catch (error) {
    if (error instanceof DecodingFailure) return error.why
    throw error
  }
}

const beyond = Buffer.alloc(DECODED_LIMIT + 1)

test.each<[string, Buffer]>([
  ['gzip', zlib.gzipSync(beyond, { level: 1 })],
  ['deflate', zlib.deflateSync(beyond, { level: 1 })],
  ['br', zlib.brotliCompressSync(beyond, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['zstd', zlib.zstdCompressSync(beyond)],
])('what would unpack to very much is left packed (reliability, row 15): %s', async (coding, body) => {
  expect(body.length).toBeLessThan(1_000_000)
  const refused = { tooLarge: { coding, limit: DECODED_LIMIT } }
  expect(decodeBody(body, [coding])).toEqual(refused)
  expect(await gathered([body], [coding], DECODED_LIMIT)).toEqual(refused)
  const viewed = await gathered([body], [coding])
  expect('bytes' in viewed && viewed.bytes.equals(beyond)).toBe(true)
})

test('what would unpack to very much is left packed: a layer within others is bounded as well, and there are four at most', () => {
  const twice = zlib.gzipSync(zlib.gzipSync(beyond, { level: 1 }))
  expect(twice.length).toBeLessThan(10_000)
  expect(decodeBody(twice, ['gzip', 'gzip'])).toMatchObject({ tooLarge: { coding: 'gzip' } })
  const four = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(TEXT))))
  expect(decodeBody(four, Array(4).fill('gzip'))).toEqual({ bytes: TEXT })
  expect(decodeBody(zlib.gzipSync(four), Array(5).fill('gzip'))).toMatchObject({
    undecodable: { reason: 'more than 4 codings' },
  })
})

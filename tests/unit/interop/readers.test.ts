import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ndjson } from '#interop/formats/formats.ts'
import { har } from '#interop/formats/har.ts'
import { raw } from '#interop/formats/raw.ts'
import type { Found } from '#interop/imports/record.ts'
import { exportedOf, written } from '../../support/arbitrary-delivery.ts'
import { runs } from '../../support/depth.ts'
import { fileOf, foundIn } from '../../support/import-file.ts'
import { aDelivery } from '../../support/store.ts'

const read = (text: string | Uint8Array, name = 'file') => foundIn(fileOf(Buffer.from(text), name, 40))
const reasons = (found: readonly Found[]) =>
  found.map((one) => ('reason' in one ? `${one.place}: ${one.reason.message}` : one.imported.delivery.method))

const REQUEST = {
  method: 'POST',
  url: 'https://hooks.example.do/in?a=%20b',
  httpVersion: 'HTTP/2.0',
  headers: [
    { name: ':path', value: '/in' },
    { name: 'content-type', value: 'application/json' },
    { name: 'x-note', value: 'Peña' },
    { name: 'set-cookie', value: 'a=1\nb=2' },
  ],
  postData: { mimeType: 'application/json', text: '{"a":"ñ"}' },
}
const entry = (change: object = {}, request: object = {}) => ({
  startedDateTime: '2026-11-27T05:30:00.250-04:00',
  time: 12.5,
  request: { ...REQUEST, ...request },
  response: {
    status: 201,
    headers: [{ name: 'X-A', value: '1' }],
    content: { text: 'aGk=', encoding: 'base64' },
  },
  ...change,
})
const harOf = (entries: readonly unknown[]) =>
  JSON.stringify({ log: { pages: [{ entries: [] }], entries, comment: '"entries":[' } })

describe('a HAR of another program', () => {
  it('gives requests with their original times and answers', async () => {
    const [found] = await read(harOf([entry()]))
    expect(found).toMatchObject({
      place: 'entry 1',
      imported: {
        tookUs: 12_500,
        delivery: {
          receivedAt: Date.UTC(2026, 10, 27, 9, 30, 0, 250) * 1_000,
          ...{ method: 'POST', url: '/in?a=%20b', httpVersion: '2.0' },
          headers: [
            'content-type',
            'application/json',
            'x-note',
            'Peña',
            'set-cookie',
            'a=1',
            'set-cookie',
            'b=2',
          ],
          body: Buffer.from('{"a":"ñ"}'),
          answer: { status: 201, headers: ['X-A', '1'], body: Buffer.from('hi') },
        },
      },
    })
  })

  it('takes parameters for a form, and an entry without an answer', async () => {
    const postData = { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1 2' }] }
    const [found] = await read(harOf([entry({ response: { status: 0 } }, { postData })]))
    expect(found).toMatchObject({ imported: { delivery: { body: Buffer.from('a=1+2'), answer: null } } })
  })

  it('does not state a coding that the program removed from a body', async () => {
    const header = (name: string, value: string) => ({ name, value })
    const headers = [header('Content-Encoding', 'gzip'), header('X-A', '1')]
    const packed = { text: 'H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', encoding: 'base64' }
    const response = { status: 200, headers, content: { text: 'ok' } }
    const found = await read(
      harOf([entry({ response }, { headers }), entry({}, { headers, postData: packed })]),
    )
    expect(found).toMatchObject([
      { imported: { delivery: { headers: ['X-A', '1'], answer: { headers: ['X-A', '1'] } } } },
      { imported: { delivery: { headers: ['Content-Encoding', 'gzip', 'X-A', '1'] } } },
    ])
  })

  it('reports entries that are no requests, and keeps the others', async () => {
    const bad = [
      entry({}, { url: 'data:,x' }),
      entry({ startedDateTime: '0001-01-01T00:00:00Z' }),
      entry({}, { method: '' }),
      7,
    ]
    expect(reasons(await read(harOf([entry(), ...bad, entry()])))).toEqual([
      'POST',
      'entry 2: request.url: give an http:// or https:// address.',
      'entry 3: startedDateTime: give a time such as 2026-11-27T09:30:00.123Z.',
      'entry 4: request.method has a value of a wrong kind or form.',
      'entry 5: request.method has a value of a wrong kind or form.',
      'POST',
    ])
  })

  it('keeps what comes before a cut', async () => {
    const text = harOf([entry(), entry(), entry()])
    expect(reasons(await read(text.slice(0, text.lastIndexOf('"response"'))))).toEqual([
      'POST',
      'POST',
      'entry 3: The file ends here, in the middle of its list of entries.',
    ])
    expect(reasons(await read('{"log":{}}'))).toEqual(['file: It has no list log.entries, so it is no HAR.'])
  })
})

describe('NDJSON', () => {
  it('reports bad lines with their number and keeps the others', async () => {
    const good = (await written(ndjson, [exportedOf(aDelivery({ receivedAt: 1.7e15 }))])).toString().trim()
    const without = (
      await written(ndjson, [exportedOf(aDelivery({ receivedAt: 1.7e15 }))], { bodies: false })
    )
      .toString()
      .trim()
    const wrong = good.replace('"method":"POST"', '"method":7')
    expect(
      reasons(await read([good, '{"receivedAt":', wrong, '', without, good].join('\r\n'), 'x.ndjson')),
    ).toEqual([
      'POST',
      'line 2: It is not JSON.',
      'line 3: method has a value of a wrong kind or form.',
      'line 5: body: the file has none; export it with bodies ("--bodies").',
      'POST',
    ])
  })
})

describe('raw requests', () => {
  it('are read one after the other, by their lengths or chunks', async () => {
    const text =
      '\ufeffPOST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}PUT /b?x=1 HTTP/1.0\nX-A: 1\nTransfer-Encoding: chunked\n\n2\r\nhi\r\n0\r\nX-B: 1\r\nX-C: 1\r\n\r\nGET /c HTTP/1.1\n\nPOST /d HTTP/1.1\r\n\r\n{\r\n}\r\n\r\nPOST /e HTTP/1.1\r\n\r\n[]\n'
    const found = await read(text)
    expect(
      found.map(
        (one) =>
          'imported' in one && [
            one.imported.delivery.method,
            one.imported.delivery.url,
            Buffer.from(one.imported.delivery.body).toString(),
          ],
      ),
    ).toEqual([
      ['POST', '/a', '{}'],
      ['PUT', '/b?x=1', 'hi'],
      ['GET', '/c', ''],
      ['POST', '/d', '{\r\n}'],
      ['POST', '/e', '[]\n'],
    ])
  })

  it('are refused with a reason', async () => {
    expect(reasons(await read('POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\n{}'))).toEqual([
      'request 1: Its body has 2 bytes, but Content-Length says 9.',
    ])
    expect(reasons(await read('POST /a HTTP/1.1\r\nno header\r\n\r\n'))).toEqual([
      'request 1: The line "no header" is no header.',
    ])
  })

  it('are read on behind one that cannot be read', async () => {
    const bad = 'POST /a HTTP/1.1\r\nContent-Length: 999\r\n\r\n{}\r\n'
    expect(
      reasons(await read(`${bad}\nGET /b HTTP/1.1\r\nno header\r\n\r\nPUT /c HTTP/1.1\r\n\r\n`)),
    ).toEqual([
      'request 1: Its body has 54 bytes, but Content-Length says 999.',
      'request 2: The line "no header" is no header.',
      'PUT',
    ])
  })
})

describe('a file with one body', () => {
  it('is a delivery at the time of the file', async () => {
    const [found] = await read('\ufeff{"Event":"customer.created"}', 'a.json')
    expect(found).toMatchObject({ imported: { delivery: { receivedAt: 1e15, method: 'POST', url: '/' } } })
  })
  it('is refused when it is something else', async () =>
    expect(reasons(await read('hello'))).toEqual([
      'file: It is neither JSON nor a session, HAR, NDJSON, raw request or archive of requests; unpack other compressed files than gzip first.',
    ]))
})

/** Start of a gzip file. */
const GZIP = Buffer.from('1f8b0800', 'hex')

describe('readers', () => {
  const whole = Promise.all(
    [ndjson, har, raw].map(
      async (format) =>
        [
          format.extension,
          await written(
            format,
            [1, 2, 3].map((n) => exportedOf(aDelivery({ receivedAt: 1.7e15 + n, body: '{"a":"ñ"}' }))),
          ),
        ] as const,
    ),
  )

  it('unpack gzip, and read UTF-16 with its mark, like the plain file', async () => {
    for (const [extension, bytes] of await whole) {
      const [plain, wide] = [
        await foundIn(fileOf(bytes, `x.${extension}`)),
        Buffer.from(`\ufeff${bytes}`, 'utf16le'),
      ]
      expect(reasons(plain)).toEqual(['POST', 'POST', 'POST'])
      const packed = fileOf(gzipSync(bytes), `x.${extension}.gz`, 40)
      expect(await foundIn(packed)).toEqual(plain)
      // An archive is no text.
      if (extension === 'tar') continue
      for (const [number, text] of [wide, Buffer.from(wide).swap16(), gzipSync(wide)].entries())
        expect(await foundIn(fileOf(text, `x.${extension}${number === 2 ? '.gz' : ''}`, 33))).toEqual(plain)
    }
  })

  it('keep what stands before the damage of a gzip file, and read no more of it than the limit', async () => {
    const line = (await written(ndjson, [exportedOf(aDelivery({ receivedAt: 1.7e15 }))])).toString()
    const packed = gzipSync(line.repeat(2_000))
    const found = await foundIn(fileOf(packed.subarray(0, -20), 'x.ndjson.gz', 40))
    expect(found.filter((one) => 'imported' in one).length).toBeGreaterThan(1_500)
    const where = /^after unpacked byte [1-9]\d+: /
    expect(reasons(found).at(-1)).toMatch(new RegExp(`${where.source}The file is damaged from here on`))
    const bounded = await foundIn(fileOf(packed, 'x.ndjson.gz'), 100 * line.length)
    expect(reasons(bounded).at(-1)).toMatch(new RegExp(`${where.source}It is too large`))
    expect(bounded.length).toBeLessThanOrEqual(102)
    const session = gzipSync(Buffer.from('SQLite format 3\0'))
    expect(reasons(await read(session, 'x.acuse.gz'))).toEqual([
      'file: A packed session: unpack it first, for example with gunzip.',
    ])
  })

  it('survive files with changed, missing and added bytes', async () => {
    const files = await whole
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(40),
      add: fc.uint8Array({ maxLength: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(edit, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 500 }),
        async ([extension, bytes], edits, size) => {
          let text = Buffer.from(bytes)
          for (const { at, cut, add } of edits) {
            const from = Math.floor(at * text.length)
            text = Buffer.concat([text.subarray(0, from), add, text.subarray(from + cut)])
          }
          for (const one of await foundIn(fileOf(text, `x.${extension}`, size))) {
            if ('reason' in one) expect(one.reason.code).toBe('bad-record')
            else expect(one.imported.delivery.headers.length % 2).toBe(0)
          }
        },
      ),
      { numRuns: runs(2_000) },
    )
  })

  it('survive any bytes', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 600 }),
        fc.constantFrom('a', 'a.har', 'a.ndjson', 'a.tar', 'a.json', 'a.gz'),
        async (bytes, name) => {
          const packed = name.endsWith('.gz') ? Buffer.concat([GZIP, bytes]) : bytes
          await foundIn(fileOf(packed, name, 100))
        },
      ),
      { numRuns: runs(1_000) },
    ))
})

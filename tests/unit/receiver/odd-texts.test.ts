import { expect, test } from 'vitest'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { rig } from './rig.ts'

/** What programs trip over: of every sort some, as text. */
const ODD_TEXTS: readonly string[] = `
  undefined   null   NULL   nil   true   NaN   -Infinity   0   -0   1e1000   0x0   1/0   ٣   ٠١   __proto__
  constructor   hasOwnProperty   [object Object]   ../../etc/passwd   ..\\..\\x   C:\\con   /dev/null   %00   %n%s%x
  %   %zz   ' or 1=1 --   "; DROP TABLE delivery; --   $(id)   \`id\`   || id   #{7*7}   {{7*7}}
  <script>alert(1)</script>   javascript:alert(1)   <!--   ]]>   &amp;&#60;   =1+1   @SUM(1)   +1   -1   Ω≈ç√∫   ÅÍÎÏ
  田中さん   사회   الكل   שלום   \u202Etxt.exe\u202C   \u200B\u200D\uFEFF   𝒯𝑒𝓍𝓉   👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿   Z̮̞̠͙͔ͅḀ̗̞͈̻   \u0000
  \u0007\u001b[31m   ﬀ ﷽   ß   İı   ñ́   Scunthorpe   2026-02-30T25:61:61Z   999999999999999999999   1E+02   1,000.00
  1.000,00
`
  .trim()
  .split(/ {3} *|\n */)
  .concat('', ' ', '\t', '\u2028\u2029', '\u0085', 'a'.repeat(60_000), '-'.repeat(5_000))
/** JSON texts that take much of a reader, and bytes that are no UTF-8; `tests/reliability/json-bodies.test.ts` has the others. */
const ODD_JSON: readonly (string | readonly number[])[] = [
  ...['', ' ', '\0', '['.repeat(100_000), '{"":'.repeat(50_000), `[${'1'.repeat(100_000)}]`],
  ...[[0xff], [0xfe, 0xff, 0, 0x5b], [0xff, 0xfe, 0x5b, 0], [0xef, 0xbb], [0xef, 0xbb, 0xbf]],
]

/** As bytes in a header field or a request target may be: what neither can carry is percent-encoded. */
const headerBytes = (text: string) =>
  Array.from(Buffer.from(text), (byte) =>
    (byte < 0x20 && byte !== 0x09) || byte === 0x7f ? `%${byte}` : String.fromCharCode(byte),
  )
    .join('')
    .trim()
const targetBytes = (text: string) => encodeURIComponent(Buffer.from(text).toString('latin1'))

test(`${ODD_TEXTS.length} odd texts as body, header, path and query are each answered 2xx and kept byte for byte (reliability, row 13)`, async () => {
  const { capture, port } = await rig()
  for (const text of ODD_TEXTS) {
    const target = `/p/${targetBytes(text)}?q=${targetBytes(text)}`
    const { answers } = await raw({ port }, requestBytes('POST', target, text, ['X-Odd', headerBytes(text)]))
    const last = capture.deliveries.at(-1)
    expect([answers[0]?.status, last?.url, last?.malformed], JSON.stringify(text.slice(0, 50))).toEqual([
      200,
      target,
      null,
    ])
    expect(last?.headers[last.headers.indexOf('X-Odd') + 1]).toBe(headerBytes(text))
    expect(capture.bytes(last?.body ?? Buffer.alloc(0)).equals(Buffer.from(text))).toBe(true)
  }
  expect(capture.deliveries).toHaveLength(ODD_TEXTS.length)
})

test(`${ODD_JSON.length} JSON texts, good and bad, are each answered 2xx and kept byte for byte, whatever their type says (reliability, row 13)`, async () => {
  const { capture, port } = await rig()
  for (const [n, one] of ODD_JSON.entries()) {
    const bytes = Buffer.from(typeof one === 'string' ? Buffer.from(one) : one)
    const type =
      [
        'application/json',
        'application/json; charset=bogus',
        'text/plain',
        'application/json; charset=utf-16',
      ][n % 4] ?? ''
    const { answers } = await raw({ port }, requestBytes('POST', `/j/${n}`, bytes, ['Content-Type', type]))
    expect(answers[0]?.status, JSON.stringify(one).slice(0, 60)).toBe(200)
    expect(capture.bytes(capture.deliveries.at(-1)?.body ?? Buffer.alloc(0)).equals(bytes)).toBe(true)
  }
  expect(capture.deliveries.every(({ malformed, rejected }) => malformed === null && !rejected)).toBe(true)
})

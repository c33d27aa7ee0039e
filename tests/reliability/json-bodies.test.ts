import { expect, test } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { openTestStore } from '../support/store.ts'
import { watchedReceiver } from '../support/watched-receiver.ts'

/** Separated by three spaces or a line feed. */
const tokens = (text: string) => text.trim().split(/ {3} *|\n */)

/** After the classes of JSONTestSuite (parsing), whose files are not part of this repository; latin-1, one character a byte. */
const READ = tokens(`
  0   -0   1   -1   123   1e5   1E5   1e+2   1e-2   1.5   -0.1e1   123.456e78   0e1   1e999   -1e-999
  123456789012345678901234567890   0.1234567890123456789   true   false   null   ""   "a"   " "   []   {}   "\\u0000"
  "\\uD83D\\uDE00"   "\\uD800"   "\\uDC00\\uD800"   "\\"\\\\\\/\\b\\f\\n\\r\\t"   "\x7f"   "\xc3\xb1"
  "\xf0\x9f\x98\x80"   "\xe2\x80\xa8"   "\xef\xbf\xbf"   [[[[1]]]]   {"a":{"a":{}}}   {"a":1,"a":2}   {"":0}
  {"__proto__":1}   [1,"a",null,true]   {"a\\u0000b":1}
`).concat(' \t\r\n1 ')
const REFUSED = tokens(`
  01   -   +1   .5   1.   1e   1e+   0x1   1_000   NaN   Infinity   -Infinity   1,5   --1   1 2   0.e1   tru   True
  nul   undefined   'a'   "   "a   a"   "\\   "\\x41"   "\\u12"   "\\u12G4"   "\\a"   "\t"   "\x00"   [   ]   [1
  [1,   [,1]   [1,]   [1,,2]   [1 2]   [1}   [1:2]   {   }   {"a"   {"a":   {"a":1   {"a":1,}   {,}   {a:1}   {1:1}
  {"a" 1}   {"a",1}   {"a":1 "b":2}   {"a":1]   {"a":1}}   {"a":/**/1}   // a   #   <a>   "\xff"   "\xc0\x80"
  "\xed\xa0\x80"   "\xe2\x82"   "\xf8\x88\x80\x80\x80"   \xff\xfe1\x00   \xfe\xff\x001   \xef\xbb\xbf   \x00   \x0b1
  \xa01   ;
`).concat('"\n"')
const AROUND: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `[${token}]`,
  (token) => `{"Event":${token}}`,
  (token) => `{"Event":"x","Data":{"a":${token}}}`,
]
const BODIES = [...new Set(AROUND.flatMap((around) => [...READ, ...REFUSED].map(around)))]

test(`${BODIES.length} JSON bodies, sound and broken: each is answered 200, kept byte for byte and judged (reliability, row 13)`, async () => {
  expect(BODIES.length).toBeGreaterThanOrEqual(318)
  await using opened = await openTestStore()
  const { capture, deliveries } = opened.store
  const receiver = await watchedReceiver(capture, 1_048_576, {})
  for (const [n, body] of BODIES.entries()) {
    const headers = ['Content-Type', 'application/json']
    const bytes = Buffer.from(body, 'latin1')
    const { answers } = await raw(receiver, requestBytes('POST', `/${n}`, bytes, headers))
    expect(answers[0]?.status, body).toBe(200)
  }
  expect(await deliveries.settled(30_000)).toBe(0)
  const rows = await deliveries.scan(EVERYTHING, { after: null, limit: 1_000 })
  expect(rows.length).toBe(BODIES.length)
  const strict = new TextDecoder('utf-8', { fatal: true })
  for (const { id, url, verdict } of rows) {
    const body = Buffer.from(BODIES[Number(url.slice(1))] ?? '', 'latin1')
    const kept = await deliveries.body(id, 'raw', 0, 1_000)
    expect(kept?.bytesBase64, url).toBe(body.toString('base64'))
    const detail = await deliveries.get(id)
    const readable = () => {
      try {
        return JSON.parse(strict.decode(body)) !== undefined
      } catch {
        return false
      }
    }
    // What JSON.parse reads has no finding on its text, and what it refuses has one.
    const broken = detail?.findingList.some(({ code }) =>
      /^(json-|body-not-utf8|body-empty|body-other-encoding)/.test(code),
    )
    expect([body.toString('latin1'), verdict === null, broken]).toEqual([
      body.toString('latin1'),
      false,
      !readable(),
    ])
  }
  expect(receiver.defects).toEqual([])
  await receiver.stop()
}, 110_000)

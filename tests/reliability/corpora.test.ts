import blns from 'big-list-of-naughty-strings' with { type: 'json' }
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { NewDelivery } from '#core/ports.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { RecordingCapture } from '../support/recording-capture.ts'
import { openTestStore } from '../support/store.ts'
import { watchedReceiver } from '../support/watched-receiver.ts'
import { words } from '../support/words.ts'

const AT_ONCE = 16

let capture: RecordingCapture
let receiver: Awaited<ReturnType<typeof watchedReceiver>>
beforeEach(async () => {
  capture = new RecordingCapture()
  receiver = await watchedReceiver(capture, 1_048_576, { head: 1_000, bodyIdle: 1_000, check: 50 })
})
afterEach(async () => {
  await receiver.stop()
  expect(receiver.defects).toEqual([])
})

const latin1 = (text: string) => Buffer.from(text).toString('latin1')
/** Characters that HTTP allows in a value or target (RFC 9110, 5.5; RFC 9112, 3); others make the request malformed. */
const isFieldValue = (text: string) => !/[^\t\x20-\x7e\x80-\xff]/.test(text)
/** Node treats several blanks before the version as one. */
const target = (text: string) => text.replace(/ +$/, '')
const isTarget = (text: string) => !/[^\x21-\x7e]/.test(target(text))
const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

interface Place {
  readonly place: string
  readonly bytes: (text: string) => Buffer
  /** Whether the request is well-formed. */
  readonly whole: (text: string) => boolean
  readonly sent: (text: string) => Buffer | string
  readonly kept: (delivery: NewDelivery) => Buffer | string
}
const url = (delivery: NewDelivery) => delivery.url
const body = (delivery: NewDelivery) => capture.bytes(delivery.body)
const always = () => true
const inBody = (place: string, sent: (text: string) => Buffer): Place => ({
  ...{ place, whole: always, sent, kept: body },
  bytes: (text) => requestBytes('POST', '/blns', sent(text)),
})
const PLACES: readonly Place[] = [
  inBody('values of the body', (text) => json({ Event: text, data: { Number: text } })),
  inBody('keys of the body', (text) => json({ [text]: 1 })),
  {
    place: 'a header',
    bytes: (text) => requestBytes('POST', '/blns', '{}', ['X-Naughty', latin1(text)]),
    whole: (text) => isFieldValue(latin1(text)),
    sent: (text) => latin1(text).replace(/^[\t ]+|[\t ]+$/g, ''),
    kept: ({ headers }) => headers[headers.indexOf('X-Naughty') + 1] ?? '',
  },
  {
    ...{ place: 'path and query, percent-encoded', whole: always, kept: url },
    bytes: (text) => requestBytes('POST', `/blns/${percent(text)}?q=${percent(text)}`, '{}'),
    sent: (text) => `/blns/${percent(text)}?q=${percent(text)}`,
  },
  {
    ...{ place: 'the query as it is', whole: (text) => isTarget(text), kept: url },
    bytes: (text) => requestBytes('POST', `/blns?q=${latin1(text)}`, '{}'),
    sent: (text) => `/blns?q=${target(text)}`,
  },
]

test.each(PLACES)(
  `${blns.length} naughty strings in $place: kept byte for byte, or 400 and kept as malformed (reliability, row 13)`,
  async ({ bytes, whole, sent, kept }) => {
    const problems: string[] = []
    const one = async (text: string) => {
      const before = new Set(capture.deliveries)
      const { answers } = await raw(receiver, bytes(text), { timeoutMs: 20_000 })
      const own = capture.deliveries.filter((delivery) => !before.has(delivery))
      const said = `${JSON.stringify(text)}: ${answers[0]?.status}`
      if (answers[0]?.status !== (whole(text) ? 200 : 400)) problems.push(said)
      if (!whole(text)) {
        if (!own.some(({ malformed }) => malformed === 'unparseable')) problems.push(`${said}, no row`)
      } else if (!own.some((delivery) => Buffer.from(kept(delivery)).equals(Buffer.from(sent(text)))))
        problems.push(`${said}, kept otherwise`)
    }
    const waiting = blns.values()
    const lane = async () => {
      for (const text of waiting) await one(text)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    expect(problems).toEqual([])
  },
  60_000,
)

type Allowed = readonly [name: string, bytes: string, body: string]
const allowed = (name: string, head: string, sent = ''): Allowed => [name, `${head}\r\n\r\n${sent}`, sent]
const POST = 'POST /a HTTP/1.1\r\nHost: a'
const chunked = (name: string, chunks: string, sent: string): Allowed => [
  `chunked, ${name}`,
  `${POST}\r\ntransfer-encoding: Chunked\r\n\r\n${chunks}`,
  sent,
]
/** Unusual requests that RFC 9112 allows, with their bodies. */
const ALLOWED: readonly Allowed[] = [
  ...words`GET POST PUT PATCH DELETE OPTIONS PROPFIND QUERY M-SEARCH`.map((method) =>
    allowed(`method ${method}`, `${method} /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2`, '{}'),
  ),
  allowed('no body', 'GET /a HTTP/1.1\r\nHost: a'),
  allowed('an empty body with a length', `${POST}\r\nContent-Length: 0`),
  allowed('no Host: a sender without one is still a sender', 'POST /a HTTP/1.1'),
  allowed('an empty Host', 'POST /a HTTP/1.1\r\nHost:'),
  allowed('HTTP/1.0', 'POST /a HTTP/1.0\r\nContent-Length: 0'),
  allowed('an empty line before the request', `\r\n${POST}`),
  allowed('absolute form', 'POST http://other.test/a?b=c HTTP/1.1\r\nHost: a'),
  allowed('the asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a'),
  allowed('a long target', `POST /${'u'.repeat(8_000)} HTTP/1.1\r\nHost: a`),
  allowed('dots and slashes', 'POST //a/../b/./%2e%2e//c?d=%00&e=%zz#f HTTP/1.1\r\nHost: a'),
  allowed('an empty value', `${POST}\r\nX:\r\nY: `),
  allowed('white space around a value', `${POST}\r\nX: \t y \t `),
  allowed('bytes beyond ASCII in a value', `${POST}\r\nX: \xc3\xb1\xff\x80`),
  allowed('every character of a name', `${POST}\r\n!#$%&'*+-.^_\`|~09azAZ: x`),
  allowed('the same header a hundred times', `${POST}${'\r\nX: y'.repeat(100)}`),
  allowed('names that objects have', `${POST}\r\n__proto__: x\r\nconstructor: y\r\ntoString: z`),
  allowed('Connection: close', `${POST}\r\nConnection: close`),
  allowed('a length with zeros', `${POST}\r\nContent-Length: 0002`, '{}'),
  allowed('100-continue', `${POST}\r\nExpect: 100-continue\r\nContent-Length: 2`, '{}'),
  chunked('one chunk', '2\r\n{}\r\n0\r\n\r\n', '{}'),
  chunked('no chunk', '0\r\n\r\n', ''),
  chunked('a chunk for each byte', '1\r\n[\r\n1\r\n1\r\n1\r\n]\r\n0\r\n\r\n', '[1]'),
  chunked(
    'sizes in either case and with zeros',
    `00A\r\n${'x'.repeat(10)}\r\n0b\r\n${'y'.repeat(11)}\r\n000\r\n\r\n`,
    `${'x'.repeat(10)}${'y'.repeat(11)}`,
  ),
  chunked('extensions', '2;a;b=c;d="e f"\r\n{}\r\n0;last\r\n\r\n', '{}'),
  chunked('trailers', '2\r\n{}\r\n0\r\nX-Sum: 1\r\nY: z\r\n\r\n', '{}'),
  chunked('line ends within a chunk', '6\r\n0\r\n\r\n0\r\n0\r\n\r\n', '0\r\n\r\n0'),
]

test.each(ALLOWED)('%s: answered 200 and kept (reliability, row 13)', async (_, text, sent) => {
  const whole = Buffer.from(text, 'latin1')
  // Split a long text only once: splits in its middle add no new case.
  const bytes =
    whole.length > 1_000
      ? [whole.subarray(0, 4_000), whole.subarray(4_000)]
      : [...whole].map((byte) => Buffer.of(byte))
  for (const steps of [[whole], bytes]) {
    const before = capture.deliveries.length
    const { answers } = await raw(receiver, steps, { head: false })
    expect(answers.map(({ status }) => status)).toEqual([200])
    const [delivery, ...more] = capture.deliveries.slice(before)
    expect([more, delivery?.malformed]).toEqual([[], null])
    if (!delivery) return
    expect(body(delivery).toString('latin1')).toBe(sent)
    const [line = ''] = text.trimStart().split('\r\n')
    expect(`${delivery.method} ${delivery.url} HTTP/${delivery.httpVersion}`).toBe(line)
  }
})

/** Separated by three spaces or a line feed. */
const tokens = (text: string) => text.trim().split(/ {3} *|\n */)

/** Cases by the classes of JSONTestSuite (parsing), whose files are not in this repository; latin-1, one character per byte. */
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
    // Text that JSON.parse accepts has no syntax finding; refused text has one.
    const broken = detail?.findingList.some(({ code }) =>
      /^(json-|body-not-utf8|body-empty|body-other-encoding)/.test(code),
    )
    expect([verdict === null, broken], body.toString('latin1')).toEqual([false, !readable()])
  }
  expect(receiver.defects).toEqual([])
  await receiver.stop()
}, 110_000)

import { expect, test } from 'vitest'
import type { NewDelivery } from '#core/ports.ts'
import type { ReceiverTimes } from '#receiver/limits.ts'
import { type RawOptions, raw, requestBytes, type Step } from '../../support/raw-client.ts'
import { endpoint, only, rig } from './rig.ts'

const good = requestBytes('POST', '/good', '{"ok":1}')
const endpoints = [endpoint(), endpoint({ name: 'erp', path: '/erp' })]

interface Odd {
  readonly what: string
  readonly sent: Step | readonly Step[]
  /** Statuses answered before the connection closes. */
  readonly answered: readonly number[]
  readonly kept: Partial<NewDelivery>
  readonly bytes?: string
  readonly how?: RawOptions
  readonly times?: Partial<ReceiverTimes>
}
const CHUNKED = 'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'
const PART = 'x'.repeat(6_681)
const CHUNKS = `${Array(3).fill(`1a19\r\n${PART}\r\n`).join('')}zz\r\n`
const LONG = 'y'.repeat(3 * 1_048_576 + 7)
const TLS_HELLO = '\x16\x03\x01\x02\x00\x01hello\xff'
const BROKEN_HEAD = [
  'POST /erp/x HTTP/1.1\r\nA: b',
  '\r\nContent-Length: 1\r\n',
  'Bad\x00Name: 1\r\n\r\nx',
] as const
const HALF_HEAD = 'POST /half HTTP/1.1\r\nX-A: '
const ORDINARY = { answered: [200], how: { answers: 1 } }
const SLOW = { answered: [408], times: { head: 150, bodyIdle: 150, body: 400, check: 30 } }
const LEAVING: readonly (readonly [string, RawOptions])[] = [
  ['end', { endAfter: true }],
  ['reset', { resetAfter: true }],
]

const ODD: readonly Odd[] = [
  {
    what: 'bytes that are no HTTP, as they came',
    ...{ sent: TLS_HELLO, answered: [400], bytes: TLS_HELLO },
    kept: { malformed: 'unparseable', method: '', url: '', headers: [], rejected: false },
  },
  {
    what: 'a head that breaks in its third packet, from its first byte, with what its first line says',
    sent: [BROKEN_HEAD[0], 20, BROKEN_HEAD[1], 20, BROKEN_HEAD[2]],
    ...{ answered: [400], bytes: BROKEN_HEAD.join('') },
    kept: { malformed: 'unparseable', method: 'POST', url: '/erp/x', httpVersion: '1.1', endpoint: 'erp' },
  },
  {
    what: 'of a head beyond 1 MiB the first 64 KiB',
    ...{ sent: `POST / HTTP/1.1\r\nX: ${'y'.repeat(1_200_000)}`, answered: [431] },
    kept: { malformed: 'unparseable', bodySize: 65_536 },
  },
  {
    what: 'of a body that breaks its chunked coding what came',
    ...{ sent: [`${CHUNKED}3\r\nabc\r\n`, 20, 'zz\r\n'], answered: [400], bytes: 'abc' },
    kept: { malformed: 'unparseable', method: 'POST', url: '/c' },
  },
  {
    what: 'every byte before a chunk error in the packet of its head',
    ...{ sent: CHUNKED + CHUNKS, answered: [400], bytes: PART.repeat(3) },
    kept: { malformed: 'unparseable', bodySize: 20_043 },
  },
  {
    what: 'every byte before a chunk error behind a packet of its own',
    ...{ sent: [`${CHUNKED}1\r\n_\r\n`, 30, CHUNKS], answered: [400], bytes: `_${PART.repeat(3)}` },
    kept: { malformed: 'unparseable', bodySize: 20_044 },
  },
  {
    what: 'the pieces on their way to the store before a chunk error in the same write',
    sent: `${CHUNKED}${LONG.length.toString(16)}\r\n${LONG}\r\nzz\r\n`,
    ...{ answered: [400], bytes: LONG, kept: { malformed: 'unparseable', bodySize: LONG.length } },
  },
  ...LEAVING.flatMap(([by, how]): Odd[] => [
    {
      what: `a body cut off by ${by}: what came, without an answer`,
      sent: ['POST /cut HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc', 30],
      ...{ answered: [], how, bytes: 'abc' },
      kept: { malformed: 'cut-off', url: '/cut', answer: null },
    },
    {
      what: `a head cut off by ${by}: its bytes, without an answer`,
      ...{ sent: [HALF_HEAD, 30], answered: [], how, bytes: HALF_HEAD },
      kept: { malformed: 'cut-off', method: 'POST', url: '/half', answer: null },
    },
  ]),
  {
    what: 'an Expect that no receiver can meet, with its body',
    ...{ sent: requestBytes('POST', '/e', 'abc', ['Expect', 'the-moon']), answered: [417], bytes: 'abc' },
    kept: { malformed: 'expectation' },
  },
  {
    what: 'an Expect that no receiver can meet, whose sender waits with the body',
    sent: 'POST /w HTTP/1.1\r\nHost: a\r\nExpect: the-moon\r\nContent-Length: 3\r\n\r\n',
    ...{ answered: [417], times: { expectationBody: 50 }, kept: { malformed: 'expectation', bodySize: 0 } },
  },
  {
    what: 'CONNECT',
    sent: 'CONNECT db.local:5432 HTTP/1.1\r\nHost: db.local\r\n\r\nrest',
    ...{ answered: [405], bytes: 'rest' },
    kept: { malformed: 'connect', method: 'CONNECT', url: 'db.local:5432', headers: ['Host', 'db.local'] },
  },
  ...['', 'Host: a\r\nHost: b\r\n'].map((hosts) => ({
    what: `as an ordinary delivery one with ${hosts === '' ? 'no Host' : 'two of them'}`,
    sent: `POST / HTTP/1.1\r\n${hosts}Content-Length: 2\r\n\r\n{}`,
    ...{ ...ORDINARY, kept: { malformed: null } },
  })),
  ...['', ',,'].map((nothing) => ({
    what: `as an ordinary delivery one with "Expect: ${nothing}", which expects nothing`,
    sent: requestBytes('POST', '/', '{"a":1}', ['Expect', nothing]),
    ...{ ...ORDINARY, kept: { malformed: null }, bytes: '{"a":1}' },
  })),
  ...['websocket', 'h2c'].map((protocol) => ({
    what: `as an ordinary delivery an Upgrade to ${protocol} with its body`,
    sent: requestBytes('POST', '/', '{"a":1}', ['Connection', 'Upgrade', 'Upgrade', protocol]),
    ...{ ...ORDINARY, kept: { malformed: null }, bytes: '{"a":1}' },
  })),
  {
    what: 'a slow head (reliability, row 16)',
    sent: ['POST /slow HTTP/1.1\r\n', 60, 'X: y', 60, 'y', 60, 'y', 60, 'y'],
    ...{ ...SLOW, kept: { malformed: 'timeout', method: 'POST', url: '/slow' } },
  },
  {
    what: 'of a body that stops what came (reliability, row 16)',
    ...{ sent: 'POST /stop HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc', ...SLOW, bytes: 'abc' },
    kept: { malformed: 'timeout', url: '/stop' },
  },
  {
    what: 'a body that drips, which is cut in the end (reliability, row 16)',
    sent: ['POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n', ...Array(12).fill(['x', 50]).flat()],
    ...{ ...SLOW, kept: { malformed: 'timeout' } },
  },
]

test.each(ODD)('kept: $what', async ({ sent, answered, kept, bytes, how, times = {} }) => {
  const { capture, statuses } = await rig({ rules: { endpoints }, times })
  expect(await statuses(sent, { answers: 0, ...how })).toEqual(answered)
  await capture.kept(1)
  const delivery = only(capture)
  expect(delivery).toMatchObject({ ...kept, ...(answered[0] ? { answer: { status: answered[0] } } : {}) })
  if (bytes !== undefined)
    expect(capture.bytes(delivery.body).equals(Buffer.from(bytes, 'latin1'))).toBe(true)
  expect(await statuses(good)).toEqual([200])
})

test('what is no whole request is kept: a good request followed by garbage: both are kept, the good one is answered first', async () => {
  const answer = { status: 200, headers: [], body: 'yes', delayMs: 50 }
  const { capture, statuses } = await rig({ rules: { endpoints: [endpoint({ answer })] } })
  const both = Buffer.concat([good, Buffer.from('GARBAGE\r\n\r\n')])
  expect(await statuses(both, { answers: 0 })).toEqual([200, 400])
  expect(capture.deliveries.map((d) => d.malformed).sort()).toEqual([null, 'unparseable'].sort())
  const odd = capture.deliveries.find((d) => d.malformed)
  expect(capture.bytes(odd?.body ?? Buffer.alloc(0)).includes('GARBAGE')).toBe(true)
})

test('what is no whole request is kept: half a request behind a good one does not cost the good one its answer', async () => {
  const answer = { status: 200, headers: [], body: 'yes', delayMs: 60 }
  const { capture, statuses } = await rig({ rules: { endpoints: [endpoint({ answer })] } })
  for (const half of ['POST /half HTTP/1.1\r\nX', 'POST /half HTTP/1.1\r\nContent-Length: 5\r\n\r\nab'])
    expect(await statuses(Buffer.concat([good, Buffer.from(half)]), { endAfter: true, answers: 0 })).toEqual([
      200,
    ])
  expect(capture.deliveries.map((d) => d.malformed).sort()).toEqual(['cut-off', 'cut-off', null, null])
})

test('what is no whole request is kept: a connection that sends nothing, or nothing more, leaves no row', async () => {
  const { capture, port } = await rig({ times: { head: 100, check: 30 } })
  await raw({ port }, [], { endAfter: true, answers: 0 })
  await raw({ port }, [], { answers: 0 })
  await raw({ port }, [good, 30], { resetAfter: true, answers: 1 })
  await raw({ port }, [good, 30], { endAfter: true, answers: 0 })
  expect(capture.deliveries.map((d) => d.malformed)).toEqual([null, null])
})

test('what is no whole request is kept: Expect: 100-continue is met', async () => {
  const { port } = await rig()
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n'
  const { bytes, answers } = await raw({ port }, [head, 30, 'abc'])
  expect([bytes.toString(), answers[0]?.status]).toEqual([expect.stringContaining('100 Continue'), 200])
})

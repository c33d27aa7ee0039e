import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import { BAD_REQUESTS } from '../fixtures/http/bad-requests.ts'
import { aBody } from '../support/events.ts'
import { seeded } from '../support/random.ts'
import { raw, requestBytes } from '../support/raw-client.ts'
import { RecordingCapture } from '../support/recording-capture.ts'
import { openTestStore } from '../support/store.ts'
import { watchedReceiver } from '../support/watched-receiver.ts'

/** Number of mutations; ACUSE_FUZZ sets another one. The seed is fixed, so that failures repeat. */
const MUTATIONS = Number(process.env.ACUSE_FUZZ ?? 1_600)
const AT_ONCE = 16
// Generous, since a busy machine may pause for more than 50 ms, and input must not count as late for that.
const TIMES = { head: 1_000, bodyIdle: 1_000, check: 50, lingerIdle: 20, expectationBody: 20 }

const body = aBody('factura.created')
const SEEDS: readonly Buffer[] = [
  ...BAD_REQUESTS.map(({ bytes }) => bytes),
  ...['GET', 'PUT', 'POST', 'HEAD'].map((method) =>
    Buffer.from(
      requestBytes(method, '/hook?a=%20', String(body), ['X-Webhook-Secret', 'x', 'Expect', '100-continue']),
    ),
  ),
  Buffer.from(
    'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;e=1\r\nhello\r\n0\r\nX: y\r\n\r\n',
  ),
]
const PIECES = '\r\n|\r\n\r\n|\n|\0| |:|chunked|Content-Length: 5|0|ffffffff|;|\xff|HTTP/1.1'
  .split('|')
  .map((text) => Buffer.from(text, 'latin1'))

/** Applies one to four mutations: flips, removes or doubles bytes, or inserts pieces of the grammar. */
function mutated(random: () => number): Buffer {
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  let bytes = Buffer.from(any(SEEDS))
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const from = Math.floor(random() * (bytes.length + 1))
    const to = Math.min(bytes.length, from + Math.floor(random() * 20))
    const middle = [
      () => Buffer.from(bytes.subarray(from, to).map((byte) => byte ^ (1 << Math.floor(random() * 8)))),
      () => Buffer.alloc(0),
      () => Buffer.concat([bytes.subarray(from, to), bytes.subarray(from, to)]),
      () => Buffer.concat([any(PIECES), bytes.subarray(from, to)]),
    ]
    bytes = Buffer.concat([bytes.subarray(0, from), any(middle)(), bytes.subarray(to)])
  }
  return bytes
}

const capture = new RecordingCapture()
let receiver: Awaited<ReturnType<typeof watchedReceiver>>

beforeAll(async () => {
  receiver = await watchedReceiver(capture, 65_536, TIMES)
})
afterAll(() => receiver.stop())

test(`${MUTATIONS} seeded mutations of requests: none hangs, none breaks anything, no 2xx without a row, and good ones in between are kept (reliability, row 14)`, async () => {
  const random = seeded(14)
  const problems: string[] = []
  for (let n = 0; n < MUTATIONS; n += AT_ONCE) {
    const before = capture.deliveries.length
    const batch = Array.from({ length: AT_ONCE }, () => mutated(random))
    const send = (bytes: Buffer) => raw(receiver, bytes, { answers: 0, endAfter: true, timeoutMs: 5_000 })
    const results = await Promise.all(batch.map((bytes) => send(bytes).catch(String)))
    const good = await raw(receiver, requestBytes('POST', `/good/${n}`, '{}'))
    if (good.answers[0]?.status !== 200)
      problems.push(`${n}: the good one was answered ${good.answers[0]?.status}`)
    let answered = 0
    for (const [i, result] of results.entries())
      if (typeof result === 'string')
        problems.push(`${n + i}: ${result}: ${JSON.stringify(batch[i]?.toString('latin1'))}`)
      else answered += result.answers.filter(({ status }) => status >= 200 && status < 300).length
    const rows = capture.deliveries.slice(before)
    if (!rows.some(({ url }) => url === `/good/${n}`)) problems.push(`${n}: the good one was not kept`)
    if (rows.filter(({ answer }) => answer?.status === 200).length < answered + 1)
      problems.push(`${n}: a 200 without a row`)
  }
  expect(problems).toEqual([])
  expect(receiver.defects).toEqual([])
}, 600_000)

// Short, since incomplete requests end by these time-outs; the test checks that they end.
const SHORT = { head: 150, bodyIdle: 150, check: 30, lingerIdle: 50, expectationBody: 50 }

test(`${BAD_REQUESTS.length} bad requests (reliability, row 13)`, {
  tags: 'long',
  timeout: 110_000,
}, async () => {
  expect(new Set(BAD_REQUESTS.map(({ bytes }) => bytes.toString('latin1'))).size).toBeGreaterThanOrEqual(200)
  await using opened = await openTestStore()
  const { capture, deliveries } = opened.store
  const receiver = await watchedReceiver(capture, 1_048_576, SHORT)
  const problems: string[] = []
  let after: number | null = null
  for (const [i, { name, bytes }] of BAD_REQUESTS.entries()) {
    const odd = await raw(receiver, bytes, { timeoutMs: 5_000 }).catch((error: unknown) => String(error))
    if (typeof odd === 'string') problems.push(`${name}: hangs: ${odd.slice(0, 100)}`)
    const good = await raw(receiver, requestBytes('POST', `/good/${i}`, `{"n":${i}}`))
    if (good.answers[0]?.status !== 200) problems.push(`${name}: the good one after it was not answered 200`)
    const rows: DeliveryRow[] = await deliveries.scan(EVERYTHING, { after, limit: 1_000 })
    after = rows.at(-1)?.id ?? after
    const own = rows.filter(({ url }) => url !== `/good/${i}`)
    if (own.length === rows.length) problems.push(`${name}: the good one after it was not kept`)
    if (own.length === 0) problems.push(`${name}: left no row`)
    if (own.some(({ url, answer }) => url === '/smuggled' && answer === 200))
      problems.push(`${name}: took what it smuggled for a request`)
    const said = typeof odd === 'string' ? [] : odd.answers.map(({ status }) => status)
    for (const status of said)
      if (status < 300 && !own.some(({ answer }) => answer === status))
        problems.push(`${name}: ${status} without a row`)
  }
  expect(problems).toEqual([])
  expect(receiver.defects).toEqual([])
  await receiver.stop()
})

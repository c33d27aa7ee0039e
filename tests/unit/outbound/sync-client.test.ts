import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sourceOf } from '#core/json/tree.ts'
import type { SyncQuery } from '#core/reconcile/sync-source.ts'
import { createSyncSource, PAGE_KEPT } from '#outbound/sync-client.ts'
import { listening } from '../../support/hook-receiver.ts'
import { type Answering, gives, rawTarget, sender, status, text, timeouts } from './rig.ts'

const KEY = 'key-Ñ"7/3f9c'

const NOW = Date.UTC(2026, 10, 21, 12)
const QUERY: SyncQuery = {
  route: 'accounting',
  from: '2026-10-01T00:00:00-04:00',
  afterDocumentId: null,
  to: '2026-10-31T23:59:59+05:30',
  documentTypeId: null,
  pageSize: 200,
}
const GZIP = 'Content-Encoding: gzip\r\n'
const PAGE = '{"items":[{"DocumentId":"a","Total":1.50}],"count":1,"hasMore":false}'

const json = (body: string | Buffer, head = ''): Buffer => {
  const bytes = Buffer.from(body)
  const lines = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${head}Content-Length: ${bytes.length}`
  return Buffer.concat([text(`${lines}\r\n\r\n`), bytes])
}

async function asked(answering: Answering, query: Partial<SyncQuery> = {}, ...how: How) {
  const target = await rawTarget(answering)
  const answer = await pageAt(`http://127.0.0.1:${target.port}`, query, ...how)
  return { answer, head: (target.requests[0] ?? Buffer.alloc(0)).toString('latin1') }
}

type How = [change?: object, answerKept?: number, signal?: AbortSignal]
function pageAt(baseUrl: string, query: Partial<SyncQuery> = {}, ...[change, answerKept, signal]: How) {
  const connection = { baseUrl, apiKey: KEY, timeouts, acceptAnyCertificate: false, ...change }
  const source = createSyncSource(sender({ answerKept: answerKept ?? PAGE_KEPT }), connection, () => NOW)
  return source.page({ ...QUERY, ...query }, signal ?? new AbortController().signal)
}

async function failure(answering: Answering, change = {}) {
  const { answer } = await asked(answering, {}, change)
  if (!('failure' in answer)) throw new Error('it did not fail')
  expect(JSON.stringify(answer)).not.toContain('3f9c')
  return answer.failure
}

test('the request (Endpoints; readings, accounting-sync): accounting-sync: parameters percent-encoded, "+" as %2B, the key in X-Api-Key', async () => {
  const { head } = await asked(gives(json(PAGE)), { documentTypeId: 31 })
  expect(head).toMatch(
    /^GET \/api\/v1\/documents\/accounting-sync\?from=2026-10-01T00%3A00%3A00-04%3A00&to=2026-10-31T23%3A59%3A59%2B05%3A30&documentTypeId=31&pageSize=200 HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\nX-Api-Key: key-Ñ"7\/3f9c\r\n/,
  )
})

test('the request: treasury-sync: the pair of cursors goes back as it came; what is not given is not sent', async () => {
  const cursor = { from: ' 2026-10-05T10:00:00.123+00:00/ä', afterDocumentId: 'A&b' }
  const { head } = await asked(gives(json(PAGE)), { route: 'treasury', ...cursor, to: null })
  const target = head.split(' ')[1] ?? ''
  const sent = new URL(target, 'http://x').searchParams
  expect(target).toMatch(/^\/api\/v1\/documents\/treasury-sync\?/)
  expect(Object.fromEntries(sent)).toEqual({ ...cursor, pageSize: '200' })
})

test('a page: gives its items with the very digits of the service', async () => {
  const { answer } = await asked(gives(json(PAGE)))
  if (!('page' in answer)) throw new Error('no page')
  expect(answer.page).toMatchObject({ hasMore: false, nextFrom: null, nextAfterDocumentId: null })
  expect(answer.page.items.map((item) => sourceOf(answer.page.tree, item))).toEqual([
    '{"DocumentId":"a","Total":1.50}',
  ])
})

const LINES = `{"Lines":[${'1,'.repeat(5_000)}1]}`
test.each([
  ['is read through a Content-Encoding that was not asked for', gzipSync(PAGE), 1],
  ['may have more than 10 MiB', `{"items":["${'x'.repeat(25_000_000)}"],"hasMore":true}`, 1],
  [
    'may have more items than were asked for, and long lists inside of them',
    `{"items":[${`${LINES},`.repeat(300)}${LINES}],"hasMore":false}`,
    301,
  ],
])('a page: %s', async (_, body, items) => {
  const { answer } = await asked(gives(json(body, Buffer.isBuffer(body) ? GZIP : '')))
  expect('page' in answer && answer.page.items.length).toBe(items)
})

const MILLION = `{"hasMore":true,"items":[${'null,'.repeat(999_999)}null]}`
test.each([
  ['of a million nulls', json(MILLION)],
  ['packed, in a wrapper', json(gzipSync(`{"data":${MILLION}}`), GZIP)],
])('a page: %s where 200 were asked for is not taken', async (_, bytes) => {
  const { answer } = await asked(gives(bytes))
  expect(answer).toMatchObject({
    failure: {
      passing: false,
      problem: {
        code: 'too-large',
        message: expect.stringMatching(/more than 2,000 items, and 200 were asked for/),
      },
    },
  })
})

test('a page: that never ends is read no further than its items may go', async () => {
  let written = 0
  const server = createServer((_request, response) => {
    response.write('{"hasMore":true,"items":[')
    const more = () => {
      while (!response.destroyed && written < 500_000_000) {
        written += 60_000
        if (!response.write('{"a":[1,2],"b":"],["},'.repeat(3_000))) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  const answer = await pageAt(`http://127.0.0.1:${await listening(server)}`)
  expect(answer).toMatchObject({ failure: { problem: { code: 'too-large' } } })
  expect(written).toBeLessThan(50_000_000)
})

test('a page: that is too large to be kept is said to be, with the advice to lower pageSize', async () => {
  const long = gives(json(`{"items":["${'x'.repeat(3_000)}"],"hasMore":true}`))
  const { answer } = await asked(long, {}, {}, 2_000)
  expect(answer).toMatchObject({
    failure: {
      passing: false,
      problem: { code: 'too-large', message: expect.stringContaining('pageSize lower than 200') },
    },
  })
})

test('a page: that breaks off is "truncated", and asking again may help', async () => {
  const cut = await failure((socket) =>
    socket.end(text(`HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n${PAGE}`)),
  )
  expect(cut).toMatchObject({ passing: true, problem: { code: 'truncated', params: { bytes: PAGE.length } } })
  expect(await failure(gives(json(PAGE.slice(0, 20))))).toMatchObject({
    passing: true,
    problem: { code: 'truncated' },
  })
})

test('a page: that is no JSON is said to be, with where; asking again may help', async () => {
  expect(await failure(gives(json('<html>\n<p>Down</p></html>')))).toMatchObject({
    ...{ passing: true, status: 200, body: '<html>\n<p>Down</p></html>' },
    problem: {
      ...{ code: 'not-json', message: expect.stringContaining('line 1, column 1') },
      params: { why: 'syntax', line: 1, column: 1 },
    },
  })
  expect((await failure(gives(json(Buffer.from([0xff, 0x41]))))).problem.code).toBe('not-json')
  expect((await failure(gives(json('')))).problem.message).toContain('it is empty')
})

const body = '{"error":{"code":"bad-range","message":"to is earlier than from"}}'
test.each([
  [400, 'refused'],
  [401, 'unauthorised'],
  [403, 'unauthorised'],
  [404, 'refused'],
  [422, 'refused'],
])('a refusal is explained: %d lasts', async (code, problem) => {
  const refused = await failure(gives(status(code, body)))
  expect(refused).toMatchObject({
    passing: false,
    status: code,
    body,
    problem: { code: problem, params: { status: code, said: body } },
  })
  expect(refused.problem.message).toContain(`The service answered ${code} to accounting-sync: "${body}".`)
})

test.each([408, 425, 500, 502, 503])('a refusal is explained: %d may pass', async (code) => {
  expect(await failure(gives(status(code, 'try\r\n again \x07')))).toMatchObject({
    passing: true,
    problem: { code: 'server-error', message: expect.stringContaining('"try again"') },
  })
})

test('a refusal is explained: 429 says how long to wait, in seconds or by a date', async () => {
  const limited = (head: string) => failure(gives(status(429, '', head)))
  expect(await limited('Retry-After: 7\r\n')).toMatchObject({
    ...{ passing: true, retryAfterMs: 7_000 },
    problem: { code: 'too-many-requests' },
  })
  const date = new Date(NOW + 90_000).toUTCString()
  expect((await limited(`Retry-After: ${date}\r\n`)).retryAfterMs).toBe(90_000)
  expect((await limited('Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n')).retryAfterMs).toBe(0)
  for (const silent of ['', 'Retry-After: soon\r\n', 'Retry-After: -1\r\n'])
    expect((await limited(silent)).retryAfterMs).toBeNull()
})

test('a refusal is explained: a body that gives the key back does not bring it onto a screen', async () => {
  const echo = `{"message":"unknown key ${JSON.stringify(KEY).slice(1, -1)}"}`
  const refused = await failure(gives(status(401, echo)))
  expect(refused.body).toBe('{"message":"unknown key ***"}')
})

test.each([301, 302, 303, 307, 308])('a redirect (%d) is reported and not followed', async (code) => {
  const other = await rawTarget(gives(json(PAGE)))
  const location = `http://u:p@127.0.0.1:${other.port}/sync?key=1`
  const redirected = await failure(gives(status(code, '', `Location: ${location}\r\n`)))
  expect(redirected).toMatchObject({
    passing: false,
    problem: { code: 'redirected', params: { status: code } },
  })
  expect(redirected.problem.message).toContain(`points to "http://127.0.0.1:${other.port}/sync".`)
  expect(other.connections()).toBe(0)
})

test('no answer: no listener, or a slow answer, may pass; a destination that is refused lasts', async () => {
  const gone = await pageAt('http://127.0.0.1:1')
  expect(gone).toMatchObject({
    failure: { passing: true, status: null, body: null, problem: { code: 'unreachable' } },
  })
  const slow = await failure(() => {}, { timeouts: { ...timeouts, answerMs: 40 } })
  expect(slow).toMatchObject({
    passing: true,
    problem: { code: 'unreachable', params: { code: 'answer-timeout' } },
  })
  const refused = await pageAt('http://169.254.169.254')
  expect(refused).toMatchObject({ failure: { passing: false, problem: { code: 'unreachable' } } })
})

test('no answer: cancelled is neither page nor failure', async () => {
  const controller = new AbortController()
  const { answer } = await asked(() => controller.abort(), {}, {}, PAGE_KEPT, controller.signal)
  expect(answer).toEqual({ cancelled: true })
})

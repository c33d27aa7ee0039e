import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import { acceptSecret, endpointFor, readyRules, secretMatches } from '#receiver/rules.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint, only, rig } from './rig.ts'

const rules = readyRules({
  ...DEFAULT_SETTINGS.receiver,
  endpoints: [
    endpoint({ name: 'a', path: '/a' }),
    endpoint(),
    endpoint({ name: 'a-b', path: '/a/b' }),
    endpoint({ name: 'slash', path: '/s/' }),
    endpoint({ name: 'encoded', path: '/%61' }),
  ],
})

test.each([
  ['/', 'default'],
  ['/a', 'a'],
  ['/a/', 'a'],
  ['/a/x', 'a'],
  ['/a/b', 'a-b'],
  ['/a/b/c', 'a-b'],
  ['/a/bc', 'a'],
  ['/ab', 'default'],
  ['/A', 'default'],
  ['/a?x=/a/b', 'a'],
  ['/a/b?x', 'a-b'],
  ['/a#b', 'a'],
  ['/%61', 'encoded'],
  ['/%61/x', 'encoded'],
  ['/a%2Fb', 'default'],
  ['/s', 'default'],
  ['/s/', 'slash'],
  ['/s/x', 'slash'],
  ['//a', 'default'],
  ['/./a', 'default'],
  ['*', 'default'],
  ['', 'default'],
  ['http://host/a/b?x', 'a-b'],
  ['HTTP://host:1', 'default'],
  ['http://host?/a', 'default'],
  ['host:443', 'default'],
  ['http:/a', 'default'],
])('which endpoint (longest whole-segment prefix of the raw path): %s -> %s', (target, name) => {
  expect(endpointFor(rules, target).name).toBe(name)
})

test('which endpoint a request belongs to: without a default endpoint there still is one', () => {
  expect(endpointFor(readyRules({ ...DEFAULT_SETTINGS.receiver, endpoints: [] }), '/x').name).toBe('default')
})

test('settings apply to the next request, without a restart', async () => {
  const made = await rig()
  expect(await made.statuses(requestBytes('POST', '/a', ''))).toEqual([200])
  const answer = { status: 201, headers: [], body: '', delayMs: 0 }
  const endpoints = [endpoint(), endpoint({ name: 'a', path: '/a', answer })]
  made.rules = { ...made.rules, endpoints }
  expect(await made.statuses(requestBytes('POST', '/a', ''))).toEqual([201])
  expect(made.capture.deliveries.map((d) => d.endpoint)).toEqual(['default', 'a'])
})

test('a disabled endpoint still stores, and answers 404', async () => {
  const { capture, port } = await rig({
    rules: { endpoints: [endpoint(), endpoint({ name: 'off', path: '/off', enabled: false })] },
  })
  const { answers } = await raw({ port }, requestBytes('POST', '/off/x', '{}'))
  expect([answers[0]?.status, answers[0]?.body.length]).toEqual([404, 0])
  expect(only(capture)).toMatchObject({ endpoint: 'off', rejected: false, bodySize: 2 })
})

const guarded = (accepted: string[], part = {}) =>
  endpoint({
    secret: { header: 'X-Webhook-Secret', values: accepted.length === 2 ? 2 : 1 },
    accepted,
    ...part,
  })

test.each<[string, string[], string[], number]>([
  ['right', ['s3cret'], ['X-Webhook-Secret', 's3cret'], 200],
  ['right, name in another case', ['s3cret'], ['x-webhook-SECRET', 's3cret'], 200],
  ['right, twice', ['s3cret'], ['X-Webhook-Secret', 's3cret', 'X-Webhook-Secret', 's3cret'], 200],
  ['missing', ['s3cret'], [], 401],
  ['empty', ['s3cret'], ['X-Webhook-Secret', ''], 401],
  ['wrong first byte', ['s3cret'], ['X-Webhook-Secret', 'x3cret'], 401],
  ['wrong last byte', ['s3cret'], ['X-Webhook-Secret', 's3crex'], 401],
  ['another case', ['s3cret'], ['X-Webhook-Secret', 'S3CRET'], 401],
  ['too long', ['s3cret'], ['X-Webhook-Secret', 's3cret!'], 401],
  ['right and wrong', ['s3cret'], ['X-Webhook-Secret', 's3cret', 'X-Webhook-Secret', 'other'], 401],
  ['under another name', ['s3cret'], ['X-Webhook-Secret-2', 's3cret'], 401],
  ['rotating: the new one', ['new', 'old'], ['X-Webhook-Secret', 'new'], 200],
  ['rotating: the old one', ['new', 'old'], ['X-Webhook-Secret', 'old'], 200],
  ['rotating: both at once', ['new', 'old'], ['X-Webhook-Secret', 'new', 'X-Webhook-Secret', 'old'], 200],
  ['rotating: neither', ['new', 'old'], ['X-Webhook-Secret', 'older'], 401],
  ['the value is lost: nobody gets in', [], ['X-Webhook-Secret', ''], 401],
  ['beyond ASCII, as latin-1', ['ñandú'], ['X-Webhook-Secret', 'ñandú'], 200],
  ['beyond ASCII, as UTF-8', ['ñandú'], ['X-Webhook-Secret', Buffer.from('ñandú').toString('latin1')], 200],
  ['beyond latin-1 is not cut to a byte', ['\u0141'], ['X-Webhook-Secret', 'A'], 401],
])('the secret header (Authentication 1; reliability, 6): %s', async (_case, accepted, headers, status) => {
  const { statuses, capture } = await rig({ rules: { endpoints: [guarded(accepted)] } })
  expect(await statuses(requestBytes('POST', '/', '{"a":1}', headers))).toEqual([status])
  expect(capture.deliveries.map((d) => [d.rejected, d.bodySize, d.answer?.status])).toEqual([
    [status === 401, 7, status],
  ])
})

test('the secret header: the 401 is byte for byte the same for every failure, and says nothing', async () => {
  const { port } = await rig({
    rules: { endpoints: [guarded(['s3cret']), guarded(['t'], { name: 'b', path: '/b' })] },
  })
  const seen = new Set<string>()
  for (const [path, headers] of [
    ['/', []],
    ['/', ['X-Webhook-Secret', 'no']],
    ['/b/x', ['X-Webhook-Secret', '']],
  ] as const) {
    const [answer] = (await raw({ port }, requestBytes('POST', path, '{}', headers))).answers
    const told = answer?.headers.filter((_, i, all) => all[i - (i % 2)] !== 'Date')
    seen.add(`${answer?.status} ${answer?.body} ${told}`)
  }
  expect(seen.size).toBe(1)
  expect([...seen][0]).not.toContain('Secret')
})

test('the secret header: a 401 comes after storing: what cannot be stored is a 503', async () => {
  const { statuses, capture } = await rig({ rules: { endpoints: [guarded(['s'])] } })
  capture.failure = new Error('full')
  expect(await statuses(requestBytes('POST', '/', '{}'))).toEqual([503])
})

test('the secret header: always as many digests, however many values are accepted', () => {
  for (const accepted of [[], ['a'], ['a', 'b'], ['ñ', '€']])
    expect(acceptSecret('X', accepted).digests.length).toBe(4)
  expect(secretMatches(acceptSecret('X', ['a', 'b']), ['x', 'b'])).toBe(true)
})

const body = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, i) => 97 + (i % 25))).toString()

test.each([
  ['without the secret only its beginning is kept, and its whole size told', [], 401, 1_048_576],
  ['with the secret all of it is', ['X-Webhook-Secret', 's'], 200, body.length],
] as const)('the body of a rejected delivery: %s', async (_case, headers, status, kept) => {
  const { statuses, capture } = await rig({ rules: { endpoints: [guarded(['s'])] } })
  expect(await statuses(requestBytes('POST', '/', body, [...headers]))).toEqual([status])
  const [delivery] = capture.deliveries
  expect(delivery?.bodySize).toBe(body.length)
  expect(delivery && capture.bytes(delivery.body).toString() === body.slice(0, kept)).toBe(true)
  expect(capture.uploads.size).toBe(status === 200 ? 1 : 0)
})

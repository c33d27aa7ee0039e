import { describe, expect, test } from 'vitest'
import { acceptSecret, secretMatches } from '#receiver/rules.ts'
import { raw, requestBytes } from '../../support/raw-client.ts'
import { endpoint } from './endpoint.ts'
import { rig } from './rig.ts'

const guarded = (accepted: string[], part = {}) =>
  endpoint({
    secret: { header: 'X-Webhook-Secret', values: accepted.length === 2 ? 2 : 1 },
    accepted,
    ...part,
  })

describe('the secret header (Authentication, rule 1; reliability, section 6)', () => {
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
    ['beyond ASCII, sent as latin-1', ['ñandú'], ['X-Webhook-Secret', 'ñandú'], 200],
    [
      'beyond ASCII, sent as UTF-8',
      ['ñandú'],
      ['X-Webhook-Secret', Buffer.from('ñandú').toString('latin1')],
      200,
    ],
    ['beyond latin-1 is not cut to a byte', ['\u0141'], ['X-Webhook-Secret', 'A'], 401],
  ])('%s', async (_case, accepted, headers, status) => {
    const { capture, port } = await rig({ rules: { endpoints: [guarded(accepted)] } })
    const { answers } = await raw({ port }, requestBytes('POST', '/', '{"a":1}', headers))
    expect(answers[0]?.status).toBe(status)
    expect(capture.deliveries.map((d) => [d.rejected, d.bodySize, d.answer?.status])).toEqual([
      [status === 401, 7, status],
    ])
  })

  test('the 401 is byte for byte the same for every failure, and says nothing', async () => {
    const { port } = await rig({
      rules: { endpoints: [guarded(['s3cret']), guarded(['t'], { name: 'b', path: '/b' })] },
    })
    const seen = new Set<string>()
    for (const [path, headers] of [
      ['/', []],
      ['/', ['X-Webhook-Secret', 'no']],
      ['/b/x', ['X-Webhook-Secret', '']],
    ] as const) {
      const { answers } = await raw({ port }, requestBytes('POST', path, '{}', headers))
      seen.add(
        `${answers[0]?.status} ${answers[0]?.body} ${answers[0]?.headers.filter((_, i, all) => all[i - (i % 2)] !== 'Date')}`,
      )
    }
    expect(seen.size).toBe(1)
    expect([...seen][0]).not.toContain('Secret')
  })

  test('a 401 comes after storing: what cannot be stored is a 503', async () => {
    const { capture, port } = await rig({ rules: { endpoints: [guarded(['s'])] } })
    capture.failure = new Error('full')
    expect((await raw({ port }, requestBytes('POST', '/', '{}'))).answers[0]?.status).toBe(503)
  })

  test('always as many digests, however many values are accepted', () => {
    for (const accepted of [[], ['a'], ['a', 'b'], ['ñ', '€']])
      expect(acceptSecret('X', accepted).digests.length).toBe(4)
    expect(secretMatches(acceptSecret('X', ['a', 'b']), ['x', 'b'])).toBe(true)
  })
})

describe('the body of a rejected delivery', () => {
  const body = Buffer.from(Array.from({ length: 3 * 1024 * 1024 }, (_, i) => 97 + (i % 25))).toString()

  test.each([
    ['without the secret only its beginning is kept, and its whole size told', [], 401, 1_048_576],
    ['with the secret all of it is', ['X-Webhook-Secret', 's'], 200, body.length],
  ] as const)('%s', async (_case, headers, status, kept) => {
    const { capture, port } = await rig({ rules: { endpoints: [guarded(['s'])] } })
    const { answers } = await raw({ port }, requestBytes('POST', '/', body, [...headers]))
    expect(answers[0]?.status).toBe(status)
    const [delivery] = capture.deliveries
    expect(delivery?.bodySize).toBe(body.length)
    expect(delivery && capture.bytes(delivery.body).toString() === body.slice(0, kept)).toBe(true)
    expect(capture.uploads.size).toBe(status === 200 ? 1 : 0)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Edit } from '#contract/replay.ts'
import { REPLAY_HEADER } from '#contract/values.ts'
import type { CapturedRequest } from '#core/replay/ports.ts'
import { bodyOf, buildRequest, type RequestParts, typedTarget } from '#core/replay/request.ts'
import type { ResolvedTarget } from '#core/targets.ts'
import { forAll } from '../../../support/for-all.ts'

const NO_SECRETS: ReadonlySet<string> = new Set()
const URL_OF_TARGET = 'http://app.test:3000/in'

function captured(change: Partial<CapturedRequest> = {}): CapturedRequest {
  return {
    id: 9,
    receivedAt: 0,
    method: 'POST',
    url: '/hook',
    headers: ['Host', 'acuse.test', 'X-A', '1', 'Content-Length', '2'],
    body: bodyOf(Buffer.from('{}')),
    ...change,
  }
}
const target = (change: Partial<ResolvedTarget> = {}): ResolvedTarget => ({
  ...typedTarget(URL_OF_TARGET),
  markReplays: false,
  ...change,
})
const built = (parts: Partial<RequestParts> = {}) =>
  buildRequest({ captured: captured(), target: target(), attemptId: 5, secretHeaders: NO_SECRETS, ...parts })
const withHeaders = (headers: readonly string[], change: Partial<ResolvedTarget> = {}) =>
  built({ captured: captured({ headers }), target: target(change) }).headers
const header = (name: string, value: string, secret = false) => ({ name, value, secret })

test.each<[url: string, path: 'target' | 'append', query: 'target' | 'append', came: string, gives: string]>([
  ['http://t', 'target', 'append', '/hook?a=1', 'http://t/?a=1'],
  ['http://t/', 'target', 'target', '/hook?a=1', 'http://t/'],
  ['http://t/in', 'target', 'append', '/hook', 'http://t/in'],
  ['http://t/in?k=v', 'target', 'append', '/hook?a=1&a=2', 'http://t/in?k=v&a=1&a=2'],
  ['http://t/in?k=v', 'target', 'target', '/hook?a=1', 'http://t/in?k=v'],
  ['http://t/in?k=v', 'target', 'append', '/hook?', 'http://t/in?k=v'],
  ['http://t/in', 'target', 'append', '/hook?', 'http://t/in?'],
  ['http://t/in?', 'target', 'append', '/hook?a', 'http://t/in?a'],
  ['http://t?k=v', 'target', 'append', '/hook', 'http://t/?k=v'],
  ['http://t/in#part', 'append', 'append', '/hook', 'http://t/in/hook'],
  ['http://t/in/', 'append', 'append', '/hook//x/../%zz?q?q', 'http://t/in/hook//x/../%zz?q?q'],
  ['http://t', 'append', 'append', '//double', 'http://t//double'],
  ['http://t/in', 'append', 'append', '*', 'http://t/in'],
  ['http://t', 'append', 'append', '*', 'http://t/'],
  ['http://t/in', 'append', 'append', 'http://acuse.test:80/hook?x', 'http://t/in/hook?x'],
  ['http://t/in', 'append', 'append', 'HTTPS://acuse.test?x', 'http://t/in?x'],
  ['http://t/in', 'append', 'append', '/\xe9?\xff', 'http://t/in/\xe9?\xff'],
  ['http://t/a b/ñ?é="', 'target', 'append', '/', 'http://t/a%20b/%C3%B1?%C3%A9="'],
  ['http://t/%zz/../x', 'target', 'append', '/', 'http://t/%zz/../x'],
  [' https://T:443/x ', 'target', 'append', '/', 'https://T:443/x'],
  ['no url', 'target', 'append', '/', 'no url/'],
])(
  'the URL by the policies of the target: %s, path %s, query %s, came by %s: %s',
  (url, path, query, came, gives) =>
    expect(built({ captured: captured({ url: came }), target: target({ url, path, query }) }).url).toBe(
      gives,
    ),
)

test.each([
  ['http://app.test/x', 'app.test'],
  ['http://app.test:80/', 'app.test'],
  ['https://app.test:443', 'app.test'],
  ['https://app.test:80/', 'app.test:80'],
  ['http://ÑANDÚ.test:8080/', 'xn--and-6ma2c.test:8080'],
  ['http://[0:0::1]:3000/', '[::1]:3000'],
  ['http://0x7f.1:3000/', '127.0.0.1:3000'],
])('the URL by the policies of the target: of %s the Host is %s', (url, host) =>
  expect(built({ target: target({ url }) }).headers.slice(0, 2)).toEqual(['Host', host]),
)

test.each<[came: string, own: string | null, edited: string | undefined, goes: string]>([
  ['PUT', null, undefined, 'PUT'],
  ['PUT', 'PATCH', undefined, 'PATCH'],
  ['PUT', 'PATCH', 'DELETE', 'DELETE'],
  ['PUT', null, 'post', 'POST'],
])('the method: came %s, target %s, edit %s: %s', (method, own, edited, goes) => {
  const edit: Edit = edited === undefined ? {} : { method: edited }
  expect(built({ captured: captured({ method }), target: target({ method: own }), edit }).method).toBe(goes)
})

/** `Name value; Name value` as a flat list. */
const flat = (text: string): string[] =>
  text.split('; ').flatMap((one) => [one.split(' ', 1)[0] ?? '', one.split(' ').slice(1).join(' ')])

const HOST = 'Host app.test:3000'
test.each<[does: string, came: string, gives: string, change?: Partial<ResolvedTarget>]>([
  [
    'the target removes, replaces in place, adds; all of a name in the place of its first',
    'Host x; X-Other a; x-b 1; Gone 1; X-B 2; gone 2; Content-Length 2',
    `${HOST}; X-Other a; X-B one; X-b two; Content-Length 2; X-New n`,
    {
      remove: ['GONE', 'Never-There'],
      headers: [header('X-B', 'one'), header('X-New', 'n'), header('X-b', 'two')],
    },
  ],
  [
    'removed and given again is added at the end',
    'Host x; A 1; B 2',
    `${HOST}; B 2; Content-Length 2; A 3`,
    { remove: ['a'], headers: [header('A', '3')] },
  ],
  [
    'Host can be set; it and the framing can neither be removed nor made wrong',
    'Content-Length 2; hOST x',
    'Content-Length 2; hOST virtual.test',
    {
      remove: ['host', 'content-length'],
      headers: [
        ...[header('Host', 'virtual.test'), header('Content-Length', '7'), header('Connection', 'close')],
        ...[header('Transfer-Encoding', 'chunked'), header('Expect', '100-continue')],
      ],
    },
  ],
])('headers: %s', (_, came, gives, change) => expect(withHeaders(flat(came), change)).toEqual(flat(gives)))

test('headers: extra ones take the place of the target’s', () => {
  const parts = {
    target: target({ headers: [header('X-A', 'target'), header('X-Key', 'k', true)] }),
    extra: [['x-a', 'extra'] as const, ['X-Add', ''] as const, ['x-KEY', 'mine'] as const],
  }
  const { headers, secretNames } = built(parts)
  expect(headers).toEqual(flat(`${HOST}; x-a extra; Content-Length 2; X-Add ; x-KEY mine`))
  // A header typed for this replay replaces the target's secret, so it is no secret.
  expect([secretNames, built({ ...parts, extra: undefined }).secretNames]).toEqual([[], ['x-key']])
})

const headers = [
  ...['Host', 'x', 'X-SECRET', 's3cret', 'COOKIE', 'a=1', 'authorization', 'Basic Zm9v', 'Cookie', 'b=2'],
  ...['A', '1'],
]
const toTarget = (change: Partial<ResolvedTarget>, edit?: Edit) =>
  built({
    ...{ captured: captured({ headers }), target: target({ url: 'https://app.test/', ...change }), edit },
    secretHeaders: new Set(['x-secret']),
  })
const sent = (change: Partial<ResolvedTarget>, edit?: Edit) =>
  toTarget(change, edit).headers.filter((text) => /^(?:s3cret|[ab]=|Basic|Bearer|theirs)/.test(text))

test.each<[to: string, change: Partial<ResolvedTarget>, goes: readonly string[]]>([
  ...['http://localhost:3000/', 'http://127.0.0.1/', 'https://[::1]/'].map(
    (url) => [url, { url }, ['s3cret', 'a=1', 'Basic Zm9v', 'b=2']] as [string, object, string[]],
  ),
  ...['https://app.test/', 'http://192.168.0.2/', 'no url'].map(
    (url) => [url, { url }, []] as [string, object, string[]],
  ),
  ['one that keeps the secret', { keepSecret: true }, ['s3cret']],
  ['one that keeps credentials', { keepCredentials: true }, ['a=1', 'Basic Zm9v', 'b=2']],
  [
    'one with values of its own',
    { headers: [header('X-Secret', 'theirs', true), header('Authorization', 'Bearer mine', true)] },
    ['theirs', 'Bearer mine'],
  ],
])(
  'the secret header of the endpoints, and the delivery’s own credentials: to %s: %j sends %j',
  (_, change, goes) => expect(sent(change)).toEqual(goes),
)

test('the secret header of the endpoints, and the delivery’s own credentials: are held back from an edited copy too, but not what a person typed in their place', () => {
  const edit = (authorization: string): Edit => ({
    headers: [...([['Authorization', authorization]] as const), ['X-Secret', 's3cret'], ['Cookie', 'b=2']],
  })
  expect([sent({}, edit('Basic Zm9v')), sent({}, edit('Bearer mine'))]).toEqual([[], ['Bearer mine']])
})

test('the secret header of the endpoints, and the delivery’s own credentials: a value of the target stands in their place, and is a secret', () => {
  const { headers: all, secretNames } = toTarget({ headers: [header('X-Secret', 'theirs', true)] })
  expect(all).toEqual(['Host', 'app.test', 'X-Secret', 'theirs', 'A', '1', 'Content-Length', '2'])
  expect(secretNames).toEqual(['x-secret'])
})

test('an edited copy: takes what was edited and leaves the rest as received', () => {
  const original = captured({ headers: ['Host', 'x', 'A', '1', 'Content-Length', '2'] })
  const headers = [['A', '2'] as const, ['a', '3'] as const]
  const edit: Edit = { url: '/other?x', headers, bodyBase64: Buffer.from([0, 255, 10]).toString('base64') }
  const sent = built({ captured: original, edit, target: target({ path: 'append' }) })
  expect(sent).toMatchObject({ method: 'POST', url: `${URL_OF_TARGET}/other?x` })
  expect(sent.headers).toEqual(['Host', 'app.test:3000', 'A', '2', 'a', '3', 'Content-Length', '3'])
  expect([...sent.body.pieces()].map((piece) => [...piece])).toEqual([[0, 255, 10]])
  expect(sent.editedBody).toEqual(Uint8Array.of(0, 255, 10))
  const put = built({ captured: original, edit: { method: 'PUT' } })
  expect(put).toMatchObject({ method: 'PUT', body: original.body, editedBody: null })
  expect(original.headers).toEqual(['Host', 'x', 'A', '1', 'Content-Length', '2'])
})

test('an edited copy: can have an empty body', () => {
  const sent = built({ edit: { bodyBase64: '' } })
  expect(sent).toMatchObject({ body: { size: 0 }, editedBody: new Uint8Array() })
  expect(sent.headers).toContain('0')
})

describe('for any list of headers', () => {
  const HOP =
    'connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer transfer-encoding upgrade expect'.split(
      ' ',
    )
  const anyName = fc.oneof(
    fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
    fc.constantFrom(...HOP, 'Host', 'HOST', 'Content-Length', 'content-length'),
    fc.constantFrom('X-A', 'x-a', 'X-Acuse-Replay'),
  )
  const anyValue = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,20}$/)
  const anyList = fc.array(fc.tuple(anyName, anyValue), { maxLength: 20 })
  const pairs = (list: readonly string[]) =>
    list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1] ?? ''] as const] : []))
  const named = (list: readonly string[], name: string) =>
    pairs(list).filter((pair) => pair[0].toLowerCase() === name)

  test('Host stands once and is the target’s; the framing is right; the mark is last', () =>
    forAll(100, [anyList, fc.nat(3)], (list, size) => {
      const headers = list.flat()
      const sent = built({
        captured: captured({ headers, body: bodyOf(new Uint8Array(size)) }),
        target: target({ markReplays: true }),
      }).headers
      expect(named(sent, 'host').map(([, value]) => value)).toEqual(['app.test:3000'])
      expect(named(sent, 'transfer-encoding')).toEqual([])
      const lengths = named(sent, 'content-length').map(([, value]) => value)
      const framed = named(headers, 'content-length').length + named(headers, 'transfer-encoding').length > 0
      expect(lengths).toEqual(size > 0 || framed ? [String(size)] : [])
      expect(sent.slice(-2)).toEqual([REPLAY_HEADER, '5'])
      expect(named(sent, 'x-acuse-replay')).toHaveLength(1)
    }))

  test('no other header is lost, changed or moved', () =>
    forAll(100, [anyList], (list) => {
      const headers = list.flat()
      const nominated = named(headers, 'connection').flatMap(([, value]) =>
        value.split(',').map((one) => one.trim().toLowerCase()),
      )
      const own = new Set([...HOP, ...nominated, 'host', 'content-length'])
      const others = (flat: readonly string[]) => pairs(flat).filter(([name]) => !own.has(name.toLowerCase()))
      expect(others(withHeaders(headers))).toEqual(others(headers))
    }))

  test('with what a target removes and sets, the rest keeps its order and each set value goes out once', () =>
    forAll(100, [anyList, anyList, fc.array(anyName, { maxLength: 3 })], (list, set, remove) => {
      const change = { remove, headers: set.map(([name, value]) => header(name, value)) }
      const sent = withHeaders(list.flat(), change)
      const names = [...HOP, ...remove, ...set.map(([name]) => name), 'host', 'content-length']
      const touched = new Set(names.map((name) => name.toLowerCase()))
      for (const name of touched) {
        if (name === 'host' || name === 'content-length') continue
        const wanted = HOP.includes(name) ? [] : set.filter((pair) => pair[0].toLowerCase() === name)
        expect(named(sent, name)).toEqual(wanted)
      }
      const plain = withHeaders(list.flat())
      const rest = (flat: readonly string[]) =>
        pairs(flat).filter(([name]) => !touched.has(name.toLowerCase()))
      expect(rest(sent)).toEqual(rest(plain))
    }))
})

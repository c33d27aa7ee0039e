import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeHeader, decodeTarget } from '@/shared/headers/header-list.tsx'
import { forAll } from '../../../../support/for-all.ts'

const b64 = (text: string) => Buffer.from(text, 'utf8').toString('base64url')

test.each([
  [
    'Content-Type',
    'Application/JSON; charset="utf-8"; q=1',
    [{ as: 'media-type', text: 'application/json · charset = utf-8 · q = 1' }],
  ],
  ['Content-Type', 'application/json', []],
  // RFC 8187.
  [
    'Content-Disposition',
    "attachment; filename*=UTF-8''factura%20%C3%B1.xml",
    [{ as: 'media-type', text: 'attachment · filename = factura ñ.xml' }],
  ],
  // RFC 2047: encoded words are joined, in both encodings.
  [
    'X-Name',
    '=?utf-8?B?RmVycmV0ZXLDrWE=?= =?ISO-8859-1?Q?_Le=F3n?=',
    [{ as: 'encoded-words', text: 'Ferretería León' }],
  ],
  ['X-Name', '=?nope?B?AAAA?=', []],
  ['Date', 'Sat, 21 Nov 2026 16:00:00 GMT', [{ as: 'instant', at: Date.UTC(2026, 10, 21, 16) }]],
  ['Retry-After', '120', []],
  ['Authorization', `Basic ${btoa('ana:clave')}`, [{ as: 'basic', text: 'ana:clave' }]],
  [
    'authorization',
    `Bearer ${b64('{"alg":"RS256"}')}.${b64('{"sub":"ñ"}')}.x-_y`,
    [
      { as: 'jwt-header', text: '{"alg":"RS256"}' },
      { as: 'jwt-claims', text: '{"sub":"ñ"}' },
    ],
  ],
  ['Authorization', 'Bearer a.b.c', []],
  ['X-Party', Buffer.from('Café').toString('latin1'), [{ as: 'utf-8', text: 'Café' }]],
  ['X-Party', 'caf\xe9', []],
  ['Referer', 'http://a/%C3%B1?q=a%20b', [{ as: 'percent', text: 'http://a/ñ?q=a b' }]],
] as const)('%s: %s is told in a form that people read', (name, value, decoded) =>
  expect(decodeHeader(name, value)).toEqual(decoded),
)

test.each([
  ['/erp?x=%E2%82%AC', '/erp?x=€'],
  ['/erp?x=%FF', undefined],
  ['/plain', undefined],
])('the target %s means %s', (target, decoded) => expect(decodeTarget(target)).toBe(decoded))

test('never throws, whatever the value', () => {
  const names = ['content-type', 'content-disposition', 'date', 'authorization', 'referer', 'x']
  const heads = ['', 'Basic ', 'Bearer ', '=?utf-8?q?', 'a; b*=']
  forAll(100, [fc.constantFrom(...names), fc.string(), fc.constantFrom(...heads)], (name, value, head) =>
    expect(Array.isArray(decodeHeader(name, head + value))).toBe(true),
  )
})

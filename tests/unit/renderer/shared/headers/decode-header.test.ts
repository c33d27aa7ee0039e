import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeHeader, decodeTarget } from '@/shared/headers/header-list.tsx'

const b64 = (text: string) => Buffer.from(text, 'utf8').toString('base64url')

describe('header values in a form that people read', () => {
  test('a media type tells its parameters, and nothing when it has none', () => {
    expect(decodeHeader('Content-Type', 'Application/JSON; charset="utf-8"; q=1')).toEqual([
      {
        as: 'media-type',
        type: 'application/json',
        parameters: [
          { name: 'charset', value: 'utf-8' },
          { name: 'q', value: '1' },
        ],
      },
    ])
    expect(decodeHeader('Content-Type', 'application/json')).toEqual([])
  })
  test('an extended parameter is decoded with its charset (RFC 8187)', () => {
    expect(decodeHeader('Content-Disposition', "attachment; filename*=UTF-8''factura%20%C3%B1.xml")).toEqual([
      { as: 'media-type', type: 'attachment', parameters: [{ name: 'filename', value: 'factura ñ.xml' }] },
    ])
  })
  test('encoded words are joined and decoded, by either encoding (RFC 2047)', () => {
    expect(decodeHeader('X-Name', '=?utf-8?B?RmVycmV0ZXLDrWE=?= =?ISO-8859-1?Q?_Le=F3n?=')).toEqual([
      { as: 'encoded-words', text: 'Ferretería León' },
    ])
    expect(decodeHeader('X-Name', '=?nope?B?AAAA?=')).toEqual([])
  })
  test('dates become instants, numbers of seconds do not', () => {
    expect(decodeHeader('Date', 'Sat, 21 Nov 2026 16:00:00 GMT')).toEqual([
      { as: 'instant', at: Date.UTC(2026, 10, 21, 16) },
    ])
    expect(decodeHeader('Retry-After', '120')).toEqual([])
  })
  test('Basic tells user and password, Bearer the unverified parts of a token', () => {
    expect(decodeHeader('Authorization', `Basic ${Buffer.from('ana:clave').toString('base64')}`)).toEqual([
      { as: 'basic', text: 'ana:clave' },
    ])
    expect(
      decodeHeader('authorization', `Bearer ${b64('{"alg":"RS256"}')}.${b64('{"sub":"ñ"}')}.x-_y`),
    ).toEqual([
      { as: 'jwt-header', text: '{"alg":"RS256"}' },
      { as: 'jwt-claims', text: '{"sub":"ñ"}' },
    ])
    expect(decodeHeader('Authorization', 'Bearer a.b.c')).toEqual([])
  })
  test('UTF-8 that came as bytes, and percent encoding in addresses', () => {
    expect(decodeHeader('X-Party', Buffer.from('Café').toString('latin1'))).toEqual([
      { as: 'utf-8', text: 'Café' },
    ])
    expect(decodeHeader('X-Party', 'caf\xe9')).toEqual([])
    expect(decodeHeader('Referer', 'http://a/%C3%B1?q=a%20b')).toEqual([
      { as: 'percent', text: 'http://a/ñ?q=a b' },
    ])
    expect(decodeTarget('/erp?x=%E2%82%AC')).toBe('/erp?x=€')
    expect(decodeTarget('/erp?x=%FF')).toBeUndefined()
    expect(decodeTarget('/plain')).toBeUndefined()
  })
  test('never throws, whatever the value', () => {
    const names = fc.constantFrom(
      'content-type',
      'content-disposition',
      'date',
      'authorization',
      'referer',
      'x',
    )
    fc.assert(
      fc.property(
        names,
        fc.string(),
        fc.constantFrom('', 'Basic ', 'Bearer ', '=?utf-8?q?', 'a; b*='),
        (name, value, head) => {
          expect(Array.isArray(decodeHeader(name, head + value))).toBe(true)
        },
      ),
    )
  })
})

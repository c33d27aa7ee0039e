import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memberBytes } from '#sandbox/routes/json-span.ts'

const span = (text: string) => memberBytes(Buffer.from(text), 'data')?.toString()

describe('the bytes of data are found as they stand (plugins/events: forwarded unchanged)', () => {
  const cases: readonly (readonly [body: string, data: string | undefined])[] = [
    ['{"data":{}}', '{}'],
    ['{"eventType":"x","data": { "a" : 1.10 , "b":[1e5,"}"]} }', '{ "a" : 1.10 , "b":[1e5,"}"]}'],
    ['\n {\t"data"\r\n:\n{"é":"\\u00e9"}\n,"z":0}', '{"é":"\\u00e9"}'],
    ['{"d\\u0061ta":{"a":1}}', '{"a":1}'],
    ['{"data":{"a":1},"data":{"a":2}}', '{"a":2}'],
    ['{"x":{"data":{"no":1}},"y":"\\"data\\":{}"}', undefined],
    ['{"x":"\\\\","data":{"q":"\\\\\\""}}', '{"q":"\\\\\\""}'],
    ['{"n":-1.5e+3,"t":true,"z":null,"data":12345678901234567890}', '12345678901234567890'],
    ['{}', undefined],
  ]
  for (const [body, data] of cases) test(body, () => expect(span(body)).toBe(data))

  test('whatever the JSON, the found text is that member’s', () => {
    const content = fc.dictionary(fc.oneof(fc.constant('data'), fc.string()), fc.jsonValue())
    fc.assert(
      fc.property(content, fc.nat(3), (object, spaces) => {
        const found = memberBytes(Buffer.from(JSON.stringify(object, null, spaces)), 'data')
        const expected: unknown = Object.hasOwn(object, 'data') ? object.data : undefined
        expect(found === undefined ? undefined : JSON.parse(found.toString())).toEqual(
          expected === undefined ? undefined : JSON.parse(JSON.stringify(expected)),
        )
      }),
    )
  })
})

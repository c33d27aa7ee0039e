import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withJsonAt } from '#core/json/pointer.ts'
import { forAll } from '../../../support/for-all.ts'

test.each([
  [
    '/data/StatusId',
    '8.50',
    '{"data": {"StatusId": 5, "Due":10.50}}',
    '{"data": {"StatusId": 8.50, "Due":10.50}}',
  ],
  ['/data/New', '"ñ"', '{"data":{"a":1.00}}', '{"data":{"a":1.00,"New":"ñ"}}'],
  ['/data/New', 'null', '{"data":{ }}', '{"data":{ "New":null}}'],
  ['/list/1', '[]', '{"list":[1,2,3]}', '{"list":[1,[],3]}'],
  ['/list/-', '4', '{"list":[1]}', '{"list":[1,4]}'],
  ['/a~1b', '2', '{"a/b":1,"a/b":1}', '{"a/b":1,"a/b":2}'],
  ['', '{"a":1}', '[]', '{"a":1}'],
  ['/list/7', '4', '{"list":[1]}', null],
  ['/none/x', '4', '{}', null],
  ['/a', '4', 'no json', null],
])('%s is set to %s, and nothing else changes', (pointer, json, text, expected) =>
  expect(withJsonAt(text, pointer, json)).toBe(expected),
)

test('the result is what JSON.parse would have with that member', () =>
  forAll(
    200,
    [
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue()),
      fc.stringMatching(/^[a-z]{1,5}$/),
      fc.jsonValue(),
    ],
    (object, name, value) => {
      const edited = withJsonAt(JSON.stringify(object, null, 1), `/${name}`, JSON.stringify(value))
      expect(JSON.parse(edited ?? '')).toEqual(JSON.parse(JSON.stringify({ ...object, [name]: value })))
    },
  ))

import { expect, test } from 'vitest'
import { checkData } from '../../../../../../renderer/src/features/settings/plugins/compose.tsx'

test('data is optional: nothing but white space is none (Endpoints, plugins/events)', () => {
  for (const text of ['', ' ', '\n\t ']) expect(checkData(text)).toEqual({ is: 'none' })
})

test('an object is taken as it stands, with its size in bytes', () => {
  expect(checkData('{"monto": 1.50, "ñ": {}}')).toEqual({ is: 'object', bytes: 25 })
  expect(checkData(' {} ')).toEqual({ is: 'object', bytes: 4 })
})

test.each([
  ['[]', 1, 1],
  ['\n  "text"', 2, 3],
  ['12.50', 1, 1],
  ['null', 1, 1],
])('%j is JSON and no object: said where it begins', (text, line, column) => {
  expect(checkData(text)).toEqual({ is: 'no-object', place: { line, column } })
})

test.each([
  ['{"a": 1,\n "b": }', 'unexpected', 2, 7, '}'],
  ['{"a": 01}', 'unexpected', 1, 8, '1'],
  ['{"a":', 'end', 1, 6, ''],
  ['{} {}', 'trailing', 1, 4, '{'],
])('%j is no JSON: line and column are said', (text, reason, line, column, found) => {
  expect(checkData(text)).toEqual({ is: 'no-json', reason, place: { line, column }, found })
})

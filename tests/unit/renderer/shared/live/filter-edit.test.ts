import { expect, test } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { termOf } from '@/shared/deliveries/value-actions.ts'
import { asValue, narrowed, pathOf, valuesOf, without } from '@/shared/live/filter-edit.ts'

test.each(['-verdict:valid', '(verdict:valid or doc:4)', 'verdict:valid or doc:4', '"verdict:valid"'])(
  'in %s the condition means something else and is not touched',
  (text) => expect(without(text, 'verdict')).toBe(text),
)

test('a condition is added once, takes the place of its opposite, and holds for all that an “or” selects', () => {
  expect(narrowed('', 'kind:gasto.created')).toBe('kind:gasto.created')
  expect(narrowed('x -is:late kind:a', 'is:late')).toBe('x kind:a is:late')
  expect(narrowed('is:late "a b"', '-is:late')).toBe('"a b" -is:late')
  expect(narrowed('x size:>3', 'size:>3')).toBe('x size:>3')
  expect(narrowed('is:late or x', '-verdict:valid')).toBe('(is:late or x) -verdict:valid')
  expect(narrowed('(a b) c', 'd')).toBe('((a b) c) d')
})

test('places and values of a body are written as the filter reads them back', () => {
  for (const [pointer, path] of [
    ['/data/Lines/0/ñ-1', '$.data.Lines[0].ñ-1'],
    ['/data/Lines/*/a b', '$.data.Lines[*]["a b"]'],
    ['/a~1b~0"\\', '$["a/b~\\"\\\\"]'],
  ] as const)
    expect(pathOf(pointer)).toBe(path)
  for (const text of ['E310000000001', 'a"b\\c', '-1', 'x, y', '3..4']) {
    const parsed = parseFilter(termOf('/data/A', { type: 'string', text }) ?? '')
    expect(parsed).toMatchObject({ ok: true })
    expect(valuesOf(`party:${asValue(text)}`, 'party')).toEqual([text.toLowerCase()])
  }
  expect(termOf('/data/A', { type: 'number', text: '1.50' })).toBe('$.data.A:1.50')
  expect(termOf('/data/A', { type: 'string', text: '' })).toBeNull()
  expect(termOf('/data', { type: 'object', text: '{}' })).toBeNull()
  expect(termOf('/a', { type: 'string', text: 'x'.repeat(201) })).toBeNull()
})

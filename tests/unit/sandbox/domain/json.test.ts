import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, withValueAt, writeJson } from '../../../../src/sandbox/domain/json.ts'
import { Refusal } from '../../../../src/sandbox/domain/refusal.ts'

describe('JSON text of the sandbox', () => {
  it('is what JSON.stringify writes, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeJson(value)).toBe(JSON.stringify(value))
      }),
    )
  })
  it('keeps the digits of decimals', () => {
    expect(writeJson({ a: [decimal(100), decimal(-5)] })).toBe('{"a":[1.00,-0.05]}')
  })
  it('keeps a member called __proto__', () => {
    expect(writeJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
  })
  it.each([
    ['a number that JSON has not', Number.NaN],
    ['undefined', [undefined]],
    ['a function', { f: () => 0 }],
    ['a big integer', 10n],
  ])('refuses %s with a sentence', (_, value) => expect(() => writeJson(value)).toThrow(Refusal))
  it('refuses what is nested too deeply instead of running out of stack', () => {
    let deep: unknown = []
    for (let level = 0; level < 200_000; level++) deep = [deep]
    expect(() => writeJson(deep)).toThrow(/nested too deeply/)
  })
})

describe('a value put at a JSON pointer (RFC 6901)', () => {
  const event = { Event: 'factura.created', data: { Lines: [{ Code: 'A' }], 'a/b': 1, 'm~n': 2 } }
  const put = (pointer: string, value: unknown): string => writeJson(withValueAt(event, pointer, value))

  it('replaces, adds, appends and escapes', () => {
    expect(put('/Event', 'x')).toContain('"Event":"x"')
    expect(put('/data/New', null)).toContain('"New":null')
    expect(put('/data/Lines/0/Code', 'B')).toContain('"Lines":[{"Code":"B"}]')
    expect(put('/data/Lines/-', 7)).toContain('"Lines":[{"Code":"A"},7]')
    expect(put('/data/a~1b', 3)).toContain('"a/b":3')
    expect(put('/data/m~0n', 4)).toContain('"m~n":4')
    expect(put('', [1])).toBe('[1]')
  })
  it('leaves the value it was given as it was', () => {
    const before = JSON.stringify(event)
    put('/data/Lines/0/Code', 'B')
    expect(JSON.stringify(event)).toBe(before)
  })
  it('sets __proto__ as data', () => {
    expect(put('/data/__proto__', 1)).toContain('"__proto__":1')
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })
  it.each([
    'data',
    '/nowhere/at/all',
    '/data/Lines/5',
    '/data/Lines/01/Code',
    '/Event/x',
    '/a~2',
    '/data/constructor/name',
  ])('refuses %s with a sentence', (pointer) => expect(() => put(pointer, 1)).toThrow(Refusal))
})

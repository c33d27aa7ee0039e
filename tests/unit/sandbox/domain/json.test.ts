import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as json from '#sandbox/domain/json.ts'
import { Refusal } from '#sandbox/domain/refusal.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

describe('JSON text of the sandbox', () => {
  it('is what JSON.stringify writes, for any JSON value', () =>
    forAll(100, [fc.jsonValue()], (value) => expect(json.writeJson(value)).toBe(JSON.stringify(value))))
  it('keeps a member called __proto__', () =>
    expect(json.writeJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}'))
  it('refuses a number that JSON has not, which digits such as 1e999 become', () =>
    expect(() => json.writeJson(JSON.parse('[1e999]'))).toThrow(Refusal))
  it('refuses what is nested too deeply instead of running out of stack', () => {
    let deep: unknown = []
    for (let level = 0; level < 200_000; level++) deep = [deep]
    expect(() => json.writeJson(deep)).toThrow(/nested too deeply/)
  })
})

describe('a value put at a JSON pointer (RFC 6901)', () => {
  const event = { Event: 'factura.created', data: { Lines: [{ Code: 'A' }], 'a/b': 1, 'm~n': 2 } }
  const put = (pointer: string, value: unknown): string =>
    json.writeJson(json.withValueAt(event, pointer, value))

  it('replaces, adds, appends and escapes', () => {
    expect(put('/Event', 'x')).toContain('"Event":"x"')
    expect(put('/data/New', null)).toContain('"New":null')
    expect(put('/data/Lines/0/Code', 'B')).toContain('"Lines":[{"Code":"B"}]')
    expect(put('/data/Lines/-', 7)).toContain('"Lines":[{"Code":"A"},7]')
    expect(put('/data/a~1b', 3)).toContain('"a/b":3')
    expect(put('/data/m~0n', 4)).toContain('"m~n":4')
    expect(put('', [1])).toBe('[1]')
  })
  it('sets __proto__ as data', () => {
    expect(put('/data/__proto__', 1)).toContain('"__proto__":1')
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })
  it.each(
    words('data /nowhere/at/all /data/Lines/5 /data/Lines/01/Code /Event/x /a~2 /data/constructor/name'),
  )('refuses %s with a sentence', (pointer) => expect(() => put(pointer, 1)).toThrow(Refusal))
})

it('money in whole cents: rounds half away from zero, exactly', () =>
  forAll(100, [fc.maxSafeInteger(), fc.integer({ min: 1, max: 10_000 })], (numerator, denominator) => {
    const [n, d] = [BigInt(numerator), BigInt(denominator)]
    const expected = ((n < 0n ? -n : n) * 2n + d) / (2n * d)
    expect(BigInt(json.divideRounded(numerator, denominator))).toBe(n < 0n ? -expected : expected)
  }))

describe('Timestamp: local time with its offset, never Z (Webhook envelope)', () => {
  it('is the same instant again when read, for every offset', () => {
    const instants = fc.integer({ min: Date.UTC(2000, 0, 2), max: Date.UTC(2099, 11, 30) })
    const offsets = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 59 }),
    )
    forAll(100, [instants, offsets], (instant, [sign, hours, minutes]) => {
      const offset = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
      fc.pre(offset !== '-00:00')
      expect(json.readInstant(json.localTime(instant, offset))).toBe(instant)
    })
  })
  it.each(['Z', '-00:00', '4:00', '+15:00', '-04:60', '-0400', ''])('takes no “%s” for an offset', (offset) =>
    expect(json.offsetMinutes(offset)).toBeNull(),
  )
  it.each(['2026-11-21', '2026-11-21T10:00:00', '1999-01-01T00:00:00Z', '2026-13-01T00:00:00Z', 'now'])(
    'takes no “%s” for an issue date',
    (text) => expect(json.readInstant(text)).toBeNull(),
  )
})

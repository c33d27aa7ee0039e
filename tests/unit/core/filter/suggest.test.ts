import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { FIELD_WORDS, type Known, suggest } from '#core/filter/suggest.ts'
import { forAll } from '../../../support/for-all.ts'

/** `|` marks the cursor. */
const at = (marked: string, known: Known = {}) => {
  const cursor = marked.indexOf('|')
  const text = marked.replace('|', '')
  const { from, to, items } = suggest(text, cursor, known)
  return { part: text.slice(from, to), inserts: items.map((item) => item.insert), items, from, to, text }
}

describe('completions', () => {
  it('offer the fields where a condition begins', () => {
    const fields = FIELD_WORDS.map(({ name }) => (name.endsWith('.') ? name : `${name}:`))
    expect(fields).toEqual(expect.arrayContaining(['kind:', 'header.', '$.data.', 'received:']))
    for (const marked of ['|', 'a |', '(|', '-|']) expect(at(marked).inserts).toEqual(fields)
  })
  it('offer fields and whole conditions for the beginning of a word', () => {
    expect(at('dup|').inserts).toEqual(['is:duplicate', 'finding:duplicate-key'])
    expect(at('ki|').inserts[0]).toBe('kind:')
    expect(at('fact|').inserts).toContain('kind:factura.*')
  })
  it('offer the values of a field, wildcards first, with what they mean', () => {
    const { inserts, items, part } = at('a -kind:fact|')
    expect(part).toBe('fact')
    expect(inserts).toEqual(['factura.*', 'factura.created', 'factura.updated', 'factura.anulated'])
    expect(items[1]?.meaning.en).toContain('invoice')
  })
  it('offer values in the middle of a list and replace the one at the cursor only', () =>
    expect(at('is:late,du|x,pinned')).toMatchObject({ part: 'dux', inserts: ['duplicate'] }))
  it('offer the endpoints and targets that the host knows', () => {
    expect(at('attempt:|', { targets: ['erp', 'app'] }).inserts.slice(-2)).toEqual(['erp', 'app'])
    expect(at('attempt:failed,e|', { targets: ['erp', 'app'] }).inserts[0]).toBe('erp')
    expect(at('endpoint:|', { endpoints: ['default', 'erp'] }).inserts).toEqual(['default', 'erp'])
    expect(at('endpoint:|').inserts).toEqual([])
  })
  it('offer nothing inside quotes, for free values and for unknown fields', () => {
    for (const marked of ['"fact|', 'doc:3f|', 'nope:fact|']) expect(at(marked).inserts).toEqual([])
  })
  it('give filters that parse, whatever stands before the cursor', () =>
    forAll(
      100,
      [fc.constantFrom('', 'a ', '-', '(a or '), fc.constantFrom('kind:', 'group:', 'verdict:', 'is:')],
      (start, field) => {
        for (const { insert } of suggest(start + field, start.length + field.length).items)
          expect(parseFilter(`${start}${field}${insert}${start.includes('(') ? ')' : ''}`).ok).toBe(true)
      },
    ))
  it('never throw and stay inside the text', () =>
    forAll(100, [fc.string({ unit: 'binary' }), fc.nat(40)], (text, cursor) => {
      const { from, to } = suggest(text, Math.min(cursor, text.length))
      expect(0 <= from && from <= to && to <= text.length).toBe(true)
    }))
})

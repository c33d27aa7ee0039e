import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#core/filter/parse.ts'
import { printFilter } from '#core/filter/print.ts'
import { EVERYTHING, type Filter, NOTHING } from '#core/filter/tree.ts'
import { runs } from '../../../support/depth.ts'
import { anyFilter, sayableFilter } from './arbitraries.ts'

const reread = (text: string): Filter => {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(`${JSON.stringify(text)} at ${parsed.at}: ${parsed.code}`)
  return parsed.filter
}

describe('print then parse', () => {
  it('gives the same tree, for every tree that text can say', () => {
    fc.assert(
      fc.property(sayableFilter, (filter) => {
        expect(reread(printFilter(filter))).toEqual(filter)
      }),
      { numRuns: runs(1_000) },
    )
  })
  it('gives text that prints the same again, for every tree', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const text = printFilter(filter)
        expect(printFilter(reread(text))).toBe(text)
      }),
      { numRuns: runs(1_000) },
    )
  })
})

describe('printing', () => {
  it('keeps wildcards and comparisons as they were typed', () => {
    for (const text of [
      'kind:factura.*,*.anulated',
      'verdict:>=warning,unjudged',
      '-(a b) or "c d"*',
      'doc:3f2a',
    ])
      expect(printFilter(reread(text))).toBe(text)
  })
  it('writes the names where what was typed no longer means the tree', () => {
    expect(printFilter({ type: 'kind', kinds: ['gasto.created'], source: 'factura.*' })).toBe(
      'kind:gasto.created',
    )
    expect(printFilter({ type: 'verdict', verdicts: ['valid'], source: '>=unjudged' })).toBe('verdict:valid')
  })
  it('has a text for everything and for nothing', () => {
    expect(printFilter(EVERYTHING)).toBe('')
    expect(printFilter(NOTHING)).toBe('-*')
    expect(printFilter({ type: 'not', not: EVERYTHING })).toBe('-*')
    expect(printFilter({ type: 'is', facts: [] })).toBe('-*')
  })
})

import { describe, expect, it } from 'vitest'
import { ACCOUNTING_GROUPS, CROSS_FOOTS, SUMMED_LINE_FIELDS } from '#catalog/amounts.ts'
import { ACCOUNTING, LINES } from './specification.ts'

describe('Item of Lines, and Accounting', () => {
  it('every field of Accounting stands in exactly one group of meaning', () => {
    const grouped = ACCOUNTING_GROUPS.flatMap(({ fields }) => fields)
    expect([...grouped].sort()).toEqual([...ACCOUNTING].sort())
  })
  it('what is added up and compared are fields of Lines and of Accounting', () => {
    expect(LINES).toEqual(expect.arrayContaining([...SUMMED_LINE_FIELDS]))
    for (const { total, plus = [] } of CROSS_FOOTS)
      expect(ACCOUNTING).toEqual(expect.arrayContaining([total, ...plus]))
  })
})

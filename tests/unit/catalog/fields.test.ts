import { describe, expect, it } from 'vitest'
import { ACCOUNTING_FIELDS, DATA_FIELDS, ENVELOPE_FIELDS, LINE_FIELDS } from '#catalog/fields.ts'
import { ACCOUNTING, LINES } from './specification.ts'

describe('Resources and their fields', () => {
  it('the envelope has three keys, and data is written in lower case (readings, The envelope)', () =>
    expect([...ENVELOPE_FIELDS.keys()]).toEqual(['Event', 'Timestamp', 'data']))
  it('an item of Lines has 22 fields', () => {
    expect([...LINE_FIELDS.keys()]).toEqual(LINES)
    expect(LINE_FIELDS.size).toBe(22)
  })
  it('Accounting has 21 fields', () => {
    expect([...ACCOUNTING_FIELDS.keys()]).toEqual(ACCOUNTING)
    expect(ACCOUNTING_FIELDS.size).toBe(21)
  })
  it('only DocumentId, StatusId, Lines and Accounting have a known type (readings, data per kind)', () => {
    const known = [...DATA_FIELDS.values()].filter(({ type }) => type !== 'unknown')
    expect(Object.fromEntries(known.map(({ name, type }) => [name, type]))).toEqual({
      DocumentId: 'uuid',
      StatusId: 'integer',
      Lines: 'lines',
      Accounting: 'accounting',
    })
    for (const fields of [LINE_FIELDS, ACCOUNTING_FIELDS])
      for (const { type } of fields.values()) expect(type).toBe('unknown')
  })
  it('ReferenceSecuence is spelt so (readings, data per kind)', () => {
    expect(DATA_FIELDS.has('ReferenceSecuence')).toBe(true)
    expect(DATA_FIELDS.has('ReferenceSequence')).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import * as fields from '#catalog/fields.ts'
import * as kinds from '#catalog/kinds.ts'
import * as service from '#catalog/service.ts'

/** All bilingual texts of a table at any depth, with their paths. */
function texts(value: unknown, place: string): (readonly [place: string, en: unknown, es: unknown])[] {
  if (value instanceof Map) return [...value].flatMap(([key, one]) => texts(one, `${place}.${key}`))
  if (Array.isArray(value)) return value.flatMap((one, index) => texts(one, `${place}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  if ('en' in value || 'es' in value) return [[place, Reflect.get(value, 'en'), Reflect.get(value, 'es')]]
  return Object.entries(value).flatMap(([key, one]) => texts(one, `${place}.${key}`))
}

const all = texts({ ...fields, ...kinds, ...service }, 'catalog')

describe('every label and sentence of the catalogue', () => {
  it('is there', () => expect(all.length).toBeGreaterThan(28 + 8 + 33 + 22 + 21))
  it('has both languages, trimmed', () => {
    for (const [place, en, es] of all)
      for (const one of [en, es])
        expect(one, place).toSatisfy((t) => typeof t === 'string' && t !== '' && t === t.trim())
  })
  it('keeps the identifiers and numbers of the specification in both', () => {
    const identifiers = (text: unknown) =>
      String(text).match(/E\d\d|edit-\w+|StatusId \d|UUID|ISO 8601|nextFrom|\d+/g) ?? []
    for (const [place, en, es] of all) expect(identifiers(es), place).toEqual(identifiers(en))
  })
})

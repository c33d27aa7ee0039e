import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCedula,
  createParty,
  createRnc,
  isCedula,
  isRnc,
  type PartyClass,
} from '#sandbox/data/parties.ts'
import { createRandom } from '#sandbox/data/random.ts'
import { forAll } from '../../../support/for-all.ts'

describe('tax identifications', () => {
  it('follow the published check digits: known RNCs and cédulas are right, one digit off is wrong', () => {
    for (const rnc of ['101850043', '101010632']) expect(isRnc(rnc)).toBe(true)
    expect(isCedula('00113918205')).toBe(true)
    for (const wrong of ['101850042', '101010633', '10185004', '']) expect(isRnc(wrong)).toBe(false)
    for (const wrong of ['00113918204', '0011391820', 'x0113918205']) expect(isCedula(wrong)).toBe(false)
  })
  it('made here carry right check digits for every seed', () =>
    forAll(100, [fc.integer()], (seed) => {
      const random = createRandom(seed)
      for (const first of ['1', '4'] as const) expect(isRnc(createRnc(random, first))).toBe(true)
      expect(isCedula(createCedula(random))).toBe(true)
    }))
})

const classes: readonly PartyClass[] = ['company', 'person', 'government', 'free-zone', 'foreign']

it('parties are plausible for every seed: names, phones of the country, example mailboxes only', () =>
  forAll(100, [fc.integer(), fc.constantFrom(...classes)], (seed, kind) => {
    const party = createParty(createRandom(seed), kind)
    expect(party.name).toMatch(/^\S.*\S$/u)
    expect(party.address.length).toBeGreaterThan(8)
    expect(party.email).toMatch(/^[a-z\d.]+@(?:example\.com|[a-z\d]+(?:-[a-z\d]+)*\.example)$/)
    if (kind === 'person') expect(isCedula(party.taxId)).toBe(true)
    else if (kind !== 'foreign') expect(isRnc(party.taxId)).toBe(true)
    expect(party.phone).toMatch(kind === 'foreign' ? /^\+1-\d{3}-\d{3}-\d{4}$/ : /^8[024]9-\d{3}-\d{4}$/)
  }))

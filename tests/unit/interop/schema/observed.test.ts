import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import type { DriftProfile } from '#contract/drift.ts'
import { observe } from '#core/drift/observe.ts'
import { KindProfile } from '#core/drift/profile.ts'
import { profileOf } from '#core/drift/shown.ts'
import { observedText } from '#interop/schema/observed.ts'
import { aLine, anEvent, treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { asSent } from './mutated.ts'

const KIND = 'factura.created'

function profileFrom(bodies: readonly unknown[]): DriftProfile {
  const profile = new KindProfile(KIND)
  for (const [at, body] of bodies.entries()) observe(profile, treeOf(body), at + 1, at)
  const { added, counts, unrecorded } = profile.takeChanges() ?? expect.fail('nothing was observed')
  return profileOf(KIND, added, counts, unrecorded)
}
const one = (profile: DriftProfile) => JSON.parse(observedText([profile], true))
// Own properties only: a member may be called valueOf.
const ajv = () =>
  new Ajv2020({ strict: true, allowUnionTypes: true, ownProperties: true, formats: { uuid: true } })

describe('the schema of what was observed', () => {
  test('fits every delivery that was observed, whatever it holds', () => {
    const name = fc.constantFrom('Number', 'Lines', 'Accounting', 'New', '*', 'a/b', '2026-11-01', '17')
    const data = fc.dictionary(name, fc.jsonValue({ maxDepth: 4 }))
    forAll(200, [fc.array(data, { minLength: 1, maxLength: 6 })], (all) => {
      const bodies = all.map((some) => asSent(anEvent(KIND, { data: some })))
      const check = ajv().compile(one(profileFrom(bodies)))
      for (const body of bodies) expect(check(body), JSON.stringify(body)).toBe(true)
    })
  })

  test('is marked as an observation, and fails a type or an absence that was never observed', () => {
    const profile = profileFrom([
      anEvent(KIND, { data: { Number: null } }),
      anEvent(KIND, { data: { CustomerPhone: undefined, Lines: [aLine(), {}] } }),
    ])
    const schema = one(profile)
    expect([schema.title, schema.$comment]).toEqual([
      `Observed: ${KIND}`,
      expect.stringContaining('not a rule of the service'),
    ])
    const check = ajv().compile(schema)
    const fits = (data: Record<string, unknown>) => check(asSent(anEvent(KIND, { data })))
    expect([fits({}), fits({ Number: null }), fits({ CustomerPhone: undefined })]).toEqual([true, true, true])
    expect([fits({ Lines: [{}] }), fits({ New: 1 })]).toEqual([true, true])
    expect([fits({ Number: 5 }), fits({ CustomerName: undefined }), fits({ Lines: ['x'] })]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('of several kinds is one schema', () => {
    const profiles = KINDS.slice(0, 2).map(({ kind }) => ({ ...profileFrom([anEvent(KIND)]), kind }))
    const check = ajv().compile(JSON.parse(observedText(profiles, false)))
    expect([check(anEvent(KIND)), check({})]).toEqual([true, false])
  })
})

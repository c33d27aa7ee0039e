import { registerSchema, type SchemaObject, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { jsonSchema, type Schema } from '#interop/schema/json-schema.ts'
import { runs } from '../../../support/depth.ts'
import { anEvent, aUuid } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { anyBody, asSent, kinds, passes } from './mutated.ts'

/** Strict: an unknown keyword or format throws. `required` beside no `properties` is right in a condition. */
const compiled = (schema: Schema) =>
  new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(schema)
const check = compiled(jsonSchema())
const BY_KIND = new Map(KINDS.map(({ kind }) => [kind, compiled(jsonSchema(kind))]))

describe('the JSON Schema of the kinds', () => {
  test('passes and fails the bodies that Acuse passes and fails, whatever is changed in them', () => {
    const answers: boolean[] = []
    forAll(5_000, [anyBody], (body) => {
      const sent = asSent(body)
      const right = passes(sent)
      answers.push(right)
      expect(check(sent), JSON.stringify(sent).slice(0, 2_000)).toBe(right)
    })
    const share = answers.filter(Boolean).length / answers.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.8)
  })

  test('of one kind agrees with Acuse on bodies of that kind, and fails all others', () => {
    forAll(1_000, [anyBody, kinds], (body, kind) => {
      const sent = asSent(body)
      expect(BY_KIND.get(kind)?.(sent)).toBe(passes(sent) && eventOf(sent) === kind)
    })
    for (const { kind } of KINDS) expect(BY_KIND.get(kind)?.(anEvent(kind)), kind).toBe(true)
  })

  test('says the same in a second implementation', async () => {
    // Its types name no keyword of 2020-12 that the schema uses with a list of types.
    registerSchema(structuredClone(jsonSchema()) as SchemaObject)
    const second = await validate('urn:acuse:event')
    for (const body of fc.sample(anyBody, runs(1_000))) {
      const sent = asSent(body) as Parameters<typeof second>[0]
      expect(second(sent).valid, JSON.stringify(sent).slice(0, 2_000)).toBe(passes(sent))
    }
  })

  test('differs from Acuse only where a schema cannot say it (docs/reference/schema.md)', () => {
    const kind = 'dgii.aprobado'
    const { DocumentId: _, ...data } = anEvent(kind).data
    const spelt = { ...anEvent(kind), data: { ...data, documentID: 'x', documentid: aUuid() } }
    const noLeapSecond = anEvent(kind, { Timestamp: '2026-11-21T09:20:60-04:00' })
    const test = anEvent(kind, { Event: 'test.connection' })
    for (const [body, acuse] of [
      [spelt, true],
      [noLeapSecond, false],
      [test, true],
    ] as const)
      expect([passes(body), check(body)], JSON.stringify(body)).toEqual([acuse, !acuse])
  })
})

const eventOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'Event' in body
    ? body.Event
    : Object.entries(body ?? {}).find(([name]) => /^event$/i.test(name))?.[1]

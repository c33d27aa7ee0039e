import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KINDS } from '#catalog/kinds.ts'
import { LEVELS, VERDICTS } from '#contract/values.ts'
import { analyse } from '#core/checks/analyse.ts'
import type { Analysis } from '#core/checks/analysis.ts'
import { resolvePointer } from '#core/json/pointer.ts'
import { aBody, anEvent, treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'
import { judge, told } from './judging.ts'

const kind = fc.constantFrom(...KINDS.map((spec) => spec.kind))
const source = (value: unknown): string => JSON.stringify(value)

/** Expects the verdict to be that of the worst finding. */
function expectSound(analysis: Analysis): void {
  const worst = Math.max(-1, ...analysis.findings.map((finding) => LEVELS.indexOf(finding.level)))
  expect(analysis.verdict).toBe(VERDICTS[worst + 2])
  expect(analysis.findingCount).toBeGreaterThanOrEqual(analysis.findings.length)
  expect(structuredClone(analysis)).toEqual(analysis)
}

describe('properties of the checks', () => {
  test('never throws on random bytes, methods and types; the verdict is the worst finding', () =>
    forAll(
      2_000,
      [fc.uint8Array({ maxLength: 60 }), fc.string(), fc.option(fc.string())],
      (bytes, method, contentType) => expectSound(analyse({ method, contentType, body: { bytes } })),
    ))
  test('never throws on valid events with some bytes changed', () => {
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
    forAll(1_000, [kind, fc.array(change, { minLength: 1, maxLength: 5 })], (name, changes) => {
      const bytes = aBody(name)
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      expectSound(judge(bytes))
    })
  })
  test('never throws on an envelope of any JSON values, however it is spelt', () => {
    const value = fc.jsonValue({ maxDepth: 4 })
    const name = fc.constantFrom(
      ...words`DocumentId documentId StatusId Lines LINES Accounting Number __proto__ x`,
    )
    forAll(
      1_000,
      [fc.oneof(kind, value), value, fc.array(fc.tuple(name, value)), fc.boolean()],
      (Event, Timestamp, members, pretty) => {
        const data = `{${members.map(([key, inner]) => `${source(key)}:${source(inner)}`).join()}}`
        const text = `{"Event":${source(Event)},"Timestamp":${source(Timestamp)},"data":${data}}`
        expectSound(judge(pretty ? text.replaceAll(',"', ',\n  "') : text))
      },
    )
  })
  test('white space and the order of members change no finding', () =>
    forAll(
      100,
      [
        kind,
        fc.boolean(),
        fc.dictionary(fc.constantFrom('Number', 'statusid', 'Lines', 'New'), fc.jsonValue()),
      ],
      (name, reverse, more) => {
        const event = anEvent(name, { data: more })
        const before = judge(event)
        const members = Object.entries(event.data)
        const data = Object.fromEntries(reverse ? members.reverse() : members)
        const after = judge(JSON.stringify({ data, Timestamp: event.Timestamp, Event: event.Event }, null, 2))
        expect(told(after).toSorted()).toEqual(told(before).toSorted())
        expect(after.verdict).toBe(before.verdict)
      },
    ))
  test('a pointer leads to the member meant, and to nothing when that is absent', () => {
    const more = fc.dictionary(
      fc.constantFrom('a/b', '~', '', 'ñ', 'LINES', 'number', 'Lines', 'StatusId'),
      fc.jsonValue({ maxDepth: 3 }),
    )
    forAll(100, [kind, more], (name, extra) => {
      const text = JSON.stringify(anEvent(name, { data: extra }))
      for (const finding of judge(text).findings) {
        const node = resolvePointer(treeOf(text), finding.pointer)
        expect(node === undefined, `${finding.code} ${finding.pointer}`).toBe(finding.code === 'field-absent')
      }
    })
  })
  test('a field nobody knows never makes an event worse than noted', () => {
    const unknown = fc.string().map((text) => `New${text}`)
    forAll(100, [kind, unknown, fc.jsonValue()], (name, field, value) => {
      const analysis = judge(anEvent(name, { data: { [field]: value } }))
      expect([analysis.verdict, analysis.findingCount]).toEqual(['noted', 1])
    })
  })
})

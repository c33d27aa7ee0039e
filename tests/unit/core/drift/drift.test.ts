import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DriftFact, DriftProfile } from '#contract/drift.ts'
import {
  FACTS_KEPT,
  LEARNING_DELIVERIES,
  SHAPES_KEPT,
  STEADY_DELIVERIES,
  VALUES_KEPT,
} from '#contract/values.ts'
import { FORMS, formatOf } from '#core/drift/forms.ts'
import { observe } from '#core/drift/observe.ts'
import { KindProfile, type PackedCounts, type Slot } from '#core/drift/profile.ts'
import { driftJson, driftMarkdown } from '#core/drift/report.ts'
import { profileOf } from '#core/drift/shown.ts'
import { aLine, anEvent, treeOf } from '../../../support/events.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'

/** The stored profile of factura.created, in memory. */
class Kept {
  readonly #slots = new Map<number, Slot>()
  #counts: PackedCounts = new Float64Array()
  #unrecorded = 0
  #profile = new KindProfile('factura.created')
  #id = 0

  /** Observes one body. @returns the facts that are new */
  see(body: unknown): readonly DriftFact[] {
    this.#id++
    return observe(this.#profile, treeOf(body), this.#id, this.#id * 1_000)
  }

  write(): void {
    const changes = this.#profile.takeChanges()
    if (!changes) return
    for (const slot of changes.added) this.#slots.set(slot.slot, slot)
    for (const slot of changes.removed) this.#slots.delete(slot)
    this.#counts = changes.counts.slice()
    this.#unrecorded = changes.unrecorded
  }

  /** Simulates the end of the process after a commit, and a new process. */
  restart(): void {
    this.write()
    this.#profile = new KindProfile('factura.created', this.#inOrder(), this.#counts, this.#unrecorded)
  }

  shown(): DriftProfile {
    this.write()
    return profileOf('factura.created', this.#inOrder(), this.#counts, this.#unrecorded)
  }

  #inOrder(): readonly Slot[] {
    return [...this.#slots.values()].sort((a, b) => a.slot - b.slot)
  }
}

const countsOf = ({ deliveries, fields }: DriftProfile): unknown => ({
  deliveries,
  fields: fields
    .map(({ place, documented, n, of, shapes, values, manyValues }) => ({
      place,
      documented,
      n,
      of,
      manyValues,
      shapes: shapes.map((shape) => `${shape.type} ${shape.format} ${shape.n}`).sort(),
      values: values.map(({ value, n: count }) => `${value} ${count}`).sort(),
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1)),
})

function learned(times = LEARNING_DELIVERIES): Kept {
  const kept = new Kept()
  for (let i = 0; i < times; i++) expect(kept.see(anEvent('factura.created'))).toEqual([])
  return kept
}

const event = (data: Readonly<Record<string, unknown>>): unknown => anEvent('factura.created', { data })
const told = (facts: readonly DriftFact[]): readonly string[] =>
  facts.map(({ code, pointer }) => `${code} ${pointer}`)
const field = (kept: Kept, place: string) => kept.shown().fields.find((one) => one.place === place)

describe('drift (readings, "Three kinds of knowledge")', () => {
  it('is a field that is neither documented nor seen, told once', () => {
    const kept = learned()
    const [fact, ...others] = kept.see(event({ Channel: 'web' }))
    expect(others).toEqual([])
    expect(fact).toEqual({
      code: 'new-field',
      pointer: '/data/Channel',
      place: '/data/Channel',
      was: [],
      now: { type: 'string', format: 'text' },
      seen: LEARNING_DELIVERIES,
      since: 1_000,
    })
    expect(kept.see(event({ Channel: 'web' }))).toEqual([])
  })

  it.each<[what: string, data: Readonly<Record<string, unknown>>, told: readonly string[]]>([
    ['its place in the list', { Lines: [aLine(), aLine({ 'A/B': 1 })] }, ['new-field /data/Lines/1/A~1B']],
    ['something new, not everything inside it', { Extra: { Deep: { A: 1 } } }, ['new-field /data/Extra']],
    ['another type', { StatusId: 1.5 }, ['type-changed /data/StatusId']],
    ['another integer', { StatusId: 2 }, []],
    ['a null where there never was one', { Lines: null }, ['now-null /data/Lines']],
    ['another format of texts', { LimitDate: '2026-11-30' }, ['format-changed /data/LimitDate']],
    ['an empty text', { CustomerName: '' }, ['format-changed /data/CustomerName']],
    ['a wider format', { CustomerTaxId: '1-31' }, ['format-changed /data/CustomerTaxId']],
    ['a narrower one where any text came', { CustomerName: '131246789' }, []],
    ['a narrower number', { AmountDue: 1250 }, []],
  ])('is told of %s, once', (_, data, expected) => {
    const kept = learned()
    expect([told(kept.see(event(data))), kept.see(event(data))]).toEqual([expected, []])
  })

  it('is the absence of a field that always came, told once', () => {
    const kept = learned(STEADY_DELIVERIES)
    expect(kept.see(event({ CustomerPhone: undefined }))).toMatchObject([
      { code: 'gone', pointer: '/data/CustomerPhone', now: null, seen: STEADY_DELIVERIES, since: 1_000 },
    ])
    expect(kept.see(event({ CustomerPhone: undefined }))).toEqual([])
    expect(field(kept, '/data/CustomerPhone')).toMatchObject({
      n: STEADY_DELIVERIES,
      of: STEADY_DELIVERIES + 2,
      absentSince: (STEADY_DELIVERIES + 1) * 1_000,
    })
  })

  it('is not the absence of a field that was seen less often, or lies in what did not come', () => {
    expect(learned(STEADY_DELIVERIES - 1).see(event({ CustomerPhone: undefined }))).toEqual([])
    expect(learned(STEADY_DELIVERIES).see(event({ Lines: [] }))).toEqual([])
  })

  it('is nothing while a place is learned: the first deliveries, or the first with what it lies in', () => {
    const kept = learned(LEARNING_DELIVERIES - 1)
    expect(kept.see(event({ Extra: 1, StatusId: null }))).toEqual([])
    const tax = (change: object) => event({ Lines: [aLine({ Taxes: [{ Rate: 18, ...change }] })] })
    for (let i = 0; i < LEARNING_DELIVERIES; i++) expect(kept.see(tax({}))).toEqual([])
    expect(told(kept.see(tax({ Name: 'ITBIS' })))).toEqual(['new-field /data/Lines/0/Taxes/0/Name'])
  })

  it('is kept within bounds: facts of one delivery, names that are data, places, depth', () => {
    const kept = learned()
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`Field${i}`, i]))
    expect(kept.see(event(many)).length).toBe(FACTS_KEPT)
    const shown = kept.shown()
    expect(shown.fields.length).toBeLessThan(SHAPES_KEPT)
    expect([shown.unrecorded, kept.see(event({ ...many, AnotherStill: 1 }))]).toEqual([1, []])

    const dynamic = learned()
    const byId = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [String(i), { Amount: i }]))
    expect(told(dynamic.see(event({ Totals: byId })))).toEqual(['new-field /data/Totals'])
    expect(field(dynamic, '/data/Totals/*/Amount')).toMatchObject({ n: 1 })
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    dynamic.see(`{"Event":"factura.created","data":${deep}}`)
    dynamic.see(`{"data":{"${'x'.repeat(100_000)}":1}}`)
    expect(dynamic.shown().unrecorded).toBe(2)
  })
})

it('values: are kept of codes and of yes and no, as sent, with how often they came', () => {
  const kept = new Kept()
  for (const [i, StatusId] of [5, 5.0, 6].entries()) kept.see(event({ StatusId, Flag: i !== 1 }))
  expect(field(kept, '/data/StatusId')?.values).toMatchObject([
    { value: '5', n: 2, firstId: 1, lastId: 2 },
    { value: '6', n: 1, firstId: 3, lastAt: 3_000 },
  ])
  expect(field(kept, '/data/Flag')?.values).toMatchObject([
    { value: 'true', n: 2 },
    { value: 'false', n: 1 },
  ])
  expect(field(kept, '/data/Accounting/CurrencyCode')?.values).toMatchObject([{ value: '"DOP"', n: 3 }])
})

it('values: are never kept of persons, of amounts, or of fields that are not documented', () => {
  const kept = new Kept()
  kept.see(event({ Contact: 'Ana Peña', ContactId: 131246789, StatusCode: 'A' }))
  const fields = kept.shown().fields
  const text = JSON.stringify(fields.filter(({ values }) => values.length > 0).map(({ place }) => place))
  expect(text).not.toMatch(
    /Name|TaxId|Phone|Email|Address|Contact|Number|Amount|Total|Price|Document(?!TypeId)/,
  )
  expect(JSON.stringify(fields)).not.toContain('Peña')
})

it('values: are dropped when they are too many or too long', () => {
  const kept = new Kept()
  for (let i = 0; i < VALUES_KEPT; i++) kept.see(event({ StatusId: i }))
  expect(field(kept, '/data/StatusId')).toMatchObject({ manyValues: false })
  kept.restart()
  kept.see(event({ StatusId: VALUES_KEPT }))
  expect(field(kept, '/data/StatusId')).toMatchObject({ manyValues: true, values: [] })
  kept.see(event({ ModificationCode: 'x', CurrencyId: 'y'.repeat(41), SequenceTypeId: 'z'.repeat(40) }))
  expect(field(kept, '/data/CurrencyId')).toMatchObject({ manyValues: true, values: [] })
  expect(field(kept, '/data/SequenceTypeId')?.values).toHaveLength(2)
})

const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 1.5, '', 'x', '12', '1.50', '2026-11-21', 'a@b.do'),
  fc.string(),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(
    fc.constantFrom(...words`A B StatusId Lines Accounting IsService 7 * __proto__ a/b`, ''),
    tie('any'),
    { maxKeys: 5 },
  ),
}))
const bodies = fc.array(
  fc.record({ Event: fc.constant('factura.created'), data: value.any }, { requiredKeys: [] }),
  { maxLength: 40 },
)

it('a profile: counts the same whatever the order of deliveries', () =>
  forAll(100, [bodies, fc.nat()], (all, turn) => {
    const [one, other] = [new Kept(), new Kept()]
    for (const body of all) one.see(body)
    const split = all.length > 0 ? turn % all.length : 0
    for (const body of [...all.slice(split), ...all.slice(0, split)].toReversed()) other.see(body)
    expect(countsOf(other.shown())).toEqual(countsOf(one.shown()))
  }))

it('a profile: goes on after a restart as if there had been none', () =>
  forAll(100, [bodies, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 })], (all, restarts) => {
    const [one, other] = [new Kept(), new Kept()]
    for (const [at, body] of all.entries()) {
      if (restarts[at]) other.restart()
      expect(other.see(body)).toEqual(one.see(body))
    }
    expect(other.shown()).toEqual(one.shown())
  }))

it('a profile as Markdown keeps its cells whatever names came, in both languages, and as JSON it is the profile', () => {
  const kept = new Kept()
  kept.see(anEvent('factura.created', { data: { 'a|b\n`c`': true, StatusId: 5 } }))
  kept.see(anEvent('factura.created', { data: { StatusId: null } }))
  const profile = kept.shown()
  const text = driftMarkdown([profile], 'en')
  const table = text.split('\n').filter((line) => line.startsWith('|'))
  expect(table).toHaveLength(profile.fields.length + 2)
  for (const line of table) expect(line.split(/(?<!\\)\|/)).toHaveLength(9)
  expect(text).toContain('| `/data/StatusId` Status | yes | integer (1), null (1) | 5 (1) | 2 / 2 |')
  expect(text).toContain("| `/data/a\\|b 'c'` | no | true or false | true (1) | 1 / 2 |")
  expect(text).toContain('Still learning')
  expect(driftMarkdown([profile], 'es')).toContain('verdadero o falso')
  expect(JSON.parse(driftJson([profile]))).toEqual({ profiles: [profile] })
})

const format = (text: string): string | null | undefined => FORMS[formatOf(text, 0, text.length)]?.format

it.each<[format: string, texts: readonly string[]]>([
  ['empty', ['']],
  ['uuid', ['5f0c1d2e-3b4a-4c5d-8e6f-000000000001', '5F0C1D2E-3B4A-4C5D-8E6F-000000000001']],
  ['instant', ['2026-11-21T09:20:41.1234567-04:00', '2026-11-21T09:20:41Z', '2026-11-21 09:20+0400']],
  ['date-time', ['2026-11-21T09:20:41', '2026-11-21T09:20:41.5']],
  ['date', ['2026-11-21']],
  ['digits', ['0', '131246789']],
  ['money', ['-5', '1250.50', '1,250.50']],
  ['email', ['compras@example.com.do']],
  ['text', ['{f0c1d2e-3b4a-4c5d-8e6f-000000000001', '5f0c1d2e-3b4a-4c5d-8e6f-00000000000g']],
  ['text', ['2026-11-21T9:20', '2026-11-21T09:20:41-04', '2026-11-21T09:20:41Zz', '2026-1-21']],
  ['text', ['12,50', '1,2345', '.', '-', '1.2.3', 'a@b', 'a b@c.do', '@c.do', 'a@b@c.do', 'a@c.']],
  ['text', [' ', 'Comercial Peña & Hijos, S.R.L.', '9'.repeat(255)]],
])('what a text looks like: %s is the format of %j', (expected, texts) => {
  for (const text of texts) expect(format(text), text).toBe(expected)
})

it('what a text looks like: reads only what stands between its offsets', () => {
  const text = '"2026-11-21T09:20Z"'
  expect(FORMS[formatOf(text, 1, 11)]?.format).toBe('date')
  expect(FORMS[formatOf(text, 1, 17)]?.format).toBe('date-time')
  expect(FORMS[formatOf(text, 1, 18)]?.format).toBe('instant')
})

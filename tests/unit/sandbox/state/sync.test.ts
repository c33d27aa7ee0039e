import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Refusal } from '#sandbox/domain/refusal.ts'
import type { SyncItem } from '#sandbox/state/sync.ts'
import { memberBytes } from '#sandbox/state/sync.ts'
import type { World } from '#sandbox/world/world.ts'
import { forAll } from '../../../support/for-all.ts'
import { words } from '../../../support/words.ts'
import { ALL, ANY, worldOf } from '../judged.ts'

const FIELDS = words(`
    DocumentId Number StatusId IssuedAt CustomerId CustomerName SupplierId SupplierName Lines
    Accounting UpdatedAt IsAnulated
  `)
const place = ({ issuedAt, id }: SyncItem): string => `${issuedAt} ${id}`

function monthOf(count: number): World {
  const world = worldOf(5)
  for (const _ of world.scenario('month', { count }));
  return world
}

function sweep(world: World, limit: number): SyncItem[] {
  const found: SyncItem[] = []
  for (let cursor: SyncItem | undefined; ; ) {
    const page = world.treasury({ ...ANY, from: cursor?.issuedAt ?? null, after: cursor?.id ?? null, limit })
    found.push(...page.slice(0, limit))
    if (page.length <= limit) return found
    cursor = page[limit - 1]
  }
}

describe('accounting-sync', () => {
  const world = monthOf(300)
  it('lists the items of the sandbox’s choice, by issue date, then document id', () => {
    const items = world.accounting(ALL)
    expect(items).toHaveLength(300)
    expect(items.map(place)).toEqual(items.map(place).toSorted())
    for (const { json, id } of items) {
      const item = JSON.parse(json)
      expect(Object.keys(item)).toEqual(FIELDS)
      expect(item.DocumentId).toBe(id)
    }
  })
  it('holds both bounds, and one item more than the limit tells that more remain', () => {
    const items = world.accounting(ALL)
    const [from, to] = [items[10]?.issuedAt ?? 0, items[20]?.issuedAt ?? 0]
    expect(world.accounting({ ...ALL, from, to }).map(place)).toEqual(items.slice(10, 21).map(place))
    expect(world.accounting({ ...ALL, limit: 7 }).map(place)).toEqual(items.slice(0, 8).map(place))
    expect(world.accounting({ ...ALL, from: to, to: from })).toEqual([])
  })
  it('sweeps one document type; the types together are everything', () => {
    const types = [31, 32, 33, 34, 41, 43, 44, 45, 46, 47]
    const each = types.flatMap((documentTypeId) => world.accounting({ ...ALL, documentTypeId }))
    expect(each.map(place).toSorted()).toEqual(world.accounting(ALL).map(place))
    expect(world.accounting({ ...ALL, documentTypeId: 99 })).toEqual([])
  })
  it('does not list quotations, and keeps voided documents with their mark', () => {
    const small = worldOf(1)
    small.perform('create-quotation', {})
    const { id } = small.perform('create-invoice', {})
    small.perform('void', { id })
    expect(small.accounting(ALL).map(({ json }) => JSON.parse(json))).toMatchObject([
      { DocumentId: id, IsAnulated: true },
    ])
  })
})

it('treasury-sync: lists debts only, with party and payment methods', () => {
  const world = worldOf(2)
  const { id } = world.perform('create-invoice', { type: 'E32' })
  const cash = world.perform('create-invoice', { type: 'E32', paymentTermId: 1 }).id
  const expense = world.perform('create-expense', { type: 'E43' }).id
  const ids = (): string[] => sweep(world, 10).map((item) => item.id)
  expect(ids()).toEqual([id, expense])
  world.perform('register-payment', { id, amount: 1 })
  const [sale, purchase] = sweep(world, 10).map(({ json }) => JSON.parse(json))
  expect(Object.keys(sale ?? {})).toEqual([...FIELDS, 'PaymentMethods'])
  expect(sale).toMatchObject({
    SupplierId: null,
    PaymentMethods: [{ Amount: 1, PaymentMethodId: 2 }, { PaymentMethodId: 4 }],
  })
  expect(purchase).toMatchObject({ CustomerId: null, SupplierName: expect.any(String) })
  world.perform('register-payment', { id })
  world.perform('void', { id: expense })
  expect(ids()).toEqual([])
  world.perform('edit-amount', { id: cash, amount: 2 })
  expect(ids()).toHaveLength(1)
})
it('treasury-sync: goes on after a document named without its date, and refuses one that is not there', () => {
  const world = monthOf(40)
  const all = sweep(world, 500)
  const after = all[4]?.id.toUpperCase() ?? ''
  expect(world.treasury({ ...ANY, after }).map(place)).toEqual(all.slice(5).map(place))
  expect(() => world.treasury({ ...ANY, after: 'f0000000-0000-4000-8000-000000000000' })).toThrow(Refusal)
})
it('treasury-sync: keeps to its maximum issue date and to one type', () => {
  const world = monthOf(80)
  const to = sweep(world, 500)[9]?.issuedAt ?? 0
  expect(world.treasury({ ...ANY, to })).toHaveLength(10)
  for (const { json } of world.treasury({ ...ANY, documentTypeId: 31 }))
    expect(JSON.parse(json).Number).toMatch(/^E31/)
})

const span = (text: string) => memberBytes(Buffer.from(text), 'data')?.toString()

const cases: readonly (readonly [body: string, data: string | undefined])[] = [
  ['{"data":{}}', '{}'],
  ['{"eventType":"x","data": { "a" : 1.10 , "b":[1e5,"}"]} }', '{ "a" : 1.10 , "b":[1e5,"}"]}'],
  ['\n {\t"data"\r\n:\n{"é":"\\u00e9"}\n,"z":0}', '{"é":"\\u00e9"}'],
  ['{"d\\u0061ta":{"a":1}}', '{"a":1}'],
  ['{"data":{"a":1},"data":{"a":2}}', '{"a":2}'],
  ['{"x":{"data":{"no":1}},"y":"\\"data\\":{}"}', undefined],
  ['{"x":"\\\\","data":{"q":"\\\\\\""}}', '{"q":"\\\\\\""}'],
  ['{"n":-1.5e+3,"t":true,"z":null,"data":12345678901234567890}', '12345678901234567890'],
  ['{}', undefined],
]
for (const [body, data] of cases) test(body, () => expect(span(body)).toBe(data))

test('the bytes of data are found as they stand (plugins/events: forwarded unchanged): whatever the JSON, the found text is that member’s', () => {
  const content = fc.dictionary(fc.oneof(fc.constant('data'), fc.string()), fc.jsonValue())
  forAll(100, [content, fc.nat(3)], (object, spaces) => {
    const found = memberBytes(Buffer.from(JSON.stringify(object, null, spaces)), 'data')
    const expected: unknown = Object.hasOwn(object, 'data') ? object.data : undefined
    expect(found === undefined ? undefined : JSON.parse(found.toString())).toEqual(
      expected === undefined ? undefined : JSON.parse(JSON.stringify(expected)),
    )
  })
})

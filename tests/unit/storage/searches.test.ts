import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { CountedField } from '#contract/delivery.ts'
import { readFilter } from '#core/filter/read.ts'
import { FACTS, HAVINGS } from '#core/filter/tree.ts'
import { aBody } from '../../support/events.ts'
import { aDelivery, appendAtOnce, openTestStore, type TestStore } from '../../support/store.ts'
import { test } from './fixture.ts'

let nine: TestStore
const json = ['Content-Type', 'application/json']

const DELIVERIES = [
  aDelivery({
    body: '{"a":{"b":[1,20.50,"x y"],"n":null,"t":true}}',
    headers: [...json, 'X-Foo', 'Bar baz'],
  }),
  aDelivery({ body: '{"a":{"b":[2]}}', method: 'PUT', headers: [...json, 'x-foo', 'other'] }),
  aDelivery({ body: `{"long":"${'ñ'.repeat(900)}"}`, headers: [...json, 'X-FOO', ''] }),
  aDelivery({
    body: gzipSync('{"Secret word":"Cigüeña 77"}'),
    headers: [...json, 'Content-Encoding', 'gzip'],
    url: '/hooks/seventh?x=2',
  }),
  aDelivery({ body: 'not json at all', answer: { status: 404, headers: [], body: new Uint8Array() } }),
  aDelivery({
    body: aBody('factura.created', {
      data: { Number: 'E310000000077', StatusId: 5, CustomerName: 'José Pérez', CustomerTaxId: '130123456' },
    }),
    receivedAt: Date.UTC(2026, 10, 1, 12, 0, 0) * 1000,
  }),
  aDelivery({
    body: aBody('gasto.created', {
      data: { Number: 'B010000000001', StatusId: 7, SupplierName: 'Peña & Hijos' },
    }),
  }),
  aDelivery({ body: '', answer: null }),
  aDelivery({ body: '{"Event":"nope"}' }),
] as const

beforeAll(async () => {
  nine = await openTestStore()
  for (const one of DELIVERIES) await nine.store.capture.append(one)
  nine.store.capture.answered(1, 2_500)
  nine.store.capture.answered(2, 60_000)
  await nine.store.deliveries.settled(20_000)
  // The writer stores an answer's duration in its next pause.
  await vi.waitFor(async () => expect(await found('took:>=0')).toEqual([1, 2]), { timeout: 20_000 })
})
afterAll(() => nine[Symbol.asyncDispose]())

async function found(filter: string): Promise<number[]> {
  const tree = readFilter(filter)
  const page = await nine.store.deliveries.page(tree, { from: 'newest', limit: 100 })
  const ids = page.rows.map(({ id }) => id)
  // All ways to read must give the same set.
  const scanned = await nine.store.deliveries.scan(tree, { after: null, limit: 100 })
  expect(scanned.map(({ id }) => id)).toEqual(ids)
  const backwards = await nine.store.deliveries.scan(tree, { after: null, limit: 100, newest: true })
  expect(backwards.map(({ id }) => id)).toEqual(ids.toReversed())
  const { total, verdicts } = await nine.store.deliveries['deliveries.summary']({ filter })
  expect(total).toBe(ids.length)
  expect(Object.values(verdicts).reduce((sum, n) => sum + n)).toBe(total)
  for (const [position, id] of ids.entries())
    expect(await nine.store.deliveries['deliveries.locate']({ filter, id })).toEqual({
      position,
      member: true,
    })
  return ids
}

const cases: readonly (readonly [filter: string, ids: readonly number[]])[] = [
  ['header.x-foo:bar', [1]],
  ['header.X-Foo:*', [1, 2, 3]],
  ['header.x-foo:"r b"', [1]],
  ['header.x-foo:b*z,other', [1, 2]],
  ['-header.x-foo:*', [4, 5, 6, 7, 8, 9]],
  ['$.a.b[*]:20.5', [1]],
  ['$.a.b[1]:>=20.50', [1]],
  ['$.a.b[0]:1..2', [1, 2]],
  ['$.a.b[*]:"X Y"', [1]],
  ['$.a.b[*]:"x*"', [1]],
  ['$.a.n:null', [1]],
  ['$.a.n:"null"', []],
  ['$.a.t:true', [1]],
  ['$.a.b:*', [1, 2]],
  ['$["Secret word"]:cig*', [4]],
  ['$.data.Number:>E3', [6]],
  ['/ñ{20}/', [3]],
  ['/CIGÜEÑA \\d+/i', [4]],
  ['/hooks\\/seventh/', [4]],
  ['/^not json/', [5]],
  ['body:"AT ALL"', [5]],
  ['body:cigüeña', [4]],
  ['method:put', [2]],
  ['size:1.81kb', [3]],
  ['size:0', [8]],
  ['-size:>0', [8]],
  ['answer:4xx', [5]],
  ['answer:none', [8]],
  ['took:>50ms', [2]],
  ['took:2ms', [1]],
  ['status:5', [6]],
  ['status:>=5', [6, 7]],
  ['number:e31', [6]],
  ['number:*001', [7]],
  ['party:perez', [6]],
  ['party:"PEÑA & h"', [7]],
  ['party:130123', [6]],
  ['received:2026-11-01T12:00Z', [6]],
  ['received:..2026-11-01T11:59Z', []],
  ['finding:event-unknown', [9]],
  ['verdict:unreadable body:all', [5]],
  ['cigueña or method:PUT', [2]],
  ['perez /E31/', [6]],
  ['-perez /E31/', []],
]
test.each(cases)('conditions that no index answers: %s', async (filter, ids) =>
  expect(await found(filter)).toEqual(ids),
)

test('conditions that no index answers: values are counted among what a filter selects, indexed or not', async () => {
  const counts = async (field: CountedField, filter: string) => {
    const { counts: found, exact } = await nine.store.deliveries['filter.counts']({ filter, field })
    return { exact, found: Object.fromEntries(found.map(({ value, count }) => [value, count])) }
  }
  const kinds = { none: 7, 'factura.created': 1, 'gasto.created': 1 }
  expect(await counts('kind', '')).toEqual({ exact: true, found: kinds })
  expect(await counts('method', 'method:put')).toEqual({ exact: false, found: { PUT: 1 } })
  expect((await counts('answer', '')).found).toEqual({ 200: 7, 404: 1, none: 1 })
  expect((await counts('verdict', 'kind:factura.*')).found).toEqual({ valid: 1 })
})

test('conditions that no index answers: what is pinned or sent again meanwhile takes part from then on', async () => {
  expect(await found('is:pinned size:>=0')).toEqual([])
  await nine.store.deliveries.pin([3, 5], true)
  expect(await found('is:pinned size:>=0')).toEqual([3, 5])
  await nine.store.deliveries.pin([3], false)
  expect(await found('is:pinned size:>=0')).toEqual([5])
  expect(await found('has:attempt size:>=0')).toEqual([])
})

test('conditions that no index answers: each of is: and has: is counted as often as it is found', async () => {
  await nine.store.deliveries.annotate({ ids: [2, 5], note: 'x', addTags: ['a', 'b'] })
  for (const within of ['', 'kind:factura.*', '-kind:factura.*', 'size:>=0'])
    for (const [field, values] of [
      ['is', FACTS],
      ['has', HAVINGS],
    ] as const) {
      const { counts } = await nine.store.deliveries['filter.counts']({ filter: within, field })
      const known = new Map(counts.map(({ value, count }) => [value, count]))
      for (const value of values)
        expect(await found(`${field}:${value} ${within}`), value).toHaveLength(known.get(value) ?? 0)
    }
  await nine.store.deliveries.annotate({ ids: [2, 5], note: null, removeTags: ['a', 'b'] })
})

test('conditions that no index answers: what arrives later is found at its end', async () => {
  expect(await found('body:later')).toEqual([])
  const { id } = await nine.store.capture.append(aDelivery({ body: '{"later":1}' }))
  expect(await found('body:later')).toEqual([id])
})

test('conditions that no index answers: an expression that cannot be used is refused with its place (RE2 syntax)', () => {
  expect(() => readFilter('a /b(/')).toThrow(/column 3: .*missing closing/)
})

test('a delivery is indexed with the names that are masked when it arrives, at any rate of changes', {
  tags: 'long',
}, async () => {
  let maskedNames: readonly string[] = []
  await using own = await openTestStore(undefined, { maskedNames: () => maskedNames })
  for (let n = 1; n <= 300; n += 1) {
    maskedNames = [...maskedNames, `x-own-${n}`]
    const headers = [...json, `X-Own-${n}`, 'hush77', 'X-Open', 'loud99']
    await own.store.capture.append(aDelivery({ headers }))
  }
  expect(await own.store.deliveries.settled(60_000)).toBe(0)
  const total = async (filter: string) => (await own.store.deliveries['deliveries.summary']({ filter })).total
  expect(await total('loud99')).toBe(300)
  expect(await total('hush77')).toBe(0)
})

test('a long search gives its newest rows at once', { tags: 'long', timeout: 120_000 }, async ({ store }) => {
  const count = 6_000
  for (let at = 0; at < count; at += 500)
    await appendAtOnce(store, 500, (n) => ({ body: `{"n":${at + n},"text":"${'lorem ipsum '.repeat(40)}"}` }))
  await store.deliveries.settled(60_000)
  const tree = readFilter('/m ipsum "}/')
  let page = await store.deliveries.page(tree, { from: 'newest', limit: 50 })
  expect(page.rows.length).toBeGreaterThan(0)
  expect(page.rows.at(-1)?.id).toBe(count)
  const seen = [page.total]
  while (page.searching) {
    expect(page.searching.scanned).toBeLessThan(page.searching.of)
    page = await store.deliveries.page(tree, { from: 'newest', limit: 50 })
    expect(page.rows.at(-1)?.id).toBe(count)
    expect(page.total).toBeGreaterThanOrEqual(seen.at(-1) ?? 0)
    seen.push(page.total)
  }
  expect(page.total).toBe(count)
  const oldest = await store.deliveries.page(tree, { from: 0, limit: 3 })
  expect(oldest.rows.map(({ id }) => id)).toEqual([1, 2, 3])
})

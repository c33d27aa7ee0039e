import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Sort, SortKey } from '#contract/order.ts'
import { SORT_KEYS, VERDICTS } from '#contract/values.ts'
import { readFilter } from '#core/filter/read.ts'
import { mergedInto, SortedRuns } from '#storage/reader/sorted-runs.ts'
import { runs } from '../../support/depth.ts'
import { anEvent } from '../../support/events.ts'
import { forAll } from '../../support/for-all.ts'
import { aDelivery, openTestStore, type TestStore } from '../../support/store.ts'
import { words } from '../../support/words.ts'

let test: TestStore
beforeAll(async () => {
  test = await openTestStore()
})
afterAll(() => test[Symbol.asyncDispose]())

const KINDS = ['factura.created', 'factura.anulated', 'gasto.created', 'customer.created'] as const
/** A recent time, since the store does not wait for answers of old deliveries. */
const START = Date.now() * 1000 - 60_000_000

/** Deliveries with few distinct values, so that every column has ties. */
const delivery = fc.record({
  kind: fc.constantFrom(...KINDS, 'nope'),
  number: fc.constantFrom('E310000000001', 'E310000000002', 'B010000000009'),
  endpoint: fc.constantFrom('default', 'erp'),
  method: fc.constantFrom('POST', 'PUT'),
  url: fc.constantFrom('/', '/a?b=1', '/ñ'),
  status: fc.constantFrom(200, 404, null),
  rejected: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  padding: fc.integer({ min: 0, max: 3 }),
  took: fc.constantFrom(0, 1_000, 70_000),
  minute: fc.integer({ min: 0, max: 3 }),
})
type Given = typeof delivery extends fc.Arbitrary<infer T> ? T : never
const ONE: Given = {
  ...{ kind: 'factura.created', number: 'E310000000001', endpoint: 'default', method: 'PUT', url: '/' },
  ...{ status: 200, rejected: false, padding: 3, took: 1_000, minute: 1 },
}
let arrived = 0

async function append(given: Given): Promise<void> {
  const { kind, number, endpoint, method, url, status, rejected, padding, took, minute } = given
  const Timestamp = `2026-11-01T08:0${minute}:00-04:00`
  // A void has no Number; another event of the document may have one.
  const data = kind === 'factura.created' || kind === 'gasto.created' ? { Number: number } : {}
  const body = kind === 'nope' ? { Event: kind } : anEvent(kind, { Timestamp, data })
  const padded = JSON.stringify(body) + ' '.repeat(padding * 10)
  arrived += 1
  const { id } = await test.store.capture.append(
    aDelivery({
      ...{ body: padded, bodySize: Buffer.byteLength(padded), receivedAt: START + arrived * 2_000 },
      ...{ endpoint, method, url, rejected },
      answer: status === null ? null : { status, headers: [], body: new Uint8Array() },
    }),
  )
  // A delivery whose sender has left has no duration.
  if (id !== null) test.store.capture.answered(id, status === null ? null : took)
}

/** Sort key of each column, from the list's row. Timestamps of rejected deliveries do not count. */
const KEYS: Readonly<Record<SortKey, (row: DeliveryRow) => number | string>> = {
  arrival: ({ id }) => id,
  kind: ({ kind }) => kind ?? '',
  document: ({ document, number, documentId }) => number ?? document?.number ?? documentId ?? '',
  party: ({ document }) => document?.party?.toLowerCase() ?? '',
  total: ({ document }) => Number(document?.total ?? Number.NEGATIVE_INFINITY),
  verdict: ({ verdict }) => (verdict === null ? -1 : VERDICTS.indexOf(verdict)),
  endpoint: ({ endpoint }) => endpoint,
  answer: ({ answer }) => answer ?? -1,
  size: ({ size }) => size,
  took: ({ tookUs }) => tookUs ?? -1,
  timestamp: ({ timestamp, rejected }) => (timestamp === null || rejected ? -1 : Date.parse(timestamp)),
  attempts: ({ attempts }) => attempts,
  tags: ({ tags }) => tags[0] ?? '',
  method: ({ method }) => method,
  path: ({ url }) => url,
}

async function listed(filter: string, sort: Sort, limit: number) {
  const tree = readFilter(filter)
  // Analysis changes rows.
  expect(await test.store.deliveries.settled(20_000)).toBe(0)
  const first = await vi.waitFor(
    async () => {
      const page = await test.store.deliveries.page(tree, { from: 'newest', limit, sort })
      expect(page.ordered?.building).toBeUndefined()
      expect(page.ordered?.newer).toBe(0)
      return page
    },
    { timeout: 20_000 },
  )
  const upto = first.ordered?.upto ?? -1
  const rows: DeliveryRow[] = []
  for (let from = 0; from < first.total; from += limit) {
    const page = await test.store.deliveries.page(tree, { from, limit, sort: { ...sort, upto } })
    expect(page).toMatchObject({ from, total: first.total, ordered: { upto, newer: 0 } })
    rows.push(...page.rows)
  }
  expect(rows.slice(-limit)).toEqual(first.rows)
  return { shown: rows.toReversed(), upto }
}

function plainly(rows: readonly DeliveryRow[], { by, descending }: Sort): number[] {
  const ascending = rows.toSorted((a, b) => {
    const [x, y] = [KEYS[by](a), KEYS[by](b)]
    return x < y ? -1 : x > y ? 1 : a.id - b.id
  })
  return (descending ? ascending.toReversed() : ascending).map(({ id }) => id)
}

const everyRow = (filter: string) =>
  test.store.deliveries.scan(readFilter(filter), { after: null, limit: 1_000 })

const FILTERS = ['', ...words`kind:factura.* -verdict:valid size:>1kb method:PUT E31 -is:pinned`]

const TAGS = [['ñandú', 'zeta'], ['alfa'], ['zeta', 'beta']] as const

it('orders of a set are those of a plain sort', { tags: 'long', timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(delivery, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(...SORT_KEYS),
      fc.boolean(),
      fc.constantFrom(...FILTERS),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 9 }),
      async (more, by, descending, filter, limit, act) => {
        for (const one of more) await append(one)
        if (act === 0) await test.store.deliveries.retention({ keepNewest: 25 }, true)
        if (act > 6) await test.store.deliveries.annotate({ ids: [arrived], addTags: TAGS[act - 7] ?? [] })
        if (act === 1) await test.store.deliveries.pin([arrived], true)
        const sort = { by, descending }
        const { shown, upto } = await listed(filter, sort, limit)
        expect(shown.map(({ id }) => id)).toEqual(plainly(await everyRow(filter), sort))
        const place = { filter, sort: { ...sort, upto } }
        for (const [at, row] of shown.entries())
          expect(await test.store.deliveries['deliveries.locate']({ ...place, id: row.id })).toEqual({
            position: shown.length - 1 - at,
            member: true,
          })
      },
    ),
    { numRuns: runs(40) },
  )
})

it('orders of a set: wait for no answer that nobody was there to take, nor for one that a fault swallowed', async () => {
  const by = [null, { by: 'fault', effect: 'hang' }, { by: 'target', target: 'erp' }] as const
  for (const who of by) {
    arrived += 1
    const { id } = await test.store.capture.append(aDelivery({ receivedAt: START + arrived * 2_000 }))
    const status = who?.by === 'target' ? { status: 500, headers: [], body: new Uint8Array() } : null
    if (id !== null) test.store.capture.answered(id, null, { by: who, answer: status })
  }
  const all = await everyRow('')
  for (const key of ['answer', 'took'] as const) {
    const { shown } = await listed('', { by: key, descending: false }, 1_000)
    expect(shown).toHaveLength(all.length)
  }
}, 60_000)

it('orders of a set: a time leads to the first delivery at or after it, in any order; to the last one when nothing came since', async () => {
  for (let n = 0; n < 3; n++) await append(ONE)
  await test.store.deliveries.settled(20_000)
  const rows = await everyRow('')
  const [oldest, second] = rows
  const newest = rows.at(-1)
  const at = (instant: number, filter = '', sort?: Sort) =>
    test.store.deliveries['deliveries.at']({ filter, instant, ...(sort ? { sort } : {}) })
  const ms = (row?: DeliveryRow) => Math.ceil((row?.receivedAt ?? 0) / 1000)
  expect(await at(0)).toEqual({ position: 0, id: oldest?.id, receivedAt: oldest?.receivedAt })
  expect(await at(ms(oldest))).toMatchObject({ position: 0, id: oldest?.id })
  expect(await at(ms(oldest) + 1)).toMatchObject({ position: 1, id: second?.id })
  expect(await at(ms(newest) + 1)).toMatchObject({ position: rows.length - 1, id: newest?.id })
  for (const filter of ['method:PUT', 'kind:factura.*']) {
    const members = await everyRow(filter)
    const middle = members[members.length >> 1]
    expect(await at(ms(middle), filter)).toMatchObject({ position: members.length >> 1, id: middle?.id })
    const sort: Sort = { by: 'document', descending: false }
    const { shown, upto } = await listed(filter, sort, 50)
    const place = shown.length - 1 - shown.findIndex(({ id }) => id === middle?.id)
    expect(await at(ms(middle), filter, { ...sort, upto })).toMatchObject({ position: place, id: middle?.id })
  }
  expect(await at(0, 'kind:dgii.aprobado')).toEqual({ position: 0, id: null, receivedAt: null })
}, 60_000)

type Keys = readonly (number | string | null)[]
const number = fc.option(fc.integer({ min: -3, max: 3 }), { nil: null })
const text = fc.option(fc.constantFrom('', 'a', 'A', 'b', 'ñ', 'E310000000001'), { nil: null })
const rank = (key: Keys[number], type: 'number' | 'text') =>
  key ?? (type === 'text' ? '' : Number.NEGATIVE_INFINITY)

function plain(keys: Keys, type: 'number' | 'text'): number[] {
  const ids = keys.map((_, at) => at + 1)
  return ids.sort((a, b) => {
    const [x, y] = [rank(keys[a - 1] ?? null, type), rank(keys[b - 1] ?? null, type)]
    return x < y ? -1 : x > y ? 1 : a - b
  })
}

function sorted(keys: Keys, type: 'number' | 'text', pieces: number): Uint32Array {
  const runs = new SortedRuns(type)
  const size = Math.max(1, Math.ceil(keys.length / pieces))
  for (let at = 0; at < keys.length; at += size) {
    const part = keys.slice(at, at + size)
    const ids = part.map((_, i) => at + i + 1)
    runs.add(ids, part)
    // Without time it does nothing and loses nothing.
    runs.tidy(0)
    runs.tidy(Number.POSITIVE_INFINITY)
  }
  runs.finish(Number.POSITIVE_INFINITY)
  return runs.ids()
}

describe.each([
  ['number', fc.array(number, { maxLength: 200 })],
  ['text', fc.array(text, { maxLength: 200 })],
] as const)('an order by %s', (type, keys) => {
  it('takes in what arrived later without sorting again', () =>
    forAll(100, [keys as fc.Arbitrary<Keys>, fc.nat()], (all, cut) => {
      const known = cut % (all.length + 1)
      const before = sorted(all.slice(0, known), type, 3)
      const added = plain(all, type).filter((id) => id > known)
      const steps = mergedInto(before, Uint32Array.from(added), type, (id) => all[id - 1] ?? null)
      let step = steps.next()
      while (!step.done) step = steps.next()
      expect([...step.value]).toEqual(plain(all, type))
    }))
})

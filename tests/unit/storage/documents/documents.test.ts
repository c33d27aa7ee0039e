import { expect } from 'vitest'
import type { Kind } from '#catalog/kinds.ts'
import type { DocumentsParams } from '#contract/documents.ts'
import { documentFilter } from '#core/documents.ts'
import { readFilter } from '#core/filter/read.ts'
import type { Store } from '#core/ports.ts'
import { aBody, aUuid } from '../../../support/events.ts'
import { arrive, test } from '../fixture.ts'

const DAY = Date.UTC(2026, 10, 20)
const text = (minute: number): string => new Date(DAY + minute * 60_000).toISOString().replace('Z', '+00:00')

interface Sent {
  readonly kind: Kind
  readonly doc: number
  readonly minute: number
  readonly data?: Readonly<Record<string, unknown>>
  readonly rejected?: boolean
  readonly synthetic?: boolean
}

const send = (store: Store, events: readonly Sent[]) =>
  arrive(
    store,
    ...events.map(({ kind, doc, minute, data, rejected = false, synthetic = false }) => ({
      ...{ receivedAt: (DAY + minute * 60_000) * 1_000 + 500, rejected, synthetic },
      body: aBody(kind, { Timestamp: text(minute), data: { DocumentId: aUuid(doc), ...data } }),
    })),
  )

async function page(store: Store, change: Partial<DocumentsParams> = {}) {
  const sort = { by: 'first', descending: false } as const
  return store.deliveries['documents.page']({ query: '', sort, from: 0, limit: 100, ...change })
}
const numbers = async (store: Store, change: Partial<DocumentsParams>) =>
  (await page(store, change)).entries.map(({ key }) => Number.parseInt(key.slice(-4), 16))

const accounting = (Total: number) => ({ Accounting: { Total, CurrencyCode: 'DOP', IssuedAt: text(0) } })

const event = (kind: Kind, doc: number, minute: number, data = {}): Sent => ({ kind, doc, minute, data })

const WORLD: readonly Sent[] = [
  event('factura.created', 1, 0, {
    ...{ Number: 'E310000000001', CustomerName: 'Ferretería Ana', StatusId: 7, ...accounting(10) },
  }),
  event('dgii.aprobado', 1, 1),
  event('factura.updated', 1, 2, { Number: 'E310000000001', ...accounting(12) }),
  event('dgii.rechazado', 2, 3),
  // The answer has an earlier time than the invoice.
  event('factura.created', 3, 6, {
    ...{ Number: 'E310000000003', CustomerName: 'Colmado Luz', ...accounting(100) },
  }),
  event('dgii.aprobado', 3, 5),
  event('gasto.created', 4, 7, {
    ...{ Number: 'E430000000004', SupplierName: 'Papelería Sol', ...accounting(9) },
  }),
  event('gasto.anulated', 4, 8),
  event('gasto.updated', 4, 9, { Number: 'E430000000004', ...accounting(9) }),
]

test('a row has what is known of its document: its own words, else those of other events', async ({
  store,
}) => {
  await send(store, WORLD)
  const rows = await store.deliveries.scan(readFilter(''), { after: null, limit: 20 })
  const ana = { number: 'E310000000001', party: 'Ferretería Ana', currency: 'DOP' }
  expect(rows.map(({ kind, document }) => [kind, document])).toMatchObject([
    ['factura.created', { ...ana, total: '10' }],
    ['dgii.aprobado', { ...ana, total: '12' }],
    ['factura.updated', { ...ana, total: '12' }],
    ['dgii.rechazado', { number: null, party: null, total: null, currency: null }],
    ['factura.created', {}],
    ['dgii.aprobado', { number: 'E310000000003', party: 'Colmado Luz', total: '100' }],
    ['gasto.created', {}],
    ['gasto.anulated', { number: 'E430000000004', party: 'Papelería Sol', total: '9' }],
    ['gasto.updated', {}],
  ])
  await send(store, [{ kind: 'customer.created', doc: 9, minute: 20 }])
  const [customer] = await store.deliveries.scan(readFilter('kind:customer.*'), { after: null, limit: 1 })
  expect(customer?.document).toBeNull()
})

test('one row per document, added up from its events, with what its life lacks', async ({ store }) => {
  await send(store, WORLD)
  const { entries, total } = await page(store)
  expect(total).toBe(4)
  const statusId = expect.any(Number)
  expect(entries).toMatchObject([
    { family: 'invoice', events: 3, gaps: [], lastKind: 'factura.updated', statusId },
    { family: 'invoice', events: 1, gaps: ['no-created'], lastKind: 'dgii.rechazado', statusId: 6 },
    { family: 'invoice', events: 2, gaps: ['status-before-created'], lastKind: 'factura.created', statusId },
    { family: 'expense', events: 3, gaps: ['after-void'], lastKind: 'gasto.updated', statusId },
  ])
  expect(entries[0]).toMatchObject({
    ...{ documentId: aUuid(1), number: 'E310000000001', party: 'Ferretería Ana' },
    ...{ total: '12', currency: 'DOP', firstAt: DAY * 1_000, lastAt: (DAY + 120_000) * 1_000 },
  })
})

test('what is rejected tells nothing, what was rebuilt is counted apart', async ({ store }) => {
  await send(store, [
    { kind: 'factura.created', doc: 1, minute: 0, rejected: true },
    { kind: 'dgii.aprobado', doc: 2, minute: 1 },
    { kind: 'factura.created', doc: 2, minute: 0, synthetic: true, data: { Number: 'E310000000002' } },
    { kind: 'factura.created', doc: 3, minute: 4, synthetic: true },
  ])
  const { entries } = await page(store)
  expect(entries.map(({ events, recovered, gaps }) => [events, recovered, gaps])).toEqual([
    [1, 1, ['no-created']],
    [0, 1, ['no-created']],
  ])
  expect(entries[0]?.number).toBe('E310000000002')
  const life = await store.deliveries['documents.get']({ key: aUuid(2) })
  const told = life?.steps.map(({ row, changed }) => [row.kind, row.marks.includes('synthetic'), changed])
  expect(told).toEqual([
    ['factura.created', true, []],
    ['dgii.aprobado', false, []],
  ])
})

test('a filter holds when one event fits; words look in number, id and party', async ({ store }) => {
  await send(store, WORLD)
  for (const [query, wanted] of [
    ['kind:dgii.*', [1, 2, 3]],
    ['kind:dgii.* -kind:*.created', [2]],
    ['group:expenses or kind:dgii.rechazado', [2, 4]],
    ['ferreter', [1]],
    ['"E43000"', [4]],
    [`doc:${aUuid(3)}`, [3]],
    ['is:out-of-order', [3]],
    ['party:papeleria', [4]],
    ['PAPELERIA', [4]],
    ['number:E31* -number:*0003', [1]],
    ['status:6', [2]],
    ['50%', []],
  ] as const)
    expect([query, await numbers(store, { query })]).toEqual([query, wanted])
  expect(await numbers(store, { query: '-status:5..6' })).not.toContain(2)
  expect(await numbers(store, { gaps: ['no-created', 'after-void'] })).toEqual([2, 4])
  expect(() => documentFilter(readFilter('is:pinned'))).toThrow(/is: takes .*; documents can be filtered by/)
  expect(() => documentFilter(readFilter('endpoint:erp'))).toThrow(/single deliveries/)
  expect(() => documentFilter(readFilter('/E31/'))).toThrow(/^an expression .* asks about single deliveries/)
  expect(() => documentFilter(readFilter('received:today'))).toThrow(/timestamp: asks when events happened/)
})

test('timestamp: holds when one of its events happened then', async ({ store }) => {
  const events = [...WORLD, event('gasto.updated', 4, 20)]
  await send(store, [...events, { ...event('factura.updated', 1, 9), rejected: true }])
  const at = (minute: number) => text(minute).slice(0, 16)
  for (const range of ['0-0', '1-1', '2-4', '8-8', '9-9', '10-19', '20-30', '30-40']) {
    const [from = 0, to = 0] = range.split('-').map(Number)
    const told = events.filter(({ minute }) => minute >= from && minute <= to).map(({ doc }) => doc)
    const wanted = [...new Set(told)].sort()
    const query = `timestamp:${at(from)}z..${at(to)}z`
    expect((await numbers(store, { query })).sort()).toEqual(wanted)
  }
  expect(await numbers(store, { query: `timestamp:>=${at(8)}z` })).toEqual([4])
  expect(await numbers(store, { query: `timestamp:<${at(3)}z -kind:gasto.*` })).toEqual([1])
})

test('every column sorts, in both directions, and positions go on where a page ends', async ({ store }) => {
  await send(store, WORLD)
  const by = (name: DocumentsParams['sort']['by'], descending: boolean) =>
    numbers(store, { sort: { by: name, descending } })
  expect(await by('total', true)).toEqual([3, 1, 4, 2])
  expect(await by('number', false)).toEqual([1, 3, 4, 2])
  expect(await by('party', false)).toEqual([3, 1, 4, 2])
  expect(await by('last', true)).toEqual([4, 3, 2, 1])
  expect((await by('events', true)).slice(2)).toEqual([3, 2])
  expect(await numbers(store, { from: 1, limit: 2 })).toEqual([2, 3])
})

test('a life has its events in order, what each changed, and what is odd about its place', async ({
  store,
}) => {
  await send(store, WORLD)
  const plain = await store.deliveries['documents.get']({ key: aUuid(1) })
  const kinds = ['factura.created', 'dgii.aprobado', 'factura.updated']
  expect(plain?.steps.map(({ row }) => row.kind)).toEqual(kinds)
  expect(plain?.steps[0]?.changed).toEqual([])
  expect(plain?.steps[1]?.changed).toEqual([{ fact: 'statusId', before: '7', after: '5' }])
  expect(plain?.steps[2]?.changed).toContainEqual({ fact: 'total', before: '10', after: '12' })
  const early = await store.deliveries['documents.get']({ key: aUuid(3) })
  expect(early?.steps.map(({ row, gap }) => [row.kind, gap])).toEqual([
    ['dgii.aprobado', 'status-before-created'],
    ['factura.created', null],
  ])
  const after = await store.deliveries['documents.get']({ key: aUuid(4) })
  expect(after?.steps.at(-1)?.gap).toBe('after-void')
  expect(await store.deliveries['documents.get']({ key: aUuid(9) })).toBeNull()
})

test('retention takes events out of their document, and it with the last of them', async ({ store }) => {
  await send(store, WORLD)
  await store.deliveries.retention({ keepNewest: 8 }, true)
  await expect.poll(async () => (await page(store)).entries[0]?.events).toBe(2)
  const left = { number: 'E310000000001', party: null, total: '12' }
  expect((await page(store)).entries[0]).toMatchObject({ gaps: ['no-created'], ...left })
  const [answer] = await store.deliveries.scan(readFilter('kind:dgii.aprobado'), { after: null, limit: 1 })
  expect(answer?.document).toMatchObject(left)
  await store.deliveries.retention({ keepNewest: 3 }, true)
  await expect.poll(async () => (await page(store)).total).toBe(1)
})

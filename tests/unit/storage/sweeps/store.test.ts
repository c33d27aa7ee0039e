import { statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storeFiles } from '#storage/disk/files.ts'
import { openReplays } from '#storage/schema/replays.ts'
import { plant, sweep } from '../../../bench/reconcile-world.ts'
import { aUuid } from '../../../support/events.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import {
  accounting,
  aPage,
  aSweep,
  event,
  ISSUED,
  item,
  planted,
  storeIn,
  swept,
  theTerms,
} from './support.ts'

const RAW = `{ "DocumentId" : "${aUuid(9)}",\n "Accounting": {"Total": 14.00, "IssuedAt": "${ISSUED}"}, "Ñ": "\\u00e1" }`

test('items are kept byte for byte; one that comes again takes the place of the earlier one', () => {
  const store = storeIn(tempFolder())
  const { id } = store.add(aSweep())
  store.save(id, aPage([RAW, item(1)]))
  const saved = store.save(id, aPage([item(1, { Total: 7 })], { retries: 2, reached: ISSUED }))
  expect(saved).toMatchObject({ items: 3, documents: 2, pages: 2, requests: 2, retries: 2, reached: ISSUED })
  expect(Buffer.from(store.item(id, aUuid(9)) ?? []).toString()).toBe(RAW)
  expect(Buffer.from(store.item(id, aUuid(1)) ?? []).toString()).toContain('"Total":7')
  expect(store.item(id, 'nobody')).toBeUndefined()
  expect(store.walk(id)).toEqual({ mode: 'done' })
  expect(store.remove(id)).toBe(1)
  expect([store.get(id), store.item(id, aUuid(1)), store.remove(id)]).toEqual([undefined, undefined, 0])
  expect(() => store.save(id, aPage([]))).toThrow(expect.objectContaining({ code: 'not-found' }))
})

test('items that name no document are counted each once, and by whoever goes on with the sweep', () => {
  const folder = tempFolder()
  const before = storeIn(folder)
  const { id } = before.add(aSweep())
  before.save(id, aPage([item(1), { Total: 1 }, { Number: '' }, { Number: 'E31' }]))
  before.close()
  const after = storeIn(folder)
  after.save(id, aPage([{ Total: 1 }, { DocumentId: null, Total: 2 }]))
  expect(after.nameless(id)).toBe(3)
  expect(after.nameless(after.add(aSweep()).id)).toBe(0)
})

test('the file is for this user alone; a damaged one is set aside and said', () => {
  const folder = tempFolder()
  const { sweeps } = storeFiles(folder)
  storeIn(folder).close()
  expect(statSync(sweeps).mode & 0o777).toBe(0o600)
  writeFileSync(sweeps, Buffer.alloc(8_192, 7))
  const warnings: string[] = []
  const fresh = storeIn(folder, (message) => warnings.push(message))
  expect(fresh.list()).toEqual([])
  expect(warnings).toEqual([expect.stringContaining('starts again empty')])
})

test('a summary says counts, missed events, exact money at stake by currency, days in the zone, first and last miss', () => {
  const late = '2026-10-07T01:30:00+00:00'
  const changed = event('factura.created', 5, { Accounting: accounting({ Total: 3 }) })
  const items = [
    ...[item(1), item(2, { Total: 0.1 }), item(3, { Total: 0.2, IssuedAt: late })],
    ...[item(4, { Total: 5, CurrencyCode: 'USD' }), item(5)],
  ].map((one) => ({ IssuedAt: one.Accounting.IssuedAt, ...one }))
  const { store, id } = swept([{ body: event('factura.created', 1) }, { body: changed }], items)
  const summary = store.compare(id, theTerms())
  expect(summary).toMatchObject({
    counts: { missing: 3, differs: 1, matched: 1, 'webhook-only': 0 },
    missedEvents: { 'factura.created': 3, 'factura.updated': 1 },
    atStake: [
      { currency: 'DOP', amount: '0.30', documents: 2 },
      { currency: 'USD', amount: '5.00', documents: 1 },
    ],
    firstMissing: Date.parse(ISSUED) * 1_000,
    lastMissing: Date.parse(late) * 1_000,
    ignored: 0,
    // The update is only possibly missed, so it does not count.
    notRecovered: 3,
  })
  // 01:30 UTC is the evening before in Santo Domingo.
  expect(summary.days.map(({ day, counts }) => [day, counts.missing, counts.matched])).toEqual([
    ['2026-10-05', 2, 1],
    ['2026-10-06', 1, 0],
  ])
  const { days } = store.compare(id, theTerms({ zone: 'UTC' }))
  expect(days.map(({ day }) => day)).toEqual(['2026-10-05', '2026-10-07'])
})

test('rows are paged by issue date, filtered by class, and found by id, number, party and note', () => {
  const { store } = planted({ body: event('factura.created', 1) })
  const { id } = store.add(aSweep())
  expect(() => store.rows(id, { from: 0, limit: 1 })).toThrow(expect.objectContaining({ code: 'conflict' }))
  store.save(id, aPage([3, 1, 2].map((n) => ({ IssuedAt: `2026-10-0${n}T00:00:00Z`, ...item(n) }))))
  store.compare(id, theTerms())
  const keys = (query: object) => store.rows(id, { from: 0, limit: 9, ...query }).rows.map(({ key }) => key)
  expect(keys({})).toEqual([aUuid(1), aUuid(2), aUuid(3)])
  expect(keys({ classes: ['missing'] })).toEqual([aUuid(2), aUuid(3)])
  const second = { from: 1, total: 3, rows: [{ key: aUuid(2) }] }
  expect(store.rows(id, { from: 1, limit: 1 })).toMatchObject(second)
  expect(keys({ text: 'CLIENTE 3' })).toEqual([aUuid(3)])
  expect(keys({ text: '0001' })).toEqual([aUuid(1)])
  // A day in the connection's zone, where midnight UTC is the evening before.
  expect(keys({ text: '2026-10-01' })).toEqual([aUuid(2)])
  expect(store.annotate('main', [aUuid(2), aUuid(3)], { note: 'Pedro lo sabe' })).toBe(2)
  expect(store.annotate('main', [aUuid(2)], { note: 'Pedro lo sabe', ignored: 'prueba' })).toBe(1)
  expect(keys({ text: 'pedro', classes: ['missing'] })).toEqual([aUuid(2), aUuid(3)])
  expect(store.compare(id, theTerms()).ignored).toBe(1)
  const later = store.add(aSweep()).id
  store.save(later, aPage([item(2)]))
  store.compare(later, theTerms())
  const found = (text: string) => store.rows(later, { from: 0, limit: 9, text }).rows
  expect(found('pedro')).toMatchObject([{ key: aUuid(2), note: 'Pedro lo sabe', ignored: 'prueba' }])
  expect(store.annotate('main', [aUuid(2)], { note: null, ignored: null })).toBe(1)
  expect(found(aUuid(2))).toMatchObject([{ note: null, ignored: null }])
})

test('what is captured, and deleted, after a comparison makes it anew', () => {
  const { world, store, id } = swept([], [item(1)])
  const missing = () => store.compare(id, theTerms()).counts.missing
  expect(missing()).toBe(1)
  const delivery = world.plant([{ body: event('factura.created', 1) }])
  expect(missing()).toBe(0)
  world.delete(delivery)
  expect(missing()).toBe(1)
})

test('another mapping reads the stored items anew', () => {
  const items = [{ Ref: aUuid(1), Cuenta: accounting() }]
  const { store, id } = swept([{ body: event('factura.created', 1) }], items)
  const unread = { missing: 0, 'webhook-only': 0, 'cannot-tell': 2 }
  expect(store.compare(id, theTerms()).counts).toMatchObject(unread)
  const mapping = { documentId: '/Ref', accounting: '/Cuenta' }
  expect(store.compare(id, theTerms({ mapping })).counts).toMatchObject({ matched: 1, 'webhook-only': 0 })
  expect(store.get(id)).toMatchObject({ documents: 1, mapping })
})

test('treasury lists debts only: what it does not list is no finding', () => {
  const treasury = { range: { route: 'treasury' as const } }
  const { store, id } = swept([{ body: event('factura.created', 1) }], [item(2)], treasury)
  expect(store.compare(id, theTerms()).counts).toMatchObject({ missing: 1, 'webhook-only': 0 })
})

test('a document shows both sides, the other route, differences as sent, and what is known about the time', () => {
  const at = Date.parse(ISSUED) * 1_000
  const { world, store } = planted(
    { body: event('factura.updated', 1), receivedAt: at + 5_000_000 },
    { body: event('factura.updated', 1), receivedAt: at + 6_000_000 },
    { body: event('factura.created', 1), rejected: true, answer: 401, receivedAt: at + 7_000_000 },
    { body: `{"Event":"factura.created","data":{"DocumentId":"${aUuid(1)}",`, receivedAt: at + 8_000_000 },
    { body: event('factura.created', 2), answer: 503, receivedAt: at + 9_000_000 },
    { body: event('factura.created', 1), synthetic: true, receivedAt: at + 10_000_000 },
  )
  world.cover('off', at / 1_000 - 5, at / 1_000 + 60_000)
  const { id } = store.add(aSweep())
  const other = store.add(aSweep({ range: { route: 'treasury' } })).id
  store.save(id, aPage([{ IssuedAt: ISSUED, ...item(1, { Total: 100.2, AmountDue: 3 }) }]))
  store.save(other, aPage([item(1, { Total: 0 })]))
  store.compare(id, theTerms())
  const { row, ...document } = store.document(id, aUuid(1))
  expect(row).toMatchObject({ class: 'missing', events: ['factura.updated', 'factura.updated'] })
  expect(row.missed.map(({ rule }) => rule)).toEqual(['no-created', 'values-differ'])
  expect(document.differences).toEqual([
    { field: 'Total', captured: '100.1', service: '100.2', ignored: false, shared: false },
    { field: 'AmountDue', captured: '0', service: '3', ignored: true, shared: false },
  ])
  expect(document.deliveries.map(({ id: one }) => one)).toEqual([1, 2, 6])
  const synthetic = document.deliveries.map(({ marks }) => marks.includes('synthetic'))
  expect(synthetic).toEqual([false, false, true])
  expect(JSON.parse(document.item ?? '')).toMatchObject({ Accounting: { Total: 100.2 } })
  expect(JSON.parse(document.otherItem ?? '')).toMatchObject({ Accounting: { Total: 0 } })
  expect(document.evidence).toMatchObject([
    { type: 'coverage', spans: [{ state: 'off' }] },
    { type: 'answers', status: 401, count: 1 },
    { type: 'answers', status: 503, count: 1 },
    { type: 'lookalike', deliveries: [{ id: 3 }, { id: 4 }] },
    { type: 'duplicates', deliveries: [{ id: 2 }] },
  ])
  expect(() => store.document(id, 'nobody')).toThrow(expect.objectContaining({ code: 'not-found' }))
})

test('rebuilt events are remembered by document, and recovered once one was taken', () => {
  const { world, store, id } = swept([], [item(1), item(2)])
  store.compare(id, theTerms())
  const missing = [...store.recoverable(id, { classes: ['missing'] })]
  expect(missing.map(({ row }) => row.key)).toEqual([aUuid(1), aUuid(2)])
  expect(missing.every(({ raw, rebuilt }) => raw !== null && rebuilt.size === 0)).toBe(true)
  const deliveryId = world.plant([{ body: event('factura.created', 2), synthetic: true }])
  store.addRebuilt(id, [{ key: aUuid(2), kind: 'factura.created', rule: 'no-created', deliveryId }])
  expect(store.rebuiltDeliveries(id, 0, 9)).toMatchObject([{ id: deliveryId, marks: ['synthetic'] }])
  const [one, ...others] = store.recoverable(id, { documents: [aUuid(2)] })
  expect([[...(one?.rebuilt ?? [])], others]).toEqual([['factura.created'], []])
  const row = () => store.rows(id, { from: 0, limit: 9, text: aUuid(2) }).rows[0]
  const done = (now: object) => expect(store.compare(id, theTerms())).toMatchObject({ ...now })
  // A synthetic delivery is not a captured one.
  done({ counts: { missing: 2, recovered: 0 }, notRecovered: 2 })
  expect(row()?.recovered).toBeNull()

  const replays = openReplays(storeFiles(world.folder).replays, (message) => expect.unreachable(message))
  replays.exec(`INSERT INTO attempt (delivery_id, state, ok, status, started_at, edited, again, try, target, method, url, body_size, headers)
    VALUES (${deliveryId}, 1, 0, 500, 3, 0, 0, 1, 't', 'POST', 'u', 0, x''), (${deliveryId}, 1, 1, 204, 4, 0, 0, 2, 't', 'POST', 'u', 0, x'')`)
  replays.close()

  done({ counts: { missing: 1, recovered: 1 }, notRecovered: 1, atStake: [{ documents: 1 }] })
  expect(store.compare(id, theTerms()).days.map(({ counts }) => counts.recovered)).toContain(1)
  // Open documents come first; the event is still not captured, so the rule stays.
  expect(store.rows(id, { from: 0, limit: 9 }).rows.map((one) => [one.class, one.missed[0]?.rule])).toEqual([
    ['missing', 'no-created'],
    ['recovered', 'no-created'],
  ])
  const found = [...store.recoverable(id, { classes: ['missing', 'recovered'], text: aUuid(2) })]
  expect(found.map(({ row: { key } }) => key)).toEqual([aUuid(2)])
  store.annotate('main', [aUuid(1)], { ignored: 'known' })
  done({ ignored: 1, notRecovered: 0 })
  store.annotate('main', [aUuid(1)], { ignored: null })
  expect(row()?.recovered).toEqual({ at: 4, status: 204 })
  store.renameConnection('main', 'principal')
  store.compare(id, theTerms())
  expect(row()?.recovered).toEqual({ at: 4, status: 204 })
  expect(store.list('principal')).toHaveLength(1)
  world.delete(deliveryId)
  expect(store.rebuiltDeliveries(id, 0, 9)).toEqual([])
})

test('before the databases of deliveries are set aside they are let go of, until they are there again (Windows, renaming)', () => {
  const { store, id } = swept([{ body: event('factura.created', 1) }], [item(1)])
  const compared = store.compare(id, theTerms())
  store.releaseCaptured()
  expect(() => store.compare(id, theTerms())).toThrow(expect.objectContaining({ code: 'store-failed' }))
  store.reopenCaptured()
  expect(store.compare(id, theTerms())).toEqual(compared)
})

test('what a former process left running is paused; a finished sweep stays as it is', () => {
  const folder = tempFolder()
  const store = storeIn(folder)
  const [running, done] = [store.add(aSweep()).id, store.add(aSweep()).id]
  store.change(done, { state: 'complete', endedAt: 7 })
  store.close()
  const next = storeIn(folder)
  expect(next.recover()).toEqual([running])
  expect(next.list().map(({ id, state }) => [id, state])).toEqual([
    [done, 'complete'],
    [running, 'paused'],
  ])
  expect(next.walk(running)).toEqual({ mode: 'walk' })
})

test('each sweep is compared with what was captured by its own end: what was healed, what became missing, what newly differs', () => {
  const end = 1_793_000_000_000
  const issued = (n: number, change: object = {}) => item(n, change, { IssuedAt: ISSUED })
  const created = (n: number, ms: number) => ({ body: event('factura.created', n), receivedAt: ms * 1_000 })
  const { world, store } = planted(created(1, end - 9_000), created(2, end - 8_000), created(6, end))
  const first = store.add(aSweep())
  store.save(first.id, aPage([issued(1), issued(2), issued(3), issued(4), issued(7)]))
  // The event of 3 was only late; 4 stays missing; 2 has another total later; 5 is new and missing; 7 is no longer listed.
  world.plant([created(3, end + 9_000)])
  const second = store.add(aSweep())
  store.save(second.id, aPage([issued(1), issued(2, { Total: 7 }), issued(3), issued(4), issued(5)]))
  const compared = store.compareSweeps(
    { sweep: first.id, terms: theTerms({ now: end }) },
    { sweep: second.id, terms: theTerms({ now: end + 86_400_000 }) },
  )
  expect(compared).toMatchObject({
    earlier: { sweep: { id: first.id }, counts: { matched: 2, missing: 3, 'webhook-only': 1 } },
    later: { sweep: { id: second.id }, counts: { matched: 2, missing: 2, differs: 1, 'webhook-only': 1 } },
    changes: { 'became-missing': 1, 'newly-differs': 1, healed: 1, 'webhook-only': 0, other: 1 },
    ...{ stillMissing: 1, stillMissingRecovered: 0, listedEarlierOnly: 1, listedLaterOnly: 1 },
  })
  const rows = compared.rows.map(({ difference, before, after, row }) => [difference, before, after, row.key])
  expect(rows).toEqual([
    ['became-missing', null, 'missing', aUuid(5)],
    ['newly-differs', 'matched', 'differs', aUuid(2)],
    ['healed', 'missing', 'matched', aUuid(3)],
    ['other', 'missing', null, aUuid(7)],
  ])
  // The first comparison becomes the present one again.
  expect(store.compare(first.id, theTerms()).counts).toMatchObject({ matched: 3, missing: 2 })
})

const MIB = 1024 * 1024

test('20,000 items against 60,000 deliveries: every loss is found, in bounded memory, and any page can be read', {
  tags: 'long',
  timeout: 120_000,
}, () => {
  const folder = tempFolder()
  const documents = plant(folder, 60_000, 20_000)
  const store = storeIn(folder)
  const { id } = sweep(store, documents)
  const before = process.memoryUsage().rss
  const { counts } = store.compare(id, theTerms())
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(documents.length)
  const last = store.rows(id, { from: documents.length - 50, limit: 50 })
  expect(last.rows).toHaveLength(50)
  expect(last.total).toBe(documents.length)
  expect(store.rows(id, { classes: ['missing'], from: 0, limit: 1 }).total).toBe(counts.missing)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB)
})

import { expect, test } from 'vitest'
import type { ItemEnd } from '#core/replay/ports.ts'
import {
  addJob,
  attempt,
  attemptOf,
  commit,
  counts,
  ended,
  everything,
  ledgerIn,
  ledgerOver,
  options,
  preview,
  selected,
} from './support.ts'

test('an unknown id of a selection is simply not there, and a repeated one counts once', () => {
  const { ledger } = ledgerOver(4)
  const source = { type: 'ids', ids: [4, 2, 2, 99] } as const
  expect(preview(ledger, source, []).count).toBe(2)
  const { id } = addJob(ledger, source)
  expect(ledger.waiting(id, 0, 10).map(({ deliveryId }) => deliveryId)).toEqual([2, 4])
})

test("a document's life is found whatever the case of its id, A-Z", () => {
  const { store, ledger } = ledgerOver(0)
  store.plant(['3f2a', 'other', '3f2a'].map((documentKey, i) => ({ id: i + 1, documentKey })))
  store.plant([{ id: 4, documentKey: '3f2a', unjudged: true }])
  const { id } = addJob(ledger, { type: 'document', documentId: '3F2A' })
  expect(ledger.waiting(id, 0, 10).map(({ deliveryId, documentKey }) => [deliveryId, documentKey])).toEqual([
    [1, '3f2a'],
    [3, '3f2a'],
  ])
})

test('the preview tells how many, how large, how long ago, and what is excluded and why', () => {
  const { store, ledger } = ledgerOver(0)
  store.plant([
    { id: 1, receivedAt: 1_000, size: 10 },
    { id: 2, receivedAt: 5_000, malformed: 'cut-off' },
    { id: 3, receivedAt: 6_000, rejected: true, size: 7 },
    { id: 4, receivedAt: 9_000, replay: true },
    { id: 5, receivedAt: 20_000, size: 30 },
    { id: 6, receivedAt: 15_000, unjudged: true, size: 1 },
    { id: 7, receivedAt: 16_000, rejected: true, malformed: 'timeout' },
  ])
  expect(preview(ledger, everything, [])).toEqual({
    count: 3,
    excluded: [
      { reason: 'malformed', count: 2 },
      { reason: 'rejected', count: 1 },
      { reason: 'replay', count: 1 },
    ],
    bytes: 41,
    oldest: 1_000,
    newest: 20_000,
    spanUs: 19_000,
  })
  const all = preview(ledger, everything, ['rejected', 'replay'])
  expect(all).toMatchObject({ count: 5, excluded: [{ reason: 'malformed', count: 2 }], bytes: 50 })
  const { id } = addJob(ledger, everything, options({ include: ['rejected', 'replay'] }), 0)
  expect(ledger.waiting(id, 0, 10).map(({ deliveryId }) => deliveryId)).toEqual([1, 3, 4, 5, 6])
  const none = { count: 0, excluded: [], bytes: 0, oldest: null, newest: null, spanUs: 0 }
  expect(preview(ledger, { type: 'ids', ids: [99] }, [])).toEqual(none)
})

test('every end of an entry is counted where it belongs; what goes back keeps its place', () => {
  const { ledger } = ledgerOver(5)
  const { id } = addJob(ledger)
  const ends: readonly (readonly [ItemEnd, number | null])[] = [
    ...[['done', 200] as const, ['failed', 500] as const, ['dropped', null] as const],
    ['waiting', 503],
  ]
  for (const [end, status] of ends) {
    const [item] = ledger.waiting(id, 0, 1)
    if (!item) throw new Error('nothing waits')
    const begun = attemptOf(ledger.reserveIds(1), item)
    commit(ledger, [begun], [ended(begun, end, status)])
  }
  expect(ledger.counts(id)).toEqual(counts({ total: 5, waiting: 2, done: 1, failed: 1, dropped: 1 }))
  expect(ledger.waiting(id, 0, 10).map(({ seq, tries }) => [seq, tries])).toEqual([
    [4, 1],
    [5, 0],
  ])
  expect(ledger.requeueFailed(id)).toBe(1)
  expect(ledger.waiting(id, 0, 10).map(({ seq, tries }) => [seq, tries])).toEqual([
    [2, 0],
    [4, 1],
    [5, 0],
  ])
  expect(ledger.clearWaiting(id)).toBe(3)
  expect(ledger.counts(id)).toEqual(counts({ total: 5, done: 1, dropped: 4 }))
  expect(ledger.waiting(id, 0, 10)).toEqual([])
})

test('in one commit an entry may come back and go out again, and an attempt begin and end', () => {
  const { ledger } = ledgerOver(2)
  const { id } = addJob(ledger)
  const [first, second] = ledger.waiting(id, 0, 2)
  if (!first || !second) throw new Error('two wait')
  const one = attemptOf(1, first)
  ledger.commit({ ended: [], begun: [one] })
  const again = attemptOf(2, { ...first, tries: 1 })
  const gone = attemptOf(3, second)
  ledger.commit({ ended: [ended(gone, 'failed', null), ended(one, 'waiting', 503)], begun: [again, gone] })
  expect(ledger.counts(id)).toEqual(counts({ total: 2, sending: 1, failed: 1 }))
  expect(ledger.attempts({ of: { job: id }, limit: 9 }).map(({ state, ok }) => [state, ok])).toEqual([
    ['failed', false],
    ['sending', null],
    ['answered', false],
  ])
})

test('deliveries that must be opened are looked at step by step, and what a preview found is not looked at again', () => {
  const { store: planted, ledger } = ledgerOver(3_000)
  const source = { type: 'filter', filter: '/^x{2}$/ -endpoint:erp' } as const
  const selecting = ledger.select(source, [])
  expect(selecting.step()).toBe(false)
  const { scanned, of } = selecting.progress()
  expect([scanned > 0, scanned < 3_000, of]).toEqual([true, true, 3_000])
  expect(selecting.selected.count).toBe(scanned)
  // A second selection of the same source continues at the same progress.
  expect(ledger.select(source, []).progress()).toEqual({ scanned, of })
  expect(preview(ledger, source, [])).toEqual(preview(ledger, { type: 'filter', filter: '' }, []))
  expect(ledger.select(source, []).progress()).toEqual({ scanned: 3_000, of: 3_000 })
  // New arrivals are scanned too; deleted or excluded deliveries are not queued.
  planted.plant([{ id: 3_001 }, { id: 3_002, endpoint: 'erp' }])
  planted.delete(7)
  const job = addJob(ledger, source)
  expect(ledger.counts(job.id)).toEqual(counts({ total: 3_000, waiting: 3_000 }))
  const queued = ledger.waiting(job.id, 0, 10_000).map(({ deliveryId }) => deliveryId)
  expect([queued[6], queued.at(-1)]).toEqual([8, 3_001])
})

test('a queue is made in several commits; a process that ends between them leaves neither job nor queue', () => {
  const { folder, ledger: killed } = ledgerOver(5_000)
  const made = killed.newJob(selected(killed, everything, []), everything, options(), 0)
  expect(made.step()).toBeUndefined()
  expect(killed.jobs()).toEqual([])
  const ledger = ledgerIn(folder)
  ledger.recover()
  expect(ledger.jobs()).toEqual([])
  expect(ledger.counts(1)).toEqual(counts({}))
  expect(ledger.waiting(1, 0, 10)).toEqual([])
  expect(addJob(ledger).id).toBeGreaterThan(1)
})

test('of the members of a filter that come and go, a job takes those of its start', () => {
  const { ledger } = ledgerOver(3)
  const unsent = { type: 'filter', filter: '-has:attempt' } as const
  expect(preview(ledger, unsent, []).count).toBe(3)
  ledger.commit({ ended: [], begun: [attempt(1, { deliveryId: 2 })] })
  const { id } = addJob(ledger, unsent)
  expect(ledger.waiting(id, 0, 10).map(({ deliveryId }) => deliveryId)).toEqual([1, 3])
  const sent = addJob(ledger, { type: 'filter', filter: 'is:replayed' })
  expect(ledger.waiting(sent.id, 0, 10).map(({ deliveryId }) => deliveryId)).toEqual([2])
})

test('after a restart jobs that ran are paused by it, what was on its way waits again, attempts by hand are uncertain', () => {
  const { folder, ledger } = ledgerOver(3)
  const ids = [1, 2, 3, 4].map(() => addJob(ledger).id)
  const [ran = 0, paused = 0, stopped = 0] = ids
  ledger.changeJob(ran, { state: 'running' })
  ledger.changeJob(paused, { pausedBy: 'user' })
  ledger.changeJob(stopped, { state: 'stopped' })
  const [item] = ledger.waiting(ran, 0, 1)
  if (!item) throw new Error('nothing waits')
  ledger.commit({ ended: [], begun: [attemptOf(1, item), attempt(2, { deliveryId: 3 })] })
  ledger.close()

  const next = ledgerIn(folder)
  expect(next.recover()).toBe(2)
  expect(ids.map((id) => [next.job(id)?.state, next.job(id)?.pausedBy])).toEqual([
    ['paused', 'restart'],
    ['paused', 'user'],
    ['stopped', null],
    ['paused', 'restart'],
  ])
  expect(next.counts(ran)).toEqual(counts({ total: 3, waiting: 3, uncertain: 1 }))
  expect(next.waiting(ran, 0, 1)).toEqual([{ ...item, tries: 1, again: true }])
  expect(next.attempt(2)).toMatchObject({ state: 'uncertain', ok: null, tookUs: null, answer: null })
  expect(next.attempts({ of: { job: ran }, failed: true, limit: 9 }).map(({ id }) => id)).toEqual([1])
})

import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { attempt, attemptOf, captured, counts, ended, forward, ledgerIn, sendNext } from './support.ts'

const all = readFilter('')
type Ledger = ReturnType<typeof ledgerIn>
const laneOf = (ledger: Ledger, target = 'local', name = 'to-erp') => {
  const found = ledger.forwardLanes().find((lane) => lane.forward === name && lane.target === target)
  if (!found) throw new Error(`no lane to ${target}`)
  return found.lane
}
const queued = (ledger: Ledger, lane: number) =>
  ledger.waiting(lane, 0, 100).map(({ deliveryId }) => deliveryId)

test('a lane is fed with what came after it was made, once, and only with what may be forwarded', () => {
  const store = captured(0)
  store.plant([
    { id: 1 },
    { id: 2, documentKey: 'a' },
    { id: 3, rejected: true },
    { id: 4, malformed: 'timeout' },
    { id: 5, replay: true },
    { id: 6, endpoint: 'other' },
    { id: 7 },
  ])
  const ledger = ledgerIn(store.folder)
  ledger.saveForward(undefined, forward(), 1)
  const lane = laneOf(ledger)
  expect(ledger.forwardLanes()).toEqual([{ lane, forward: 'to-erp', target: 'local', fedUpto: 1 }])
  expect(ledger.feed(lane, readFilter('endpoint:default'), 6).count).toBe(1)
  expect(ledger.feed(lane, readFilter('endpoint:default'), 6).count).toBe(0)
  expect(ledger.feed(lane, readFilter('endpoint:default'), 5).count).toBe(0)
  expect(ledger.forwardLanes()[0]?.fedUpto).toBe(6)
  expect(ledger.feed(lane, all, 7).count).toBe(1)
  expect(ledger.waiting(lane, 0, 10).map(({ seq, documentKey }) => [seq, documentKey])).toEqual([
    [2, 'a'],
    [7, null],
  ])
  expect(ledger.counts(lane)).toEqual(counts({ total: 2, waiting: 2 }))
  expect(ledger.feed(99, all, 7).count).toBe(0)
})

test('a target that is down keeps its queue in order, over a restart too', () => {
  const { folder } = captured(5)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward(), 0)
  const lane = laneOf(ledger)
  ledger.feed(lane, all, 5)
  sendNext(ledger, lane, 'done')
  sendNext(ledger, lane, 'waiting', 503)
  ledger.close()
  const next = ledgerIn(folder)
  expect(next.forwards()).toEqual([forward()])
  expect(queued(next, lane)).toEqual([2, 3, 4, 5])
  expect(next.counts(lane)).toEqual(counts({ total: 5, waiting: 4, done: 1 }))
})

test('lanes come and go with their targets; those that stay keep their queue', () => {
  const { folder } = captured(4)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward({ targets: ['a', 'b', 'b'] }), 0)
  const a = laneOf(ledger, 'a')
  const b = laneOf(ledger, 'b')
  expect(ledger.forwardLanes()).toHaveLength(2)
  for (const lane of [a, b]) ledger.feed(lane, all, 3)
  ledger.saveForward('to-erp', forward({ targets: ['c', 'b'] }), 3)
  expect(ledger.forwardLanes().map(({ target, fedUpto }) => [target, fedUpto])).toEqual([
    ['b', 3],
    ['c', 3],
  ])
  expect(queued(ledger, b)).toEqual([1, 2, 3])
  expect(ledger.counts(a)).toEqual(counts({}))
  expect(laneOf(ledger, 'c')).toBeGreaterThan(b)
})

test('a forward that was off does not send what came meanwhile', () => {
  const { folder } = captured(9)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward(), 0)
  const lane = laneOf(ledger)
  ledger.feed(lane, all, 2)
  ledger.saveForward('to-erp', forward({ enabled: false }), 2)
  ledger.saveForward('to-erp', forward({ enabled: true }), 7)
  ledger.feed(lane, all, 9)
  expect(queued(ledger, lane)).toEqual([1, 2, 8, 9])
})

test('a renamed forward keeps its lanes and attempts', () => {
  const { folder } = captured(2)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward(), 0)
  const lane = laneOf(ledger)
  ledger.feed(lane, all, 2)
  const one = attempt(1, { origin: { by: 'forward', forward: 'to-erp' } })
  ledger.commit({ ended: [], begun: [one] })
  ledger.saveForward('to-erp', forward({ name: 'books' }), 9)
  expect(ledger.forwards().map(({ name }) => name)).toEqual(['books'])
  expect(ledger.forwardLanes()).toEqual([{ lane, forward: 'books', target: 'local', fedUpto: 2 }])
  expect(ledger.attempts({ of: { forward: 'books' }, limit: 9 })[0]?.origin).toEqual({
    by: 'forward',
    forward: 'books',
  })
  expect(ledger.attempts({ of: { forward: 'to-erp' }, limit: 9 })).toEqual([])
})

test('names are taken once, and what is changed or removed must exist', () => {
  const ledger = ledgerIn(captured(1).folder)
  ledger.saveForward(undefined, forward(), 0)
  ledger.saveForward(undefined, forward({ name: 'books' }), 0)
  const conflict = expect.objectContaining({ code: 'conflict' })
  const missing = expect.objectContaining({ code: 'not-found' })
  expect(() => ledger.saveForward(undefined, forward(), 0)).toThrow(conflict)
  expect(() => ledger.saveForward('books', forward(), 0)).toThrow(conflict)
  expect(() => ledger.saveForward('nobody', forward({ name: 'x' }), 0)).toThrow(missing)
  expect(() => ledger.removeForward('nobody')).toThrow(missing)
  expect(ledger.forwards().map(({ name }) => name)).toEqual(['to-erp', 'books'])
})

test('attempts of a removed forward keep its name, and are its own again when it is made anew or another takes the name', () => {
  const ledger = ledgerIn(captured(1).folder)
  const sent = (id: number, name: string) =>
    ledger.commit({ ended: [], begun: [attempt(id, { origin: { by: 'forward', forward: name } })] })
  ledger.saveForward(undefined, forward(), 0)
  sent(1, 'to-erp')
  ledger.removeForward('to-erp')
  expect([ledger.forwards(), ledger.forwardLanes()]).toEqual([[], []])
  sent(2, 'to-erp')
  expect(ledger.attempt(2)?.origin).toEqual({ by: 'forward', forward: 'to-erp' })
  ledger.saveForward(undefined, forward({ name: 'books' }), 0)
  sent(3, 'books')
  ledger.saveForward('books', forward(), 0)
  expect(ledger.attempts({ of: { forward: 'to-erp' }, limit: 9 }).map(({ id }) => id)).toEqual([3, 2, 1])
})

test('a temporary forward is gone with the process that made it', () => {
  const { folder } = captured(2)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward({ name: 'listen', temporary: true }), 0)
  ledger.saveForward(undefined, forward(), 0)
  ledger.feed(laneOf(ledger, 'local', 'listen'), all, 2)
  ledger.close()
  const next = ledgerIn(folder)
  expect(next.forwards()).toEqual([forward()])
  expect(next.forwardLanes().map(({ forward: name }) => name)).toEqual(['to-erp'])
})

test('what was on its way when its lane was removed still ends', () => {
  const { folder } = captured(3)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward(), 0)
  const lane = laneOf(ledger)
  ledger.feed(lane, all, 3)
  const begun = ledger
    .waiting(lane, 0, 2)
    .map((item, i) => attemptOf(i + 1, item, { origin: { by: 'forward', forward: 'to-erp' } }))
  ledger.commit({ ended: [], begun })
  ledger.removeForward('to-erp')
  ledger.commit({ ended: begun.slice(0, 1).map((one) => ended(one, 'waiting', 503)), begun: [] })
  expect(ledger.attempt(1)?.state).toBe('answered')
  ledger.close()
  const next = ledgerIn(folder)
  expect(next.recover()).toBe(1)
  expect(next.attempt(2)?.state).toBe('uncertain')
  expect(next.recover()).toBe(0)
})

test('a long stretch is fed step by step, each of them on disk with how far it came', () => {
  const { folder } = captured(3_000)
  const ledger = ledgerIn(folder)
  ledger.saveForward(undefined, forward({ filter: '/^x{2}$/' }), 0)
  const lane = laneOf(ledger, 'local')
  let steps = 0
  let count = 0
  for (let done = false; !done; steps += 1) {
    const fed = ledger.feed(lane, readFilter('/^x{2}$/'), 3_000)
    count += fed.count
    done = fed.done
    expect(ledger.forwardLanes()[0]?.fedUpto).toBe(count)
  }
  expect(count).toBe(3_000)
  expect(steps).toBeGreaterThan(1)
})

import { expect, test } from 'vitest'
import { readFilter } from '#core/filter/read.ts'
import { attempt, attemptOf, counts, ended, forward, ledgerIn, ledgerOver } from './support.ts'

const all = readFilter('')
type Ledger = ReturnType<typeof ledgerIn>
const laneOf = (ledger: Ledger, target = 'local', name = 'to-erp') => {
  const found = ledger.forwardLanes().find((lane) => lane.forward === name && lane.target === target)
  if (!found) throw new Error(`no lane to ${target}`)
  return found.lane
}
const queued = (ledger: Ledger, lane: number) =>
  ledger.waiting(lane, 0, 100).map(({ deliveryId }) => deliveryId)

test('lanes come and go with their targets; those that stay keep their queue', () => {
  const { ledger } = ledgerOver(4)
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

test('a renamed forward keeps its lanes and attempts', () => {
  const { ledger } = ledgerOver(2)
  ledger.saveForward(undefined, forward(), 0)
  const lane = laneOf(ledger)
  ledger.feed(lane, all, 2)
  const one = attempt(1, { origin: { by: 'forward', forward: 'to-erp' } })
  ledger.commit({ ended: [], begun: [one] })
  ledger.saveForward('to-erp', forward({ name: 'books' }), 9)
  expect(ledger.forwards().map(({ name }) => name)).toEqual(['books'])
  expect(ledger.forwardLanes()).toEqual([{ lane, forward: 'books', target: 'local', fedUpto: 2 }])
  const [renamed] = ledger.attempts({ of: { forward: 'books' }, limit: 9 })
  expect(renamed?.origin).toEqual({ by: 'forward', forward: 'books' })
  expect(ledger.attempts({ of: { forward: 'to-erp' }, limit: 9 })).toEqual([])
})

test('attempts of a removed forward keep its name, and are its own again when it is made anew or another takes the name', () => {
  const { ledger } = ledgerOver(1)
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

test('what was on its way when its lane was removed still ends', () => {
  const { folder, ledger } = ledgerOver(3)
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
  const { ledger } = ledgerOver(3_000)
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

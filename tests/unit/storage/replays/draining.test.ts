import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { EndedAttempt, NewAttempt } from '#core/replay/ports.ts'
import {
  addJob,
  attemptOf,
  captured,
  counts,
  ended,
  everything,
  ledgerIn,
  options,
  preview,
} from './support.ts'

const COUNT = 100_000
const AT_ONCE = 16
const LOOK_AHEAD = 1_000

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed + process.memoryUsage().external
}

test('a job of 100,000 is made and drained within a memory that does not grow', () => {
  const { folder } = captured(COUNT)
  const ledger = ledgerIn(folder)
  expect(preview(ledger, everything, [])).toMatchObject({ count: COUNT, spanUs: (COUNT - 1) * 1_000 })
  const { id: lane } = addJob(ledger, everything, options(), 0)
  expect(ledger.counts(lane)).toEqual(counts({ total: COUNT, waiting: COUNT }))

  let [afterSeq, at, heap] = [0, 0, 0]
  let items = ledger.waiting(lane, afterSeq, LOOK_AHEAD)
  let flying: NewAttempt[] = []
  let sent = 0
  let outOfOrder = 0
  while (items.length > 0 || flying.length > 0) {
    const next = items.slice(at, at + AT_ONCE)
    at += next.length
    const first = next.length > 0 ? ledger.reserveIds(next.length) : 0
    const begun = next.map((item, i) => attemptOf(first + i, item))
    for (const { deliveryId } of begun) if (deliveryId !== ++sent) outOfOrder += 1
    ledger.commit({ ended: flying.map((one): EndedAttempt => ended(one)), begun })
    flying = begun
    if (at < items.length) continue
    afterSeq = items.at(-1)?.seq ?? afterSeq
    items = ledger.waiting(lane, afterSeq, LOOK_AHEAD)
    at = 0
    if (sent === 20_000) heap = heapAfterCollection()
  }
  expect(heapAfterCollection() - heap).toBeLessThan(8 * 1024 * 1024)
  expect([sent, outOfOrder]).toEqual([COUNT, 0])
  expect(ledger.counts(lane)).toEqual(counts({ total: COUNT, done: COUNT }))
  expect(ledger.attempts({ of: { job: lane }, limit: 3 })).toHaveLength(3)
}, 120_000)

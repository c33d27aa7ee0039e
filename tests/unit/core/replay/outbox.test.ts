import { describe, expect, test, vi } from 'vitest'
import type { AttemptErrorCode } from '#contract/replay.ts'
import { RecentRate } from '#core/replay/jobs.ts'
import { Outbox, type Parcel, type Source, unsent } from '#core/replay/outbox.ts'
import type { Outcome } from '#core/replay/ports.ts'
import { BUT_2XX, isSuccess, reach } from '#core/replay/statuses.ts'

const failed = (code: AttemptErrorCode): Outcome => unsent({ code, message: '', params: {} })
const answered = (status: number): Outcome => ({
  ...failed('cancelled'),
  error: null,
  answer: { status, statusText: '', headers: [], body: new Uint8Array(), size: 0 },
})

/** An outbox with simulated disk, network and clock; `log` records the order of events. */
function aDesk() {
  const log: string[] = []
  const sent: ((outcome: Outcome) => void)[] = []
  const due: (() => void)[] = []
  let broken = false
  let waiting: Parcel[] = []
  const outbox = new Outbox({
    ledger: {
      commit({ ended, begun }) {
        if (broken) throw new Error('disk full')
        log.push(`commit ended ${ended.map(({ id }) => id)} begun ${begun.map(({ id }) => id)}`)
      },
    },
    sender: {
      send(request) {
        log.push(`send ${request.url}`)
        return new Promise((resolve) => sent.push(resolve))
      },
    },
    digest: (status) => `digest of ${status}`,
    now: () => 0,
    defer: (work) => void due.push(work),
    changed: () => {},
    warn: (message) => log.push(message),
  })
  const source: Source = { begin: () => waiting.splice(0), wakeAt: () => null }
  outbox.add(source)
  const parcel = (id: number): Parcel => ({
    attempt: {
      ...{ id, item: { lane: 1, seq: id }, deliveryId: id, origin: { by: 'job', job: 1 }, target: 'erp' },
      ...{ method: 'POST', url: `/${id}`, startedAt: 0, headers: [], secretNames: [], bodySize: 0 },
      ...{ editedBody: null, edited: false, again: false, tryNumber: 1 },
    },
    content: {
      ...{ method: 'POST', url: `/${id}`, headers: [], body: { size: 0, pieces: () => [] } },
      timeouts: { connectMs: 1, answerMs: 1, totalMs: 1 },
      acceptAnyCertificate: false,
    },
    signal: new AbortController().signal,
    settle: () => ({ ok: true, end: 'done' }),
    recorded: () => log.push(`recorded ${id}`),
    unrecorded: ({ message }) => log.push(`unrecorded ${id}: ${message}`),
    returned: ({ message }) => log.push(`returned ${id}: ${message}`),
  })
  return {
    outbox,
    log,
    parcel,
    give(...parcels: readonly Parcel[]) {
      waiting = [...waiting, ...parcels]
      outbox.ring()
    },
    breakDisk(whether: boolean) {
      broken = whether
    },
    turn() {
      for (const work of due.splice(0)) work()
    },
    async answer(count: number) {
      for (const resolve of sent.splice(0, count)) resolve(answered(200))
      await Promise.resolve()
    },
  }
}

test('an attempt is on disk before its first byte goes out, and what ended goes into the same commit', async () => {
  const desk = aDesk()
  desk.give(desk.parcel(1), desk.parcel(2))
  expect(desk.log).toEqual([])
  desk.turn()
  await desk.answer(2)
  desk.give(desk.parcel(3))
  desk.turn()
  expect(desk.log.join('; ')).toBe(
    'commit ended  begun 1,2; send /1; send /2; commit ended 1,2 begun 3; recorded 1; recorded 2; send /3',
  )
})

test('nothing is sent that the disk did not take; what ended is kept until it does', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const desk = aDesk()
  desk.give(desk.parcel(1))
  desk.turn()
  await desk.answer(1)
  desk.breakDisk(true)
  desk.give(desk.parcel(2))
  desk.turn()
  expect(desk.log.slice(2).join('; ')).toBe(
    'Replays wait because they cannot be recorded: disk full; returned 2: disk full; unrecorded 1: disk full',
  )
  desk.breakDisk(false)
  desk.give(desk.parcel(2))
  desk.turn()
  expect(desk.log).toHaveLength(5)
  vi.runAllTimers()
  vi.useRealTimers()
  desk.turn()
  expect(desk.log.slice(5)).toEqual(['commit ended 1 begun 2', 'recorded 1', 'send /2'])
})

test('what cannot be sent is an attempt all the same', async () => {
  const desk = aDesk()
  const settle = vi.fn<Parcel['settle']>(() => ({ ok: false, end: 'failed' }))
  const gone = { code: 'delivery-gone', message: 'gone', params: { id: 1 } } as const
  desk.give({ ...desk.parcel(1), content: gone, settle })
  desk.turn()
  await Promise.resolve()
  desk.turn()
  expect(settle).toHaveBeenCalledExactlyOnceWith(unsent(gone))
  expect(desk.log).toEqual(['commit ended  begun 1', 'commit ended 1 begun ', 'recorded 1'])
})

test('it ends when what is on its way has ended, or when it has waited long enough; it begins nothing more', async () => {
  const desk = aDesk()
  desk.give(desk.parcel(1), desk.parcel(2))
  desk.turn()
  const patient = desk.outbox.stop(60_000)
  desk.give(desk.parcel(3))
  desk.turn()
  await desk.answer(2)
  await patient
  expect(desk.log.slice(3)).toEqual(['commit ended 1,2 begun ', 'recorded 1', 'recorded 2'])
  const other = aDesk()
  other.give(other.parcel(1))
  other.turn()
  await other.outbox.stop(1)
  expect(other.log).toEqual(['commit ended  begun 1', 'send /1'])
})

test('which statuses count as failure (product, Jobs): single ones and whole classes; no answer, and one that broke off, always do', () => {
  expect([200, 204, 302, 404, 500].filter((one) => isSuccess(answered(one), BUT_2XX))).toEqual([200, 204])
  expect([200, 404, 405, 500].filter((one) => isSuccess(answered(one), ['404', '5xx']))).toEqual([200, 405])
  expect(isSuccess(failed('answer-timeout'), [])).toBe(false)
  expect(isSuccess({ ...answered(200), error: failed('connection-closed').error }, [])).toBe(false)
})

describe('whether the target of a forward is there (Forward, target down)', () => {
  test('no connection and 502, 503, 504: away; any other answer is one', () => {
    expect([502, 503, 504].map((status) => reach(answered(status), 1))).toEqual(['away', 'away', 'away'])
    expect([200, 404, 500, 501, 505].map((one) => reach(answered(one), 1))).toEqual(Array(5).fill('there'))
    for (const code of ['name-not-found', 'connection-refused', 'connect-timeout', 'tls', 'proxy'] as const)
      expect([code, reach(failed(code), 99)]).toEqual([code, 'away'])
  })
  test('what is not allowed, or gone, is refused', () => {
    for (const code of ['own-receiver', 'destination-refused', 'target-gone', 'bad-url'] as const)
      expect([code, reach(failed(code), 1)]).toEqual([code, 'refused'])
  })
  test("a delivery's own fault holds up nobody, and a connection that breaks off does so only a few times", () => {
    for (const code of ['delivery-gone', 'unsendable', 'answer-timeout', 'cancelled'] as const)
      expect([code, reach(failed(code), 1)]).toEqual([code, 'there'])
    const tried = [1, 2, 3].map((tries) => reach(failed('connection-closed'), tries))
    expect(tried).toEqual(['away', 'away', 'there'])
  })
})

test('how many per second: over the last seconds or events, or since it began', () => {
  const rate = new RecentRate()
  expect(rate.perSecond(0)).toBe(0)
  rate.begin(0)
  for (let n = 0; n < 100; n++) rate.add(n * 10)
  expect(rate.perSecond(1_000)).toBeCloseTo(100)
  expect(rate.perSecond(4_900)).toBeCloseTo(100 / 4.9)
  expect(rate.perSecond(9_000)).toBeLessThan(1)
  // Seven slow ones that end together, once more after a pause.
  for (const start of [10_000, 30_000]) {
    rate.begin(start)
    for (let n = 0; n < 7; n++) rate.add(start + 2_000)
    expect(rate.perSecond(start + 2_000)).toBeCloseTo(3.5)
  }
  // Of slow ones, each twelve seconds after the one before, the rate neither falls to nothing nor jumps.
  rate.begin(50_000)
  for (let second = 1; second <= 240; second++) {
    const now = 50_000 + second * 1_000
    if (second % 12 === 0) rate.add(now)
    if (second < 24) continue
    expect(rate.perSecond(now)).toBeGreaterThan(0.05)
    expect(rate.perSecond(now)).toBeLessThan(0.1)
  }
})

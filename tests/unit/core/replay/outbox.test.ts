import { describe, expect, test } from 'vitest'
import type { AttemptErrorCode } from '#contract/replay.ts'
import { RecentRate } from '#core/replay/jobs.ts'
import { unsent } from '#core/replay/outbox.ts'
import type { Outcome } from '#core/replay/ports.ts'
import { BUT_2XX, isSuccess, reach } from '#core/replay/statuses.ts'

const failed = (code: AttemptErrorCode): Outcome => unsent({ code, message: '', params: {} })
const answered = (status: number): Outcome => ({
  ...failed('cancelled'),
  error: null,
  answer: { status, statusText: '', headers: [], body: new Uint8Array(), size: 0 },
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

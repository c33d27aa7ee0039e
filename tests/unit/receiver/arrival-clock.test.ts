import { expect, test } from 'vitest'
import { createArrivalClock } from '#receiver/arrival-clock.ts'

function sources() {
  const time = { monotonicMs: 1_000, wallMs: 1_700_000_001_000.4 }
  const clock = createArrivalClock({
    monotonic: () => time.monotonicMs,
    wall: () => Math.floor(time.wallMs),
    origin: 1_700_000_000_000.4,
  })
  const pass = (ms: number) => {
    time.monotonicMs += ms
    time.wallMs += ms
  }
  return { time, clock, pass }
}

test('tells microseconds, never backwards, while both clocks run', () => {
  const { clock, pass } = sources()
  expect(clock()).toBe(1_700_000_001_000_400)
  let last = clock()
  for (let i = 0; i < 1_000; i++) {
    pass(0.003)
    const now = clock()
    expect(now).toBeGreaterThanOrEqual(last)
    last = now
  }
  expect(last).toBe(1_700_000_001_003_400)
})

test('follows the wall clock over a sleep, in which the monotonic clock stood still', () => {
  const { time, clock, pass } = sources()
  clock()
  time.wallMs += 3_600_000
  expect(Math.abs(clock() - time.wallMs * 1_000)).toBeLessThan(1_000)
  pass(5)
  expect(Math.abs(clock() - time.wallMs * 1_000)).toBeLessThan(1_000)
})

test('follows the wall clock when it is set back', () => {
  const { time, clock } = sources()
  clock()
  time.wallMs -= 60_000
  expect(Math.abs(clock() - time.wallMs * 1_000)).toBeLessThan(1_000)
})

test('agrees with the system', () => {
  expect(Math.abs(createArrivalClock()() / 1_000 - Date.now())).toBeLessThan(25)
})

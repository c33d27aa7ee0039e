import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LaneScheduler, LOOK_AHEAD, type Pace } from '#core/replay/lane-scheduler.ts'
import type { Item } from '#core/replay/ports.ts'
import { forAll } from '../../../support/for-all.ts'

const PACE: Pace = {
  order: 'arrival',
  concurrency: 1,
  ratePerSecond: null,
  gaps: null,
  retry: { times: 0, delayMs: 0 },
  stopAfterFailures: null,
}

const anItem = (seq: number, change: Partial<Item> = {}): Item => ({
  lane: 1,
  seq,
  deliveryId: seq,
  receivedAt: seq * 1_000,
  documentKey: null,
  tries: 0,
  again: false,
  ...change,
})

/** The queue on disk as the scheduler sees it. */
class Queue {
  readonly waiting: Item[]
  mostHeld = 0

  constructor(items: readonly Item[]) {
    this.waiting = [...items]
  }

  fill(scheduler: LaneScheduler): void {
    const wanted = scheduler.wants()
    if (!wanted) return
    const read = this.waiting.filter(({ seq }) => seq > wanted.afterSeq).slice(0, wanted.limit)
    this.mostHeld = Math.max(this.mostHeld, wanted.limit)
    scheduler.offer(read, wanted.limit)
  }

  take(item: Item): void {
    const at = this.waiting.findIndex(({ seq }) => seq === item.seq)
    this.waiting.splice(at, 1)
  }

  putBack(item: Item): void {
    this.waiting.push(item)
    this.waiting.sort((a, b) => a.seq - b.seq)
  }
}

type Run = ReturnType<typeof play>

/** Runs a lane to its end on a simulated clock; the property decides the duration and result of each try. */
function play(
  items: readonly Item[],
  pace: Pace,
  fate: (item: Item, n: number) => { ms: number; ok: boolean; back?: boolean },
) {
  const scheduler = new LaneScheduler(pace)
  const queue = new Queue(items)
  const starts: { item: Item; at: number }[] = []
  const ends: { item: Item; at: number; end: string }[] = []
  let flying: { item: Item; at: number; ok: boolean; back: boolean }[] = []
  let now = 1_000_000
  let mostAtOnce = 0
  for (;;) {
    for (;;) {
      queue.fill(scheduler)
      const item = scheduler.next(now)
      if (!item) break
      queue.take(item)
      starts.push({ item, at: now })
      const { ms, ok, back = false } = fate(item, starts.length)
      flying.push({ item, at: now + ms, ok, back })
      mostAtOnce = Math.max(mostAtOnce, flying.length)
    }
    const wake = scheduler.wakeAt(now) ?? Number.POSITIVE_INFINITY
    const next = Math.min(wake, ...flying.map(({ at }) => at))
    if (next === Number.POSITIVE_INFINITY) return { starts, ends, mostAtOnce, scheduler, queue }
    now = Math.max(now, next)
    const landed = flying.filter(({ at }) => at <= now)
    flying = flying.filter(({ at }) => at > now)
    for (const { item, ok, back } of landed) {
      const end = back ? 'waiting' : scheduler.ended(item, ok, now)
      if (back) scheduler.back(item)
      if (end === 'waiting') queue.putBack(item)
      ends.push({ item, at: now, end })
    }
  }
}

const items = fc
  .array(
    fc.record({ gap: fc.integer({ min: 1, max: 3 }), document: fc.option(fc.integer({ min: 0, max: 4 })) }),
    { maxLength: 60 },
  )
  .map((list) => {
    let seq = 0
    return list.map(({ gap, document }) => {
      seq += gap
      return anItem(seq, { documentKey: document === null ? null : `d${document}` })
    })
  })
const pace = fc.record({
  order: fc.constantFrom('arrival', 'document') as fc.Arbitrary<'arrival' | 'document'>,
  concurrency: fc.integer({ min: 1, max: 8 }),
  ratePerSecond: fc.option(fc.double({ min: 0.5, max: 500, noNaN: true })),
  gaps: fc.option(fc.double({ min: 0.1, max: 10, noNaN: true })),
  retry: fc.record({ times: fc.integer({ min: 0, max: 3 }), delayMs: fc.integer({ min: 0, max: 50 }) }),
  stopAfterFailures: fc.constant(null),
})
const fates = fc.array(
  fc.record({
    ms: fc.integer({ min: 0, max: 30 }),
    ok: fc.boolean(),
    back: fc.constantFrom(false, false, true),
  }),
  { minLength: 1, maxLength: 50 },
)
type Fate = { ms: number; ok: boolean; back: boolean }
/** Limits returns to the queue, so that a lane ends. */
const fateOf = (list: readonly Fate[]) => (_: Item, n: number) => {
  const one = list[n % list.length] as Fate
  return { ...one, back: one.back && n < 500 }
}

describe('any lane (product, P13: Jobs)', () => {
  const holds = (name: string, check: (list: readonly Item[], one: Pace, fate: readonly Fate[]) => void) =>
    test(name, () => forAll(100, [items, pace, fates], check))
  const final = ({ ends }: Run) => ends.filter(({ end }) => end !== 'waiting')
  const rising = (list: readonly number[]) => expect(list).toEqual([...list].sort((a, b) => a - b))

  holds('skips nothing, doubles nothing, keeps its concurrency', (list, one, fate) => {
    const run = play(list, one, fateOf(fate))
    expect([run.scheduler.idle, run.queue.waiting]).toEqual([true, []])
    const ended = final(run).map(({ item }) => item.seq)
    expect(ended.sort((a, b) => a - b)).toEqual(list.map(({ seq }) => seq))
    expect(run.starts).toHaveLength(run.ends.length)
    expect(run.mostAtOnce).toBeLessThanOrEqual(one.concurrency)
  })

  holds('keeps the order of a document', (list, one, fate) => {
    const run = play(list, { ...one, order: 'document' }, fateOf(fate))
    const overAt = new Map(final(run).map(({ item, at }) => [item.seq, at]))
    for (const { item, at } of run.starts)
      for (const other of list)
        if (other.documentKey !== null && other.documentKey === item.documentKey && other.seq < item.seq)
          expect(overAt.get(other.seq)).toBeLessThanOrEqual(at)
  })

  holds('keeps the order of arrival', (list, one, fate) => {
    const noBacks = fate.map((each) => ({ ...each, back: false }))
    const run = play(list, { ...one, order: 'arrival' }, fateOf(noBacks))
    const first = [...new Set(run.starts.map(({ item }) => item.seq))]
    rising(first)
    if (one.concurrency > 1) return
    expect(final(run).map(({ item }) => item.seq)).toEqual(first)
    rising(run.starts.map(({ item }) => item.seq))
  })

  holds('keeps its rate, but for what a late timer makes up', (list, one, fate) => {
    const rate = one.ratePerSecond ?? 20
    const { starts } = play(list, { ...one, ratePerSecond: rate }, fateOf(fate))
    const surplus = starts.flatMap(({ at: from }, i) =>
      starts.slice(i).map(({ at: to }, n) => n + 1 - ((to - from) / 1_000) * rate),
    )
    expect(surplus.filter((many) => many > one.concurrency + 1e-6)).toEqual([])
  })

  holds('never starts an entry before its original gap has passed, times the factor', (list, one, fate) => {
    const gaps = one.gaps ?? 1
    const { starts } = play(list, { ...one, gaps }, fateOf(fate))
    const [first] = starts
    for (const { item, at } of starts) {
      const gap = ((item.receivedAt - (first?.item.receivedAt ?? 0)) / 1_000) * gaps
      expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(gap - 1e-6)
    }
  })

  holds('tries an entry again as often as it is told, after the delay', (list, one) => {
    const delayMs = 7
    const { times } = one.retry
    const { starts } = play(list, { ...one, retry: { times, delayMs } }, () => ({ ms: 1, ok: false }))
    for (const { seq } of list) {
      const tries = starts.filter(({ item }) => item.seq === seq)
      expect(tries).toHaveLength(times + 1)
      for (const [i, { at }] of tries.entries())
        if (i > 0) expect(at - (tries[i - 1]?.at ?? 0)).toBeGreaterThanOrEqual(delayMs + 1)
    }
  })
})

describe('a long queue', () => {
  const many = Array.from({ length: 20_000 }, (_, i) =>
    anItem(i + 1, { documentKey: i % 3 ? `d${i % 50}` : null }),
  )

  test.each(['arrival', 'document'] as const)('is never in memory whole: %s order', (order) => {
    const { starts, queue } = play(many, { ...PACE, order, concurrency: 16 }, () => ({ ms: 1, ok: true }))
    expect(starts).toHaveLength(many.length)
    expect(queue.mostHeld).toBeLessThanOrEqual(LOOK_AHEAD)
  })

  test('of which everything is retried is not in memory whole either', () => {
    const scheduler = new LaneScheduler({ ...PACE, concurrency: 16, retry: { times: 1, delayMs: 600_000 } })
    const queue = new Queue(many)
    let started = 0
    for (;;) {
      queue.fill(scheduler)
      const item = scheduler.next(0)
      if (!item) break
      started += 1
      scheduler.ended(item, false, 0)
    }
    expect(started).toBeLessThanOrEqual(LOOK_AHEAD)
    expect(scheduler.wakeAt(0)).toBe(600_000)
  })
})

test('an entry that is preferred goes before those of other documents, never before its own', () => {
  const list = ['a', 'a', 'b', 'c'].map((documentKey, i) => anItem(i + 1, { documentKey }))
  const scheduler = new LaneScheduler({ ...PACE, order: 'document' })
  scheduler.offer(list, LOOK_AHEAD)
  expect([scheduler.prefer(99), scheduler.prefer(2), scheduler.prefer(4)]).toEqual([false, true, true])
  const order: number[] = []
  for (let item = scheduler.next(0); item; item = scheduler.next(0)) {
    order.push(item.seq)
    scheduler.ended(item, true, 0)
  }
  expect(order).toEqual([4, 1, 2, 3])
})

test('a queue that is read anew keeps what is on its way, and that alone', () => {
  const list = Array.from({ length: 4 }, (_, i) => anItem(i + 1, { documentKey: 'one' }))
  const scheduler = new LaneScheduler({ ...PACE, order: 'document', concurrency: 4 })
  scheduler.offer(list, LOOK_AHEAD)
  const first = scheduler.next(0)
  if (!first) return expect.fail('one may start')
  scheduler.reread()
  expect(scheduler.wants()).toEqual({ afterSeq: 0, limit: LOOK_AHEAD - 1 })
  scheduler.offer([first, ...list.slice(2)], LOOK_AHEAD - 1)
  expect(scheduler.next(0)).toBeNull()
  scheduler.ended(first, true, 0)
  expect(scheduler.next(0)?.seq).toBe(3)
})

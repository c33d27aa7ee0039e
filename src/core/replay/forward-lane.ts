import { AcuseError, messageOf } from '#contract/errors.ts'
import { pairsOf } from '#contract/headers.ts'
import type { Forward, LaneFailure, LaneStall, ForwardLane as LaneView } from '#contract/replay.ts'
import { readFilter } from '../filter/read.ts'
import type { Filter } from '../filter/tree.ts'
import type { TakenWork, WorkKey } from '../lease.ts'
import { createMasking, MASKED_NAMES } from '../masking.ts'
import type { TargetAnswer } from '../ports.ts'
import { Lane, type Workshop } from './lane.ts'
import type { Parcel, Source } from './outbox.ts'
import type { Order } from './parcels.ts'
import type { ForwardLaneRecord, Item, ItemEnd, Outcome } from './ports.ts'
import { HOP_BY_HOP, nominatedNames } from './request.ts'
import { awayFor, BUT_2XX, isSuccess, reach } from './statuses.ts'

const FIRST_BACKOFF_MS = 1_000
const LONGEST_BACKOFF_MS = 60_000

/** The key of a forward's work is visible to all followers of a shared log. */
const masking = createMasking(() => MASKED_NAMES)

interface Down {
  readonly state: 'down' | 'refused'
  readonly since: number
  readonly backoffMs: number
  readonly nextTryAt: number
}

export class ForwardLane implements Source {
  readonly record: ForwardLaneRecord
  readonly #shop: Workshop
  readonly #lane: Lane
  readonly #abort = new AbortController()
  readonly #answers = new Answers()
  #forward: Forward
  #down: Down | null = null
  #lastError: LaneFailure | null = null
  #unfed: LaneStall | null = null
  /** Why the disk could not record the next attempt; null when it could. */
  #unrecorded: string | null = null
  /** Deliveries that other hosts started. */
  #elsewhere: TakenWork = { upto: 0, started: [], uncertain: [], memory: null, own: true, keptAt: 0 }
  /** Whether it was switched on since this process began. */
  fresh: boolean

  constructor(record: ForwardLaneRecord, forward: Forward, shop: Workshop, fresh = false) {
    this.fresh = fresh
    this.record = record
    this.#shop = shop
    this.#forward = forward
    const pace = {
      order: 'document',
      concurrency: forward.concurrency,
      ratePerSecond: null,
      gaps: null,
      retry: { times: 0, delayMs: 0 },
      stopAfterFailures: null,
    } as const
    this.#lane = new Lane(record.lane, pace, shop, () => shop.changes.forwards())
  }

  get forward(): Forward {
    return this.#forward
  }

  get refused(): boolean {
    return this.#down?.state === 'refused'
  }

  get work(): WorkKey {
    const { target } = this.record
    const { name } = this.#forward
    const url = this.#shop.parcels.target(target)?.url ?? target
    return { kind: 'forward', name, destination: masking.target(url) }
  }

  /** Whether this host is the one that sends. */
  get here(): boolean {
    return this.#shop.leases.holds(this.work)
  }

  get busy(): boolean {
    return this.#lane.scheduler.inFlight > 0
  }

  /** Goes on where other hosts ended. */
  taken(left: TakenWork): void {
    this.#shop.outbox.flush()
    this.#shop.ledger.adopt(this.record.lane, left.upto)
    this.#elsewhere = left
    this.#unrecorded = null
    this.fresh = false
    this.#lane.scheduler.reread()
    this.tryNow()
  }

  become(forward: Forward): void {
    this.fresh ||= !this.#forward.enabled && forward.enabled
    this.#forward = forward
    this.#lane.scheduler.setConcurrency(forward.concurrency)
    this.tryNow()
  }

  view(): LaneView {
    const { waiting, sending, done, failed, dropped } = this.#lane.shown
    return {
      target: this.record.target,
      state: this.#state(),
      waiting: waiting + sending,
      sent: done,
      failed,
      dropped,
      lastError: this.#lastError,
      stall: this.#stall(),
      downSince: this.#down?.since ?? null,
      nextTryAt: this.#down?.nextTryAt ?? null,
    }
  }

  /** Queues newly analysed deliveries that match, for a few milliseconds. @returns whether it reached `upto` */
  feed(upto: number): boolean {
    this.#doubt(upto)
    const { started } = this.#elsewhere
    const { count, done } = this.#shop.ledger.feed(this.record.lane, this.filter, upto, started)
    if (this.#unfed) this.#shop.changes.forwards()
    this.#unfed = null
    if (count === 0) return done
    this.#lane.scheduler.grown()
    if (this.#lettingGo(this.#shop.now())) this.clear()
    this.#shop.changes.forwards()
    return done
  }

  notFed(error: unknown): void {
    const code = error instanceof AcuseError && error.code === 'bad-filter' ? 'filter' : 'storage'
    this.#unfed = { code, message: messageOf(error) }
    this.#shop.changes.forwards()
  }

  /** Parsed on every use, since `today` changes. */
  get filter(): Filter {
    return readFilter(this.#forward.filter)
  }

  /** The target's answer to a queued delivery, which is sent before those of other documents; null when none comes in time. */
  async answerFor(id: number, timeoutMs: number): Promise<TargetAnswer | null> {
    const known = this.#answers.recent(id)
    if (known !== undefined) return known
    if (this.#down || !this.#reads() || !this.#lane.scheduler.prefer(id)) return null
    this.#shop.outbox.ring()
    return this.#answers.wait(id, timeoutMs)
  }

  tryNow(): void {
    if (this.#down) this.#down = { ...this.#down, backoffMs: FIRST_BACKOFF_MS, nextTryAt: this.#shop.now() }
    this.#shop.changes.forwards()
    this.#shop.outbox.ring()
  }

  clear(): number {
    this.#shop.outbox.flush()
    const cleared = this.#shop.ledger.clearWaiting(this.record.lane)
    this.#lane.scheduler.reread()
    this.#shop.changes.forwards()
    return cleared
  }

  begin(now: number): readonly Parcel[] {
    if (!this.#forward.enabled || !this.here) return []
    if (!this.#lane.hasRoom(now)) return []
    const { scheduler } = this.#lane
    // After a failure, one delivery tests the target before the others follow.
    if (this.#down && (now < this.#down.nextTryAt || scheduler.inFlight > 0)) return []
    return this.#lane.draw(now, this.#down ? 1 : Number.POSITIVE_INFINITY, (item) => this.#order(item))
  }

  #order(item: Item): Omit<Order, 'item' | 'deliveryId'> {
    const { work } = this
    const { leases, changes } = this.#shop
    let end: ItemEnd = 'waiting'
    const ended = () => {
      leases.ended(work, item.deliveryId, end !== 'waiting')
      changes.forwards()
    }
    return {
      ...this.#addressed(),
      settle: (outcome) => {
        const settled = this.#settle(item, outcome)
        end = settled.end
        return settled
      },
      recorded: ended,
      returned: (error) => {
        this.#unrecorded = messageOf(error)
        this.#lane.scheduler.back(item)
        ended()
      },
    }
  }

  #addressed() {
    return {
      origin: { by: 'forward' as const, forward: this.#forward.name },
      to: { target: this.record.target },
      signal: this.#abort.signal,
    }
  }

  /** Records deliveries that another host may have sent, once this one has them. */
  #doubt(upto: number): void {
    const { uncertain } = this.#elsewhere
    const due = uncertain.filter((id) => id <= upto)
    if (due.length === 0) return
    for (const deliveryId of due) {
      const settle = () => ({ ok: false, end: null })
      const order = { ...this.#addressed(), deliveryId, item: null, settle, returned() {} }
      this.#shop.ledger.doubt(this.#shop.parcels.make(order).attempt)
    }
    this.#elsewhere = { ...this.#elsewhere, uncertain: uncertain.filter((id) => id > upto) }
  }

  wakeAt(now: number): number | null {
    if (!this.#forward.enabled || !this.here) return null
    if (this.#lane.short) return this.#lane.wakeAt(now)
    const { inFlight, idle } = this.#lane.scheduler
    if (this.#down && now < this.#down.nextTryAt) return idle ? null : this.#down.nextTryAt
    return this.#down && inFlight > 0 ? null : this.#lane.wakeAt(now)
  }

  #settle(item: Item, outcome: Outcome): { readonly ok: boolean; readonly end: ItemEnd } {
    const { scheduler } = this.#lane
    const now = this.#shop.now()
    const ok = isSuccess(outcome, BUT_2XX)
    const reached = reach(outcome, item.tries + 1)
    if (outcome.error || reached !== 'there') this.#lastError = awayFor(outcome)
    // A sent attempt was recorded.
    this.#unrecorded = null
    let end: ItemEnd
    if (reached === 'there') {
      this.#down = null
      end = scheduler.ended(item, ok, now)
    } else {
      this.#goDown(reached === 'away' ? 'down' : 'refused', now)
      const drops = this.#forward.whenDown === 'drop'
      if (drops) scheduler.drop(item)
      else scheduler.back({ ...item, tries: item.tries + 1 })
      end = drops ? 'dropped' : 'waiting'
    }
    this.#answers.came(item.deliveryId, end === 'waiting' ? null : answerOf(this.record.target, outcome))
    // Also drops deliveries that arrived while the target was tried again.
    if (this.#down && this.#forward.whenDown === 'drop') this.#letGoSoon()
    return { ok, end }
  }

  #goDown(state: Down['state'], now: number): void {
    const before = this.#down
    if (before && now < before.nextTryAt) return
    const backoffMs = before ? Math.min(LONGEST_BACKOFF_MS, before.backoffMs * 2) : FIRST_BACKOFF_MS
    this.#down = { state, since: before?.since ?? now, backoffMs, nextTryAt: now + backoffMs }
  }

  #lettingGo(now: number): boolean {
    return this.#forward.whenDown === 'drop' && this.#down !== null && now < this.#down.nextTryAt
  }

  /** Deferred, since the present entry is not recorded yet. */
  #letGoSoon(): void {
    queueMicrotask(() => {
      if (this.#lettingGo(this.#shop.now())) this.clear()
    })
  }

  #reads(): boolean {
    this.#lane.read()
    return !this.#lane.scheduler.more
  }

  #stall(): LaneStall | null {
    const message = this.#unrecorded ?? this.#lane.stall
    return this.#unfed ?? (message === null ? null : { code: 'storage', message })
  }

  #state(): LaneView['state'] {
    if (!this.#forward.enabled) return 'off'
    if (!this.here) return 'standby'
    if (this.#stall()) return 'stalled'
    if (this.#down) return this.#down.state
    return this.#lane.scheduler.inFlight > 0 ? 'sending' : 'idle'
  }
}

function answerOf(target: string, { answer, error }: Outcome): TargetAnswer | null {
  if (!answer || error || answer.size > answer.body.byteLength) return null
  return { target, status: answer.status, headers: endToEnd(answer.headers), body: answer.body }
}

/** Removes framing headers and headers of the target's connection (RFC 9110, 7.6.1). */
function endToEnd(headers: readonly string[]): string[] {
  const named = nominatedNames(headers)
  const stays = (name: string) => !HOP_BY_HOP.has(name) && !named?.has(name) && name !== 'content-length'
  return [...pairsOf(headers)].filter(([name]) => stays(name.toLowerCase())).flat()
}

const KEPT = 32
const KEPT_BYTES = 1_048_576

/** Answers for senders that wait. An answer may come before its request to wait, so the latest are cached. */
export class Answers {
  readonly #waiting = new Map<number, (answer: TargetAnswer | null) => void>()
  readonly #recent = new Map<number, TargetAnswer | null>()

  recent(deliveryId: number): TargetAnswer | null | undefined {
    return this.#recent.get(deliveryId)
  }

  wait(deliveryId: number, timeoutMs: number): Promise<TargetAnswer | null> {
    const { promise, resolve } = Promise.withResolvers<TargetAnswer | null>()
    const settle = (answer: TargetAnswer | null) => {
      clearTimeout(timer)
      this.#waiting.delete(deliveryId)
      resolve(answer)
    }
    const timer = setTimeout(() => settle(null), timeoutMs)
    this.#waiting.set(deliveryId, settle)
    return promise
  }

  /** @param answer null when there is none */
  came(deliveryId: number, answer: TargetAnswer | null): void {
    this.#waiting.get(deliveryId)?.(answer)
    if ((answer?.body.byteLength ?? 0) > KEPT_BYTES) return
    this.#recent.set(deliveryId, answer)
    const [oldest] = this.#recent.keys()
    if (this.#recent.size > KEPT && oldest !== undefined) this.#recent.delete(oldest)
  }
}

import type { Params } from '#contract/commands.ts'
import { badParam, messageOf, refused } from '#contract/errors.ts'
import type { Forward, ForwardState } from '#contract/replay.ts'
import { readFilter } from '../filter/read.ts'
import { type Filter, mentions } from '../filter/tree.ts'
import type { WantedWork } from '../lease.ts'
import type { TargetAnswer } from '../ports.ts'
import { ForwardLane } from './forward-lane.ts'
import type { Workshop } from './lane.ts'
import type { CapturedRequests, NewAttempt } from './ports.ts'

const RETRY_MS = 1_000

export interface ForwardsOptions {
  readonly captured: CapturedRequests
  /** False in a process without a receiver: queues neither grow nor are sent. */
  readonly active: boolean
  readonly defer: (work: () => void) => void
}

export class Forwards {
  readonly #shop: Workshop
  readonly #options: ForwardsOptions
  readonly #analysed: Analysed
  #lanes = new Map<number, ForwardLane>()
  #feeding = false
  #retrying: ReturnType<typeof setTimeout> | undefined

  constructor(shop: Workshop, options: ForwardsOptions) {
    this.#shop = shop
    this.#options = options
    this.#analysed = new Analysed(options.captured)
  }

  open(): void {
    this.#sync(false)
    this.#catchUp()
  }

  /** Call it when every delivery up to this id is analysed. */
  settled(upto: number): void {
    this.#analysed.settled(upto)
    if (!this.#options.active || this.#feeding || this.#lanes.size === 0) return
    this.#feeding = true
    this.#options.defer(() => {
      this.#feeding = false
      if (!this.#feed()) this.settled(upto)
    })
  }

  list(): readonly ForwardState[] {
    const lanes = [...this.#lanes.values()]
    return this.#shop.ledger.forwards().map((forward) => ({
      ...forward,
      lanes: forward.targets.flatMap((target) =>
        lanes
          .filter(({ record, forward: { name } }) => name === forward.name && record.target === target)
          .map((lane) => lane.view()),
      ),
    }))
  }

  /** @param highestId of the stored deliveries; a new forward starts after it */
  async save({ previousName, ...forward }: Params<'forwards.save'>, highestId: number) {
    const { ledger } = this.#shop
    if (previousName !== undefined) this.#find(previousName)
    if (forward.name !== previousName && ledger.forwards().some(({ name }) => name === forward.name))
      throw refused('conflict', 'forward-name-taken', { path: 'name', name: forward.name })
    this.#check(forward)
    // Deliveries that arrived before the change follow the old settings.
    await this.#feedAll()
    ledger.saveForward(previousName, forward, highestId)
    this.#sync(true)
    return this.list()
  }

  remove(name: string): readonly ForwardState[] {
    this.#find(name)
    this.#shop.outbox.flush()
    this.#shop.ledger.removeForward(name)
    this.#sync(false)
    return this.list()
  }

  retry(name: string): readonly ForwardState[] {
    this.#find(name)
    for (const lane of this.#lanes.values()) if (lane.forward.name === name) lane.tryNow()
    return this.list()
  }

  clear({ name, target }: Params<'forwards.clear'>): { readonly cleared: number } {
    this.#find(name)
    const lane = this.#laneOf(name, target)
    if (!lane) throw refused('not-found', 'no-lane', { path: 'target', name, target })
    return { cleared: lane.clear() }
  }

  /** Asks the leases whether attempts may be sent. @throws when they may not */
  async demandStart(attempts: readonly NewAttempt[]): Promise<void> {
    await this.#shop.leases.start(
      attempts.flatMap(({ item, deliveryId: id }) => {
        const lane = item && this.#lanes.get(item.lane)
        return lane ? [{ work: lane.work, id }] : []
      }),
    )
  }

  reconfigured(): void {
    this.#want()
    for (const lane of this.#lanes.values()) if (lane.refused) lane.tryNow()
  }

  /** Maximum milliseconds that a delivery waits for a target's answer; null when no forward provides one. */
  answerTimeout(): number | null {
    const times = this.#answering().map(({ answerTimeoutMs }) => answerTimeoutMs)
    return times.length > 0 ? Math.max(...times) : null
  }

  async answerFor(id: number): Promise<TargetAnswer | null> {
    const began = performance.now()
    const timeout = this.answerTimeout()
    if (timeout === null || !(await this.#analysed.wait(id, timeout))) return null
    for (const { name, answerFrom, answerTimeoutMs } of this.#answering()) {
      const lane = this.#laneOf(name, answerFrom ?? '')
      if (!lane || !this.#options.captured.forwardable(id, lane.filter)) continue
      await this.#feedAll()
      return lane.answerFor(id, Math.max(0, answerTimeoutMs - (performance.now() - began)))
    }
    return null
  }

  #answering(): readonly Forward[] {
    if (!this.#options.active) return []
    return this.#forwards().filter(({ enabled, answerFrom }) => enabled && answerFrom !== null)
  }

  #forwards(): readonly Forward[] {
    return [...new Set([...this.#lanes.values()].map(({ forward }) => forward))]
  }

  /** @returns true when all lanes are up to date, or one failed and will be retried */
  #feed(): boolean {
    if (!this.#options.active) return true
    let done = true
    let failed = false
    for (const lane of this.#lanes.values())
      try {
        if (lane.forward.enabled && lane.here && !lane.feed(this.#analysed.upto())) done = false
      } catch (error) {
        // Such as a filter that only an older version understood; the other lanes continue.
        failed = true
        lane.notFed(error)
        this.#later(error, `The forward ${lane.forward.name} waits`)
      }
    this.#shop.outbox.ring()
    return done || failed
  }

  async #feedAll(): Promise<void> {
    while (!this.#feed()) await this.#shop.turn()
  }

  #catchUp(): void {
    if (!this.#options.active || this.#lanes.size === 0) return
    try {
      this.settled(this.#options.captured.analysedUpto())
    } catch (error) {
      this.#later(error)
    }
  }

  /** Retries after temporary errors, such as a full disk or a database that is being replaced. */
  #later(error: unknown, who = 'Forwards wait'): void {
    this.#shop.warn(`${who}: ${messageOf(error)}`)
    this.#retrying ??= setTimeout(() => {
      this.#retrying = undefined
      this.#catchUp()
    }, RETRY_MS)
  }

  #want(): void {
    const lanes = this.#options.active ? [...this.#lanes.values()] : []
    const enabled = lanes.filter(({ forward }) => forward.enabled)
    this.#shop.leases.want(
      'forward',
      enabled.map((lane) => this.#work(lane)),
    )
  }

  #work(lane: ForwardLane): WantedWork {
    const reached = () => this.#shop.ledger.reached(lane.record.lane)
    return {
      ...lane.work,
      by: lane,
      ready: () => !lane.busy,
      begin: () => ({ after: lane.fresh ? reached().fed : this.#analysed.upto(), fresh: lane.fresh }),
      reached: () => reached().settled,
      taken: (left) => {
        lane.taken(left)
        this.#catchUp()
      },
      lost: () => this.#shop.changes.forwards(),
    }
  }

  /** @param fresh whether a lane that is new was made just now */
  #sync(fresh: boolean): void {
    const { ledger, outbox, changes } = this.#shop
    const forwards = new Map(ledger.forwards().map((forward) => [forward.name, forward]))
    const lanes = new Map<number, ForwardLane>()
    for (const record of ledger.forwardLanes()) {
      const forward = forwards.get(record.forward)
      if (!forward) continue
      const known = this.#lanes.get(record.lane)
      if (known) known.become(forward)
      const lane = known ?? new ForwardLane(record, forward, this.#shop, fresh)
      lanes.set(record.lane, lane)
      if (!known && this.#options.active) outbox.add(lane)
    }
    for (const [id, lane] of this.#lanes) if (!lanes.has(id)) outbox.remove(lane)
    this.#lanes = lanes
    this.#want()
    changes.forwards()
  }

  #check({ filter, targets, answerFrom }: Forward): void {
    if (mentions(readFilter(filter), tellsLater))
      throw refused('bad-filter', 'forward-filter', { path: 'filter' })
    for (const [i, target] of targets.entries()) {
      this.#shop.parcels.demandTarget(target, `targets.${i}`)
      if (targets.indexOf(target) !== i)
        throw badParam(`targets.${i}`, `targets: "${target}" is there twice.`)
    }
    if (answerFrom !== null && !targets.includes(answerFrom))
      throw badParam(
        'answerFrom',
        `answerFrom: "${answerFrom}" is none of its targets; give one of them, or none.`,
      )
  }

  #find(name: string): Forward {
    const found = this.#shop.ledger.forwards().find((forward) => forward.name === name)
    if (!found) throw refused('not-found', 'no-forward', { path: 'name', name })
    return found
  }

  #laneOf(name: string, target: string): ForwardLane | undefined {
    return [...this.#lanes.values()].find(
      ({ record, forward }) => forward.name === name && record.target === target,
    )
  }
}

const tellsLater = (leaf: Filter): boolean =>
  leaf.type === 'has' ||
  leaf.type === 'tag' ||
  (leaf.type === 'is' && leaf.facts.some((fact) => fact === 'replayed' || fact === 'pinned'))

export class Analysed {
  readonly #captured: Pick<CapturedRequests, 'analysedUpto'>
  readonly #waiting = new Set<() => void>()
  #upto = 0

  constructor(captured: Pick<CapturedRequests, 'analysedUpto'>) {
    this.#captured = captured
  }

  settled(upto: number): void {
    this.#upto = Math.max(this.#upto, upto)
    for (const check of this.#waiting) check()
  }

  upto(): number {
    return this.#upto
  }

  wait(id: number, timeoutMs: number): Promise<boolean> {
    if (id > this.#upto) this.settled(this.#captured.analysedUpto())
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const end = (reached: boolean) => {
      clearTimeout(timer)
      this.#waiting.delete(check)
      resolve(reached)
    }
    const check = () => {
      if (id <= this.#upto) end(true)
    }
    const timer = setTimeout(() => end(false), timeoutMs)
    this.#waiting.add(check)
    check()
    return promise
  }
}

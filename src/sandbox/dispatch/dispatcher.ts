import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WEBHOOK_PLAN } from '#catalog/service.ts'
import type { SandboxLaboratory } from '#contract/sandbox.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { tampering } from '../laboratory/laboratory.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { Deed, Failure, NewEntry } from '../log/query.ts'
import type { Subscription } from '../records/subscriptions.ts'
import { attempt, NO_EVENT, STOPPED } from './attempt.ts'
import { Channel } from './forwarder.ts'

interface DispatcherOptions {
  readonly log: ExecutionLog
  readonly plan: () => string
  readonly subscriptions: () => readonly Subscription[]
  readonly laboratory: () => SandboxLaboratory
  readonly now: () => number
  readonly timeoutMs: number
}

interface Circumstances {
  readonly run: string | null
  readonly outage?: boolean
}

/** One event for one subscription, with the subscription's settings at the time of the event. */
interface Parcel extends Circumstances {
  readonly key: string
  readonly event: SandboxEvent
  readonly subscription: Subscription
  readonly held: boolean
}

/** A producer of events pauses while each receiver's queue is longer than this. */
const ROOM = 2_000

/** Sends each event to its subscriptions (What the service does, rules 1 to 4). */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #channels = new Map<number, Channel<Parcel>>()
  readonly #pendingOfRun = new Map<string, number>()
  readonly #holding = new Map<NodeJS.Timeout, Parcel>()
  #stop = stopper()
  #pending = 0

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  get pending(): number {
    return this.#pending
  }

  pendingOf(run: string): number {
    return this.#pendingOfRun.get(run) ?? 0
  }

  submit(event: SandboxEvent, circumstances: Circumstances): void {
    const { log, plan, subscriptions } = this.#options
    const { seq, kind, subject, at, body } = event
    log.event({ seq, kind, subject, at, statusId: statusIdOf(body) })
    const dispatching = plan() === WEBHOOK_PLAN
    for (const subscription of subscriptions()) {
      if (!subscription.active || !subscription.kinds.includes(kind)) continue
      const parcel: Parcel = { ...circumstances, key: subject, event, subscription, held: false }
      this.#count(parcel, 1)
      if (!dispatching) this.#drop(parcel, PLAN)
      else if (!this.#channel(subscription.id).push(parcel)) this.#drop(parcel, QUEUE_FULL)
    }
  }

  /** Resolves when the shortest queue has room; one hanging receiver does not stop the producer. */
  async room(): Promise<void> {
    while (!this.#stop.signal.aborted && this.#channels.size > 0) {
      const least = Math.min(...[...this.#channels.values()].map(({ pending }) => pending))
      if (least <= ROOM) return
      await sleep(10)
    }
  }

  forget(id: number): void {
    const channel = this.#channels.get(id)
    this.#channels.delete(id)
    for (const parcel of channel?.clear() ?? []) this.#drop(parcel, REMOVED)
  }

  /** Discards all parcels without log entries, since the caller empties the log too. */
  async reset(): Promise<void> {
    for (const [timer] of this.#holding) clearTimeout(timer)
    this.#pending -= this.#holding.size
    this.#holding.clear()
    this.#pendingOfRun.clear()
    this.#stop.abort()
    this.#stop = stopper()
    for (const channel of this.#channels.values()) {
      this.#pending -= channel.clear().length
      channel.abort()
    }
    this.#channels.clear()
    while (this.#pending > 0) await sleep(5)
  }

  async close(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs
    while (this.#pending > 0 && performance.now() < until) await sleep(10)
    for (const channel of this.#channels.values())
      for (const parcel of channel.clear()) this.#drop(parcel, STOPPED)
    for (const [timer, parcel] of this.#holding) {
      clearTimeout(timer)
      this.#drop(parcel, STOPPED)
    }
    this.#holding.clear()
    this.#stop.abort()
    for (const channel of this.#channels.values()) channel.abort()
    while (this.#pending > 0) await sleep(5)
    for (const channel of this.#channels.values()) channel.close()
  }

  #channel(id: number): Channel<Parcel> {
    const found = this.#channels.get(id)
    if (found) return found
    const made: Channel<Parcel> = new Channel<Parcel>(this.#options.timeoutMs, (parcel) =>
      this.#deliver(made, parcel),
    )
    this.#channels.set(id, made)
    return made
  }

  async #deliver(channel: Channel<Parcel>, parcel: Parcel): Promise<void> {
    const { event, subscription } = parcel
    const { signal } = this.#stop
    const done = tampering(this.#options.laboratory(), event.kind, event.seq, subscription.id)
    const laboratory: Deed[] = parcel.held ? [{ code: 'held' }] : []
    if (parcel.outage || done.lose) {
      const code = parcel.outage ? 'outage' : 'lost'
      this.#finish(parcel, { outcome: 'lost', lost: true, laboratory: [{ code }] })
      return
    }
    if (done.holdMs > 0 && !parcel.held) {
      this.#hold(channel, parcel, done.holdMs)
      return
    }
    if (done.delayMs > 0) {
      laboratory.push({ code: 'delayed', ms: done.delayMs })
      await sleep(done.delayMs, undefined, { signal }).catch(() => {})
    }
    if (signal.aborted) {
      this.#drop(parcel, STOPPED)
      return
    }
    if (done.cut) laboratory.push({ code: 'cut' })
    await this.#send(channel, parcel, laboratory, { cut: done.cut })
    if (done.duplicate && !signal.aborted) {
      this.#count(parcel, 1)
      await this.#send(channel, parcel, [{ code: 'again' }], { cut: false, again: true })
    }
  }

  async #send(
    channel: Channel<Parcel>,
    parcel: Parcel,
    laboratory: readonly Deed[],
    { cut, again = false }: { readonly cut: boolean; readonly again?: boolean },
  ): Promise<void> {
    const { method, url, headers } = parcel.subscription
    const at = this.#options.now()
    const made = await channel.send({ method, url, headers, body: Buffer.from(parcel.event.body) }, { cut })
    this.#finish(parcel, { ...made, lost: !again && made.outcome !== 'delivered', laboratory, at })
  }

  #hold(channel: Channel<Parcel>, parcel: Parcel, holdMs: number): void {
    const timer = setTimeout(() => {
      this.#holding.delete(timer)
      // A key of its own, so that the parcel no longer waits for events of its subject.
      const freed: Parcel = { ...parcel, key: `held ${parcel.event.seq}`, held: true }
      if (!channel.push(freed)) this.#drop(parcel, QUEUE_FULL)
    }, holdMs)
    this.#holding.set(timer, parcel)
  }

  #drop(parcel: Parcel, error: Failure): void {
    this.#finish(parcel, { outcome: 'not-dispatched', lost: true, laboratory: [], error })
  }

  #finish(parcel: Parcel, what: Pick<NewEntry, 'outcome' | 'lost' | 'laboratory'> & Partial<NewEntry>): void {
    const { event, subscription, run } = parcel
    this.#options.log.entry({
      ...NOTHING_SENT,
      type: 'event',
      run,
      seq: event.seq,
      kind: event.kind,
      subject: event.subject,
      cause: event.cause,
      target: { id: subscription.id, name: subscription.name },
      at: this.#options.now(),
      method: subscription.method,
      url: subscription.url,
      requestBody: Buffer.from(event.body),
      ...what,
    })
    this.#count(parcel, -1)
  }

  #count({ run }: Parcel, change: number): void {
    this.#pending += change
    if (run === null) return
    const left = (this.#pendingOfRun.get(run) ?? 0) + change
    if (left > 0) this.#pendingOfRun.set(run, left)
    else this.#pendingOfRun.delete(run)
  }
}

/** Makes the signal for all of the laboratory's delays, so without a limit on listeners. */
function stopper(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}

const PLAN: Failure = { code: 'plan', message: 'plan' }
const QUEUE_FULL: Failure = { code: 'queue-full', message: 'too many deliveries wait already' }
const REMOVED: Failure = { code: 'subscription-removed', message: 'the subscription was removed' }

const NOTHING_SENT = { error: null, durationMs: null, requestHead: null, answer: null }

/** @returns `data.StatusId` when it is an integer, else null: the body of an emitted event may be any text */
function statusIdOf(body: string): number | null {
  try {
    const status: unknown = JSON.parse(body)?.data?.StatusId
    return typeof status === 'number' && Number.isSafeInteger(status) ? status : null
  } catch {
    return null
  }
}

const TEST_EVENT = 'test.connection'

/** Tests a subscription, active or not, on any plan (What the service does, rule 7; the payload is a sandbox choice). No count includes it. */
export async function tryConnection(
  subscription: Subscription,
  now: number,
  timestamp: string,
  timeoutMs: number,
): Promise<NewEntry> {
  const { id, name, method, url, headers } = subscription
  const body = Buffer.from(JSON.stringify({ Event: TEST_EVENT, Timestamp: timestamp, data: {} }))
  const made = await attempt({ method, url, headers, body }, { timeoutMs })
  return {
    ...NO_EVENT,
    type: 'test',
    kind: TEST_EVENT,
    cause: 'connectivity test',
    target: { id, name },
    at: now,
    method,
    url,
    requestBody: body,
    ...made,
  }
}

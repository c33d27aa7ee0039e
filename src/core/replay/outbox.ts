import { messageOf } from '#contract/errors.ts'
import type { AttemptError, Timings } from '#contract/replay.ts'
import type { AttemptTrace, Span } from '../traces.ts'
import type { EndedAttempt, ItemEnd, Ledger, NewAttempt, Outcome, OutgoingRequest, Sender } from './ports.ts'

const RETRY_MS = 1_000

export interface Parcel {
  readonly attempt: NewAttempt
  /** An error when sending is known to be impossible; still recorded as an attempt. */
  readonly content: OutgoingRequest | AttemptError
  readonly signal: AbortSignal
  /** Absent while attempts have no spans. */
  readonly trace?: AttemptTrace | undefined
  /** Called once with the outcome; decides what it means for the queue. */
  settle(outcome: Outcome): { readonly ok: boolean; readonly end: ItemEnd | null }
  readonly recorded?: ((outcome: Outcome) => void) | undefined
  /** The disk could not record the outcome yet; the outbox retries. */
  readonly unrecorded?: ((error: Error) => void) | undefined
  /** The disk could not record the attempt, so it was not sent. */
  returned(error: Error): void
}

export interface Source {
  begin(now: number): readonly Parcel[]
  /** When to call `begin` again, milliseconds; null when only the end of an attempt or a change can help. */
  wakeAt(now: number): number | null
}

export interface OutboxPorts {
  readonly ledger: Pick<Ledger, 'commit'>
  readonly sender: Pick<Sender, 'send'>
  readonly digest: (status: number, body: Uint8Array) => string
  readonly now: () => number
  /** Runs the work after pending events, so that one transaction covers all of them. */
  readonly defer: (work: () => void) => void
  readonly changed: (deliveryId: number) => void
  readonly warn: (message: string) => void
  /** Asked before attempts of forwards are recorded; while it throws, they are not sent. Absent: nothing has to be asked. */
  readonly clear?: ((attempts: readonly NewAttempt[]) => Promise<void>) | undefined
  /** Takes the span of an ended attempt. */
  readonly emit?: ((span: Span) => void) | undefined
}

export const NO_TIMINGS: Timings = {
  lookupUs: null,
  connectUs: null,
  tlsUs: null,
  sendUs: null,
  waitUs: null,
  receiveUs: null,
}
export const unsent = (error: AttemptError): Outcome => ({
  answer: null,
  error,
  timings: NO_TIMINGS,
  address: null,
  reusedConnection: false,
  tookUs: 0,
})

/**
 * Sends the parcels of its sources. Each turn of the event loop commits ended and new attempts in one transaction before it sends a byte,
 * so that after a crash every attempt that may have reached its target is on disk.
 */
export class Outbox {
  readonly #ports: OutboxPorts
  readonly #sources = new Set<Source>()
  #ended: { readonly record: EndedAttempt; readonly parcel: Parcel }[] = []
  #inFlight = 0
  #due = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #refused = false
  #stopping: (() => void) | undefined
  #stopped = false

  constructor(ports: OutboxPorts) {
    this.#ports = ports
  }

  add(source: Source): void {
    this.#sources.add(source)
    this.ring()
  }

  remove(source: Source): void {
    this.#sources.delete(source)
  }

  ring(): void {
    if (this.#due || this.#refused) return
    this.#due = true
    this.#ports.defer(() => {
      this.#due = false
      this.#turn()
    })
  }

  flush(): void {
    if (this.#ended.length > 0) this.#commit([])
  }

  /** Attempts still in flight after the grace period stay "sending" on disk; the next start marks them uncertain. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    if (this.#inFlight > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#stopping = resolve
      const timer = setTimeout(resolve, graceMs)
      await promise
      clearTimeout(timer)
    }
    this.flush()
  }

  #turn(): void {
    const now = this.#ports.now()
    const drawn: Parcel[] = []
    if (!this.#stopped)
      for (const source of this.#sources) this.#guard(() => drawn.push(...source.begin(now)))
    const { clear } = this.#ports
    const asks = ({ attempt: { origin } }: Parcel) => clear !== undefined && origin.by === 'forward'
    const begun = drawn.filter((parcel) => !asks(parcel))
    if (clear && begun.length < drawn.length) void this.#clear(clear, drawn.filter(asks))
    const news = begun.length > 0 || this.#ended.length > 0
    if (news && !this.#commit(begun)) return
    for (const parcel of begun) this.#send(parcel)
    this.#sleep()
  }

  async #clear(clear: NonNullable<OutboxPorts['clear']>, parcels: readonly Parcel[]): Promise<void> {
    this.#inFlight += parcels.length
    let refusal: Error | null = null
    try {
      await clear(parcels.map(({ attempt }) => attempt))
    } catch (error) {
      refusal = new Error(messageOf(error))
    }
    this.#inFlight -= parcels.length
    if (this.#stopped) refusal ??= new Error('Acuse is closing.')
    if (refusal) for (const parcel of parcels) parcel.returned(refusal)
    else if (this.#commit(parcels)) for (const parcel of parcels) this.#send(parcel)
    if (this.#inFlight === 0) this.#stopping?.()
    this.#sleep()
  }

  #commit(begun: readonly Parcel[]): boolean {
    const ended = this.#ended
    try {
      this.#ports.ledger.commit({
        ended: ended.map(({ record }) => record),
        begun: begun.map(({ attempt }) => attempt),
      })
    } catch (error) {
      this.#wait(begun, new Error(messageOf(error)))
      return false
    }
    this.#ended = []
    for (const { record, parcel } of ended) this.#guard(() => parcel.recorded?.(record.outcome))
    return true
  }

  /** An error of a source, such as a failed write, is retried in a later turn. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#ports.warn(`Replays: ${messageOf(error)}`)
      setTimeout(() => this.ring(), RETRY_MS)
    }
  }

  /** Retries while the disk fails: no attempt is sent without a record. */
  #wait(begun: readonly Parcel[], error: Error): void {
    this.#ports.warn(`Replays wait because they cannot be recorded: ${error.message}`)
    for (const parcel of begun) parcel.returned(error)
    for (const { parcel } of this.#ended) parcel.unrecorded?.(error)
    if (this.#refused) return
    this.#refused = true
    setTimeout(() => {
      this.#refused = false
      this.ring()
    }, RETRY_MS)
  }

  #send(parcel: Parcel): void {
    const { attempt, content, signal } = parcel
    this.#inFlight += 1
    this.#ports.changed(attempt.deliveryId)
    const outcome =
      'code' in content ? Promise.resolve(unsent(content)) : this.#ports.sender.send(content, signal)
    void outcome.then((came) => this.#take(parcel, came))
  }

  #take(parcel: Parcel, outcome: Outcome): void {
    const { ok, end } = parcel.settle(outcome)
    if (parcel.trace) this.#ports.emit?.(attemptSpan(parcel.attempt, parcel.trace, outcome, ok))
    const { id, item, deliveryId } = parcel.attempt
    const { answer } = outcome
    this.#ended.push({
      record: {
        id,
        outcome,
        ok,
        digest: answer && this.#ports.digest(answer.status, answer.body),
        item: item && end ? { ...item, end } : null,
      },
      parcel,
    })
    this.#ports.changed(deliveryId)
    this.#inFlight -= 1
    if (this.#inFlight === 0) this.#stopping?.()
    this.ring()
  }

  #sleep(): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    const now = this.#ports.now()
    let wake = Number.POSITIVE_INFINITY
    for (const source of this.#sources) wake = Math.min(wake, source.wakeAt(now) ?? wake)
    if (wake === Number.POSITIVE_INFINITY) return
    // Timers have 31 bits, so longer waits are split into hours.
    this.#timer = setTimeout(() => this.ring(), Math.min(Math.max(1, Math.ceil(wake - now)), 3_600_000))
  }
}

/** Without the address of the target beyond its name: path and query may hold credentials. */
function attemptSpan(attempt: NewAttempt, trace: AttemptTrace, outcome: Outcome, ok: boolean): Span {
  const { id, deliveryId, startedAt, method, origin, tryNumber } = attempt
  const target = attempt.target.includes('://') ? 'url' : attempt.target
  const status = outcome.answer?.status
  return {
    ...{ traceId: trace.traceId, spanId: trace.spanId, parentId: trace.parentId },
    name: `${origin.by === 'forward' ? 'forward' : 'replay'} ${target}`,
    kind: 'client',
    startUs: startedAt,
    endUs: startedAt + outcome.tookUs,
    attributes: {
      'acuse.attempt.id': id,
      'acuse.delivery.id': deliveryId,
      'acuse.target': target,
      'acuse.try': tryNumber,
      'http.request.method': method,
      ...(status === undefined ? {} : { 'http.response.status_code': status }),
    },
    error: outcome.error?.code ?? (ok ? null : 'failure-status'),
  }
}

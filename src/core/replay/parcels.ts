import { refused } from '#contract/errors.ts'
import type { AttemptOrigin, Edit, SendTo } from '#contract/replay.ts'
import type { ResolvedTarget } from '../targets.ts'
import { attemptTrace } from '../traces.ts'
import type { Parcel } from './outbox.ts'
import type { CapturedRequest, CapturedRequests, Item, Ledger } from './ports.ts'
import { buildRequest, typedTarget } from './request.ts'
import { failure } from './statuses.ts'

/** Facts that only the surrounding process knows. */
export interface Surroundings {
  readonly targets: readonly ResolvedTarget[]
  readonly secretHeaders: readonly string[]
  /** Where our own receiver listens; null when it is off. */
  readonly ownReceiver: { readonly host: string; readonly port: number } | null
  /** Whether attempts get spans. */
  readonly traced?: boolean
}

export interface Order extends Pick<Parcel, 'signal' | 'settle' | 'recorded' | 'unrecorded' | 'returned'> {
  readonly deliveryId: number
  /** Null for a delivery sent by hand. */
  readonly item: Item | null
  readonly origin: AttemptOrigin
  readonly to: SendTo
  readonly edit?: Edit | undefined
}

/** Attempt ids reserved per write to disk. */
const IDS_AT_ONCE = 1_000

export class Parcels {
  readonly #ledger: Ledger
  readonly #captured: CapturedRequests
  readonly #now: () => number
  #targets = new Map<string, ResolvedTarget>()
  /** One-time URLs, resolved once for a whole job. */
  readonly #typed = new Map<string, ResolvedTarget>()
  #secretHeaders: ReadonlySet<string> = new Set()
  #traced = false
  #nextId = 0
  #idsLeft = 0

  constructor(ledger: Ledger, captured: CapturedRequests, now: () => number) {
    this.#ledger = ledger
    this.#captured = captured
    this.#now = now
  }

  configure({ targets, secretHeaders, traced = false }: Surroundings): void {
    this.#traced = traced
    this.#targets = new Map(targets.map((target) => [target.name, target]))
    this.#secretHeaders = new Set(secretHeaders)
  }

  target(reference: string): ResolvedTarget | undefined {
    if (!reference.includes('://')) return this.#targets.get(reference)
    let target = this.#typed.get(reference)
    if (!target) {
      if (this.#typed.size > 100) this.#typed.clear()
      target = typedTarget(reference)
      this.#typed.set(reference, target)
    }
    return target
  }

  /** @throws AcuseError `not-found` @param path of the parameter with the name */
  demandTarget(reference: string, path: string): void {
    if (!this.target(reference)) throw refused('not-found', 'no-target', { path, name: reference })
  }

  /** Makes a parcel. With a deleted delivery or target, its content is an error. */
  make(order: Order): Parcel {
    const { deliveryId, item, origin, to, edit } = order
    const id = this.#takeId()
    const record = {
      id,
      item: item && { lane: item.lane, seq: item.seq },
      deliveryId,
      origin,
      target: to.target,
      startedAt: Math.round(this.#now() * 1_000),
      edited: edit !== undefined,
      again: item?.again ?? false,
      tryNumber: (item?.tries ?? 0) + 1,
    }
    const { signal, settle, recorded, unrecorded, returned } = order
    const handling = { signal, settle, recorded, unrecorded, returned }
    const target = this.target(to.target)
    const captured = target && this.#captured.get(deliveryId)
    if (!target || !captured)
      return {
        attempt: { ...record, ...EMPTY, url: target?.url ?? '' },
        content: target ? deliveryGone(deliveryId) : targetGone(to.target),
        ...handling,
      }
    const trace = this.#traced ? attemptTrace(traceable(captured, edit), id, record.startedAt) : undefined
    const { secretNames, editedBody, ...request } = buildRequest({
      captured,
      target,
      ...(to.headers ? { extra: to.headers } : {}),
      edit,
      attemptId: id,
      secretHeaders: this.#secretHeaders,
      trace: trace?.header ?? null,
    })
    return {
      attempt: {
        ...record,
        method: request.method,
        url: request.url,
        headers: request.headers,
        secretNames,
        bodySize: request.body.size,
        editedBody,
      },
      content: request,
      trace,
      ...handling,
    }
  }

  #takeId(): number {
    if (this.#idsLeft === 0) {
      this.#nextId = this.#ledger.reserveIds(IDS_AT_ONCE)
      this.#idsLeft = IDS_AT_ONCE
    }
    this.#idsLeft -= 1
    return this.#nextId++
  }
}

/** The user may have added or removed the header in an edited copy. */
const traceable = (captured: CapturedRequest, edit: Edit | undefined) =>
  edit?.headers ? { ...captured, headers: edit.headers.flat() } : captured

const EMPTY = { method: '', headers: [], secretNames: [], bodySize: 0, editedBody: null }

const deliveryGone = (id: number) =>
  failure('delivery-gone', `Delivery ${id} was deleted, so there is nothing to send.`, { id })

function targetGone(target: string) {
  const message = `The target "${target}" no longer exists; create one with that name, or choose another.`
  return failure('target-gone', message, { target })
}

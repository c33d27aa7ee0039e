import { messageOf } from '#contract/errors.ts'
import type { Capture } from '#core/ports.ts'
import type { Answering } from './answering.ts'
import type { ReceiverTimes } from './limits.ts'
import type { Room, Turns } from './room.ts'
import type { ReadyRules } from './rules.ts'

export interface Context {
  readonly capture: Capture
  readonly answering: Answering
  readonly times: ReceiverTimes
  readonly trouble: StoreTrouble
  rules(): ReadyRules
  /** Microseconds since the epoch. */
  now(): number
  /** Whether the receiver is stopping, so that answers end their connections. */
  stopping(): boolean
  /** Memory that all bodies share while they arrive. */
  readonly bodies: Room
  /** Order in which connections with much data are read. */
  readonly turns: Turns
  refused(): void
  warn(message: string): void
  /** Makes `stop` wait for an append. */
  track(append: Promise<unknown>): void
}

/** Warns once when deliveries cannot be stored, and once, with the number of lost ones, when they can again. */
export class StoreTrouble {
  readonly #warn: (message: string) => void
  #refused = 0

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  failed(error: unknown): void {
    this.#refused++
    if (this.#refused > 1) return
    const reason = messageOf(error)
    this.#warn(`Deliveries cannot be stored (${reason}). They are answered 503 and lost to the service.`)
  }

  stored(): void {
    if (this.#refused === 0) return
    this.#warn(`Deliveries are stored again; ${this.#refused} could not be and were answered 503.`)
    this.#refused = 0
  }
}

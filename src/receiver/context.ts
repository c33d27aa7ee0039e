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
  /** The receiver is stopping: answers end their connections. */
  stopping(): boolean
  /** Memory that bodies share while they are gathered. */
  readonly bodies: Room
  /** Senders of much take turns. */
  readonly turns: Turns
  refused(): void
  warn(message: string): void
  /** An append that `stop` has to wait for. */
  track(append: Promise<unknown>): void
}

/** Says once that nothing can be stored, and once that it can again with what was lost between: not once per delivery. */
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

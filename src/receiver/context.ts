import type { Capture } from '#core/ports.ts'
import type { Answering } from './answering.ts'
import type { ReceiverTimes } from './limits.ts'
import type { Room } from './room.ts'
import type { ReadyRules } from './rules.ts'
import type { StoreTrouble } from './store-trouble.ts'
import type { Turns } from './turns.ts'

/** What every request needs of the receiver. */
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
  /** One more connection was refused. */
  refused(): void
  /** Takes a sentence for the person. */
  warn(message: string): void
  /** An append that `stop` has to wait for. */
  track(append: Promise<unknown>): void
}

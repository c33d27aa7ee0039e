import type { PluginEventType } from '#catalog/service.ts'
import type { AttemptError } from '#contract/replay.ts'

export interface PluginEvent {
  readonly eventType: PluginEventType
  /** JSON text of an object, sent with its very characters; null: none. */
  readonly data: string | null
}

/** What came of publishing. Values of headers are as they came. */
export interface Published {
  readonly ok: boolean
  readonly status: number | null
  /** A sentence: what the specification says about this answer. */
  readonly message: string
  /** Null: the answer came whole. */
  readonly error: AttemptError | null
  /** Microseconds. */
  readonly tookUs: number
  /** Flat list. */
  readonly headers: readonly string[]
  readonly body: string
}

/** The plugin route of one connection. Never throws: what goes wrong is a result. */
export interface PluginPublisher {
  publish(event: PluginEvent): Promise<Published>
}

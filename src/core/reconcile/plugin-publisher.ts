import type { PluginEventType } from '#catalog/service.ts'
import type { AttemptError } from '#contract/replay.ts'

export interface PluginEvent {
  readonly eventType: PluginEventType
  /** JSON text of an object, sent with its very characters; null: none. */
  readonly data: string | null
}

/** What came of publishing. */
export interface Published {
  readonly ok: boolean
  /** Null: no answer. */
  readonly status: number | null
  /** A sentence: what the specification says about this answer. */
  readonly message: string
  /** Null: the answer came whole. */
  readonly error: AttemptError | null
  /** Microseconds from the first step of sending. */
  readonly tookUs: number
  /** Names and values in turn, as they came; the plugin's token is covered. */
  readonly headers: readonly string[]
  /** At most 20,000 characters; the plugin's token is covered. */
  readonly body: string
}

/** The plugin route of one connection. Never throws: what goes wrong is a result. */
export interface PluginPublisher {
  publish(event: PluginEvent): Promise<Published>
}

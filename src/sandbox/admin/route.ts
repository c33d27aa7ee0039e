import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { ExecutionLog } from '../log/log.ts'
import type { ApiKeys, Plugins } from '../records/credentials.ts'
import type { KeptLaboratory } from '../records/kept-laboratory.ts'
import type { Subscriptions } from '../records/subscriptions.ts'
import type { Runs } from '../traffic/runs.ts'
import type { Traffic } from '../traffic/traffic.ts'
import type { SandboxEvent, World } from '../world.ts'
import type { Query } from './reading.ts'

/** What the admin API works on. */
export interface AdminContext {
  readonly world: World
  readonly subscriptions: Subscriptions
  readonly keys: ApiKeys
  readonly plugins: Plugins
  readonly laboratory: KeptLaboratory
  readonly log: ExecutionLog
  readonly dispatcher: Dispatcher
  readonly runs: Runs
  readonly traffic: Traffic
  readonly now: () => number
  readonly timeoutMs: number
}

export interface AdminCall {
  /** Parts of the path, by name. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: Query
  /** The parsed body; undefined when there was none. */
  readonly body: unknown
}

export type AdminReply =
  | { readonly status: number; readonly content: unknown }
  /** Text that is made as it is sent. */
  | { readonly status: 200; readonly lines: Iterable<string> }

export interface AdminRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  /** Under `/_sandbox`, with `:name` for its parts. */
  readonly path: string
  readonly summary: string
  /** Throws a Refusal, and then nothing was changed. */
  handle(call: AdminCall): AdminReply | Promise<AdminReply>
}

export const ok = (content: unknown): AdminReply => ({ status: 200, content })
export const created = (content: unknown): AdminReply => ({ status: 201, content })

export const shownEvent = ({ seq, kind, subject, body }: SandboxEvent) => ({ seq, kind, subject, body })

import type { SyncRoute } from '#contract/reconcile.ts'
import type { ScheduleRun } from '#contract/schedule.ts'

/** What a host remembers of a schedule from one run to the next. No secret stands in it. */
export interface ScheduleMemory {
  /** Milliseconds since the epoch: since when its times count. */
  readonly since: number
  readonly last: ScheduleRun | null
  /** Where the last complete sweep of each route ended, milliseconds since the epoch. */
  readonly sweptTo: { readonly [R in SyncRoute]?: number }
  /** Keys of the missed documents that were told of. */
  readonly told: readonly string[]
  /** A run that has begun; it is gone on with when the host ended meanwhile. */
  readonly underWay: ScheduleUnderWay | null
  /** Events are being rebuilt and sent: what was rebuilt when the host ended is sent by the next run. */
  readonly sending: {
    readonly sweep: number
    readonly target: string
    /** The newest job before; 0 where there was none. */
    readonly afterJob: number
  } | null
}

export interface ScheduleUnderWay {
  readonly from: string
  readonly to: string
  /** In the order of the routes. */
  readonly sweeps: readonly number[]
}

/** Keeps what is remembered, by the name of the connection. */
export interface ScheduleMemories {
  get(connection: string): ScheduleMemory | undefined
  /** Undefined forgets it. Resolves once it is on disk. */
  set(connection: string, memory: ScheduleMemory | undefined): Promise<void>
}

export interface Timer {
  /** @returns a function that takes it back */
  set(ms: number, work: () => void): () => void
}

import type { Params } from '#contract/commands.ts'
import type { SyncRoute } from '#contract/reconcile.ts'
import type { Job } from '#contract/replay.ts'
import type { ScheduleRun } from '#contract/schedule.ts'
import type { Call, Clock } from '../ports.ts'

/** What a host remembers of a schedule from one run to the next. No secret stands in it. */
export interface ScheduleMemory {
  /** Milliseconds since the epoch. */
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
  readonly sweeps: readonly number[]
}

export interface ScheduleMemories {
  get(connection: string): ScheduleMemory | undefined
  set(connection: string, memory: ScheduleMemory | undefined): Promise<void>
}

export interface Timer {
  set(ms: number, work: () => void): () => void
}

export interface RunPorts {
  readonly clock: Clock
  readonly timer: Timer
  readonly call: Call
  /** Without making its target the one that is offered next. */
  startJob(params: Params<'jobs.start'>): Promise<Job>
  onSweeps(listener: () => void): () => void
  zone(): string
  knowsTarget(name: string): boolean
  memory(): ScheduleMemory
  remember(change: Partial<ScheduleMemory>): Promise<void>
}

/** Acuse is closing: what has begun is gone on with by the next run. */
export class Interrupted extends Error {}

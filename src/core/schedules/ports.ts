import type { Params } from '#contract/commands.ts'
import type { SyncRoute } from '#contract/reconcile.ts'
import type { Job } from '#contract/replay.ts'
import type { ScheduleRun } from '#contract/schedule.ts'
import type { Call, Clock } from '../ports.ts'
import type { Once } from './once.ts'

/** State of a schedule that a host stores between runs; contains no secret. */
export interface ScheduleMemory {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly last: ScheduleRun | null
  /** End of each route's last complete sweep, milliseconds since the epoch. */
  readonly sweptTo: { readonly [R in SyncRoute]?: number }
  /** Keys of missed documents already reported. */
  readonly told: readonly string[]
  /** The range of a run that has begun; the next run continues its sweeps if the host ended meanwhile. */
  readonly underWay: ScheduleUnderWay | null
  /** Set while events are rebuilt and sent; if the host ends meanwhile, the next run sends the rest. */
  readonly sending: {
    readonly sweep: number
    readonly target: string
    /** Id of the newest job before; 0 for none. */
    readonly afterJob: number
  } | null
}

export interface ScheduleUnderWay {
  readonly from: string
  readonly to: string
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
  /** Starts a job without making its target the default for the next replay. */
  startJob(params: Params<'jobs.start'>): Promise<Job>
  onSweeps(listener: () => void): () => void
  /** Null on a machine without others, which knows by itself what it rebuilt. */
  readonly once: Once | null
  zone(): string
  knowsTarget(name: string): boolean
  memory(): ScheduleMemory
  remember(change: Partial<ScheduleMemory>): Promise<void>
}

/** Acuse is closing: the next run continues the present one. */
export class Interrupted extends Error {}

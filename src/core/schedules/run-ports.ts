import type { Params } from '#contract/commands.ts'
import type { Job } from '#contract/replay.ts'
import type { Engine } from '../engine.ts'
import type { Clock } from '../ports.ts'
import type { ScheduleMemory, Timer } from './ports.ts'

/** What one run of a schedule goes by. */
export interface RunPorts {
  readonly clock: Clock
  readonly timer: Timer
  readonly call: Engine['call']
  /** Begins a job, without making its target the one that is offered next. */
  startJob(params: Params<'jobs.start'>): Promise<Job>
  /** Tells that sweeps changed. @returns a function that stops it */
  onSweeps(listener: () => void): () => void
  /** Zone of the schedule's connection. @throws AcuseError `not-found` */
  zone(): string
  /** Whether a target of that name is there. */
  knowsTarget(name: string): boolean
  memory(): ScheduleMemory
  /** Resolves once it is on disk. */
  remember(change: Partial<ScheduleMemory>): Promise<void>
}

/** Acuse is closing: what has begun is gone on with by the next run. */
export class Interrupted extends Error {}

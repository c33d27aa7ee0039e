import type { Random } from '../data/random.ts'
import type { ScenarioStep } from '../world.ts'

/** One step's means. */
export interface Act {
  readonly random: Random
  /** Performs an operation; gives the id of what it is about. */
  perform(name: string, params: Readonly<Record<string, unknown>>): string
}

/** Where a scenario acts. */
export interface Stage {
  /** False once the world was reset or closed: nothing of the scenario's is there any more. */
  lives(): boolean
  /** When it began, milliseconds since the epoch. */
  readonly now: number
  /** The workspace's offset in milliseconds east of UTC. */
  readonly eastward: number
  step(work: (act: Act) => void, outage?: boolean): ScenarioStep
}

export type Play = (stage: Stage, count: number) => Iterable<ScenarioStep>

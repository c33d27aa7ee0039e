import { createRandom, type Random } from '../data/random.ts'
import { offsetMinutes } from '../domain/local-time.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { operationNamed } from '../operations/operations.ts'
import type { Transactions } from '../state/transactions.ts'

/** One step of a scenario. */
export interface ScenarioStep {
  readonly events: readonly SandboxEvent[]
  /** The receiver is to be unreachable while this step's events are sent (`outage-day`). */
  readonly outage: boolean
}

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

/**
 * Where a scenario acts: every step is one transaction.
 * @param seed of data of its own; undefined goes on with the world's
 * @param lives false once the world was reset or closed
 */
export function createStage(
  transactions: Transactions,
  cause: string,
  now: () => number,
  offset: () => string,
  seed: number | undefined,
  lives: () => boolean,
): Stage {
  const random = seed === undefined ? undefined : createRandom(seed)
  return {
    lives,
    now: now(),
    eastward: (offsetMinutes(offset()) ?? 0) * 60_000,
    step: (work, outage = false) => {
      const options = random ? { random } : {}
      const { events } = transactions.run(cause, options, (change) => {
        work({
          random: change.random,
          perform: (name, params) => operationNamed(name).run(change, params),
        })
      })
      return { events, outage }
    },
  }
}

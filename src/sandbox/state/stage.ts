import { createRandom } from '../data/random.ts'
import { offsetMinutes } from '../domain/local-time.ts'
import type { Stage } from '../scenarios/stage.ts'
import { operationNamed } from './operations/all.ts'
import type { Transactions } from './transactions.ts'

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

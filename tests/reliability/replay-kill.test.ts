import { expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { CONCURRENCY, replayKillRounds } from './replay-kill-rounds.ts'

/** ACUSE_KILL_ROUNDS asks for more. */
const ROUNDS = Number(process.env.ACUSE_KILL_ROUNDS ?? 5)

it(`skips nothing and repeats only what was on its way, marked, when it is killed in the middle of a job ${ROUNDS} times (product, Jobs)`, async () => {
  const outcome = await replayKillRounds(ROUNDS, seeded(20_261_121))
  expect(outcome).toMatchObject({ rounds: ROUNDS, skipped: 0, unmarked: 0, unrecorded: 0 })
  expect(outcome.repeated).toBeLessThanOrEqual(outcome.uncertain)
  expect(outcome.uncertain).toBeLessThanOrEqual(ROUNDS * CONCURRENCY)
  expect(outcome.uncertain).toBeGreaterThan(0)
}, 600_000)

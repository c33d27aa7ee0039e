import { expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { filingKillRounds, killRounds } from './kill-rounds.ts'
import { outsiderRounds, replacedRound } from './outsider-rounds.ts'
import { CONCURRENCY, replayKillRounds } from './replay-kill-rounds.ts'

it('loses and doubles nothing that was answered when it is killed under load, ten times over (At-most-once)', async () => {
  const outcome = await killRounds(10, seeded(20_261_121))
  expect(outcome).toMatchObject({ rounds: 10, lost: 0, doubled: 0, damaged: 0 })
  expect(outcome.answered).toBeGreaterThan(100)
})

/** Number of kills; ACUSE_FILING_KILLS sets another one. */
const KILLS = Number(process.env.ACUSE_FILING_KILLS ?? 10)

it(`files each answered delivery once, killed ${KILLS} times while it appends, files, checkpoints and recycles segments (At-most-once)`, async () => {
  const outcome = await filingKillRounds(KILLS, seeded(20_261_123))
  expect(outcome).toMatchObject({ lost: [], doubled: 0, damaged: false, problems: [] })
  expect(outcome.recycled).toBeGreaterThan(1)
}, 3_600_000)

/** Longer than the writer waits for a lock, so that it closes its connection and opens another. */
const LOCKED_MS = 2_000

it('keeps its locks, its files and every answered delivery while other programs lock, read and close its database (At-most-once)', async () => {
  const outcome = await outsiderRounds(8_000, LOCKED_MS)
  expect(outcome).toMatchObject({ unlocked: 0, replaced: [], setAside: [], unlisted: 0 })
  expect(outcome).toMatchObject({ lost: 0, doubled: 0, refused: 0 })
  expect(outcome.rounds).toBeGreaterThan(5)
  expect(outcome.answered).toBeGreaterThan(100)
})

it('answers 200 to each delivery and files it while its database is locked, replaced and damaged (At-most-once)', async () => {
  const outcome = await replacedRound(30_000)
  expect(outcome).toMatchObject({ kinds: ['moved'], logProblems: [], lost: 0, doubled: 0, refused: 0 })
  expect(outcome.answered).toBeGreaterThan(100)
})

/** Number of rounds; ACUSE_KILL_ROUNDS sets another one. */
const ROUNDS = Number(process.env.ACUSE_KILL_ROUNDS ?? 5)

it(`skips nothing and repeats only what was on its way, marked, when it is killed in the middle of a job ${ROUNDS} times (product, Jobs)`, async () => {
  const outcome = await replayKillRounds(ROUNDS, seeded(20_261_121))
  expect(outcome).toMatchObject({ rounds: ROUNDS, skipped: 0, unmarked: 0, unrecorded: 0 })
  expect(outcome.repeated).toBeLessThanOrEqual(outcome.uncertain)
  expect(outcome.uncertain).toBeLessThanOrEqual(ROUNDS * CONCURRENCY)
  expect(outcome.uncertain).toBeGreaterThan(0)
}, 600_000)

import { expect, it } from 'vitest'
import { outsiderRounds } from './outsider-rounds.ts'

/** Longer than the writer waits for a lock: it gives its connection up and opens another. */
const LOCKED_MS = 2_000

it('keeps its locks, its files and every answered delivery while other programs lock, read and close its database (At-most-once)', async () => {
  const outcome = await outsiderRounds(8_000, LOCKED_MS)
  expect(outcome).toMatchObject({ unlocked: 0, replaced: [], setAside: [], unlisted: 0, lost: 0, doubled: 0 })
  expect(outcome.rounds).toBeGreaterThan(5)
  expect(outcome.answered).toBeGreaterThan(100)
})

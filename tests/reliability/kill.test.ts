import { expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { killRounds } from './kill-rounds.ts'

it('loses and doubles nothing that was answered when it is killed under load, ten times over (At-most-once)', async () => {
  const outcome = await killRounds(10, seeded(20_261_121))
  expect(outcome).toMatchObject({ rounds: 10, lost: 0, doubled: 0, damaged: 0 })
  expect(outcome.answered).toBeGreaterThan(100)
})

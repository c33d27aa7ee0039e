import { expect, test } from 'vitest'
import { runs } from '../support/depth.ts'
import { seeded } from '../support/random.ts'
import { flipRounds } from './flip-rounds.ts'
import { powerCutRounds } from './power-cut-rounds.ts'

/** `npm run bench -- reliability 1000 cuts` opens more states, `… 300 flips` flips more bits. */
const STATES = runs(100)
const FLIPS = runs(40)

test(`whatever ${STATES} power cuts leave of log and database, each delivery that was answered is filed once, and analysed as without a cut (reliability, row 3)`, async () => {
  const { problems, states, partial, ...seen } = await powerCutRounds(STATES, seeded(20_261_127))
  expect(problems).toEqual([])
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
})

test('names the record in which a bit has flipped before it was filed, and files every other one (reliability, row 3)', () => {
  const { damaged, partial, unnamed } = flipRounds(FLIPS, seeded(20_261_127))
  expect(unnamed).toEqual([])
  expect(Math.min(damaged, partial)).toBeGreaterThan(0)
})

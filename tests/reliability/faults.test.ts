import { expect, it } from 'vitest'
import { faultRounds, heldSyncs, TROUBLES } from './fault-rounds.ts'

it('says yes to nobody while the disk has not confirmed a sync, and to all afterwards (reliability, row 2)', async () => {
  expect(await heldSyncs(40, 1_500)).toEqual([0, 40])
})

it(`gives no false yes and goes on by itself over ${TROUBLES.length} troubles of disk, folder and clock (reliability, row 5)`, async () => {
  const { rounds, lost, doubled, logProblems } = await faultRounds(600)
  expect({ lost, doubled, logProblems }).toEqual({ lost: 0, doubled: 0, logProblems: [] })
  for (const { name, refuses, during, after } of rounds) {
    expect([name, after.refused, after.taken > 0]).toEqual([name, 0, true])
    expect([name, during.taken > 0]).toEqual([name, !refuses])
    if (refuses) expect([name, during.refused > 0]).toEqual([name, true])
  }
})

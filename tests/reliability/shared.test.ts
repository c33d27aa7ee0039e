import { describe, expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import { failoverRound, followerKillRounds, outageRound, receiverKillRounds } from './shared-rounds.ts'

const random = seeded(20_261_127)

describe('a shared log has every answered delivery once', () => {
  it('while receivers are killed', async () => {
    const out = await receiverKillRounds(3, random)
    expect(out).toMatchObject({ lost: 0, doubled: 0 })
    expect(out.answered).toBeGreaterThan(5)
  })
  it.each(['synchronous', 'cancelled'] as const)('over a failover (%s)', async (how) => {
    const out = await failoverRound(random, how)
    expect(out).toMatchObject({ lost: 0, doubled: 0 })
    expect(out.answered).toBeGreaterThan(20)
  })
  it('but not over a failover to an asynchronous standby, so these rounds can fail', async () => {
    expect((await failoverRound(random, 'asynchronous')).lost).toBeGreaterThan(0)
  })
  it('while the standby is away, and drains single copies when it is back', async () => {
    const out = await outageRound(5_000)
    expect(out).toMatchObject({ lost: 0, doubled: 0, refused: 0 })
    expect(out.during).toBeGreaterThan(20)
  })
  it('and so has a follower that is killed', async () => {
    const { wanted, missed, more } = await followerKillRounds(4, random)
    expect({ missed, more }).toEqual({ missed: 0, more: 0 })
    expect(wanted).toBeGreaterThan(20)
  })
})

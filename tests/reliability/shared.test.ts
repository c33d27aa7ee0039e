import { describe, expect, it } from 'vitest'
import { seeded } from '../support/random.ts'
import {
  failoverRounds,
  followerKillRounds,
  outageRound,
  receiverKillRounds,
  standbyKillRounds,
} from './shared-rounds.ts'

const random = seeded(20_261_127)

describe('a shared log has every answered delivery once', () => {
  it('while receivers are killed', async () => {
    const out = await receiverKillRounds(3, random)
    expect(out).toMatchObject({ lost: 0, doubled: 0 })
    expect(out.answered).toBeGreaterThan(5)
  })
  it.each(['synchronous', 'cancelled'] as const)(
    'and so has its follower, over failovers (%s)',
    async (how) => {
      const out = await failoverRounds(2, random, how)
      expect(out).toMatchObject({ lost: 0, doubled: 0, missed: 0, more: 0 })
      expect(out.answered).toBeGreaterThan(20)
    },
  )
  it('but not over a failover to an asynchronous standby, so these rounds can fail', async () => {
    expect((await failoverRounds(1, random, 'asynchronous')).lost).toBeGreaterThan(0)
  })
  it('while the standby is killed', async () => {
    expect(await standbyKillRounds(2, random)).toMatchObject({ lost: 0, doubled: 0, refused: 0 })
  })
  it('while both standbys are away, and drains single copies when they are back', async () => {
    const out = await outageRound(5_000)
    expect(out).toMatchObject({ lost: 0, doubled: 0, refused: 0 })
    expect(out.during).toBeGreaterThan(20)
  })
  it('and so has a follower that is killed', async () => {
    const { followed, missed, more } = await followerKillRounds(4, random)
    expect({ missed, more }).toEqual({ missed: 0, more: 0 })
    expect(followed).toBeGreaterThan(20)
  })
})

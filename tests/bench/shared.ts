import {
  failoverRounds,
  followerKillRounds,
  outageRound,
  receiverKillRounds,
  standbyKillRounds,
} from '../reliability/shared-rounds.ts'
import { seeded } from '../support/random.ts'
import { type Figure, report } from './report.ts'

const OUTAGE_MS = 30_000
/** Shares of the number of rounds: of 200 kills of receivers, 50 of primaries, … */
const PRIMARIES = 1 / 4
const STANDBYS = 1 / 10
const FOLLOWERS = 1 / 2
/** Two receivers are killed at once, and ten waits for the standby cancelled before a failover. */
const RECEIVERS = 1 / 2
const CANCELLED = 1 / 20
const CONTROLS = 1 / 50

type Row = readonly [what: string, target: string, value: number, unit?: string]

const of = (rounds: number, share: number): number => Math.max(1, Math.round(rounds * share))
const random = seeded(Date.now())

/** Parts of the proof of the shared log; each returns its rows. @param kills of receivers; the other numbers are shares of it */
const PARTS: Readonly<Record<string, (kills: number) => Promise<readonly Row[]>>> = {
  async receivers(kills) {
    const rounds = of(kills, RECEIVERS)
    const { answered, lost, doubled } = await receiverKillRounds(rounds, random)
    return [
      [`receivers killed ${rounds * 2} times, ${answered} answered: lost or doubled`, '0', lost + doubled],
    ]
  },
  async primaries(kills) {
    const rounds = of(kills, PRIMARIES)
    const seen = await failoverRounds(rounds, random, 'synchronous')
    const what = `primaries killed ${rounds} times, ${seen.answered} answered`
    return [
      [`${what}: lost or doubled`, '0', seen.lost + seen.doubled],
      [`${what}: missed by a follower, or shown and taken back`, '0', (seen.missed ?? 0) + (seen.more ?? 0)],
    ]
  },
  async cancelled(kills) {
    const { answered, cancelled, lost, doubled } = await failoverRounds(
      of(kills, CANCELLED),
      random,
      'cancelled',
    )
    return [
      [
        `waits for the standby cancelled ${cancelled} times, ${answered} answered: lost or doubled`,
        '0',
        lost + doubled,
      ],
    ]
  },
  async control(kills) {
    const rounds = of(kills, CONTROLS)
    const { answered, lost } = await failoverRounds(rounds, random, 'asynchronous')
    return [[`primaries killed ${rounds} times without replication, ${answered} answered: lost`, '> 0', lost]]
  },
  async standbys(kills) {
    const rounds = of(kills, STANDBYS)
    const { answered, lost, doubled } = await standbyKillRounds(rounds, random)
    return [[`standbys killed ${rounds} times, ${answered} answered: lost or doubled`, '0', lost + doubled]]
  },
  async outage() {
    const { answered, during, lost, doubled, refused, drainMs } = await outageRound(OUTAGE_MS)
    return [
      [
        `both standbys away for 30 s, ${during} of ${answered} answered then: lost, doubled or refused`,
        '0',
        lost + doubled + refused,
      ],
      ['single copies drained after their return', '≤ 10 s', drainMs / 1_000, 's'],
    ]
  },
  async followers(kills) {
    const rounds = of(kills, FOLLOWERS)
    const { followed, missed, more } = await followerKillRounds(rounds, random)
    return [
      [`a follower killed ${rounds} times, ${followed} deliveries: missed or twice`, '0', missed + more],
    ]
  },
}

/** Kills receivers, databases and followers of a shared log under load. @param chosen parts to run; empty: all */
export async function shared(kills: number, chosen: readonly string[] = []): Promise<void> {
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for (const [what, target, value, unit = ''] of await run(kills)) {
      console.log(`${what}: ${value} ${unit}`)
      figures.push(['–', what, target, unit, [value]])
    }
  }
  if (figures.length > 0) report('shared', figures, {})
  else console.error(`Nothing was measured; the parts are ${Object.keys(PARTS).join(', ')}.`)
}

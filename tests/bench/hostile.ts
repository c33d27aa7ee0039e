import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bombRound, bombs } from '../reliability/bomb-rounds.ts'
import { burstRound, type CrowdKind, crowdRound } from '../reliability/crowd-rounds.ts'
import type { Figure } from './report.ts'

const MIB = 1_048_576
const CROWD_SECONDS = 60

/** Rows 8, 15 and 16 of the reliability targets: a burst, bodies that cost much to read, crowds of slow senders. */
export async function hostile(): Promise<{ figures: readonly Figure[]; raw: unknown }> {
  const figures: Figure[] = []
  const add = (row: string, what: string, target: string, unit: string, value: number) =>
    figures.push({ row, what, target, unit, values: [value] })

  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-hostile-'))

  const burst = await burstRound(join(folder.path, 'burst'), 1_000, 10, 5)
  add('8', `10,000 in 5 s over 1,000 connections: refused`, '0', '', burst.refused)
  add('8', `answered and lost, of ${burst.answered}`, '0', '', burst.lost)
  add('8', '99th percentile then', '≤ 2 s', 's', burst.p99 / 1_000)

  const all = bombs()
  const rounds = [
    ...all.map((bomb) => [bomb.name, [bomb]] as const),
    ['one after the other of all', all] as const,
  ]
  const exploded = []
  for (const [name, sent] of rounds) {
    const outcome = await bombRound(name, sent)
    exploded.push(outcome)
    const sorted = [...outcome.good].sort((a, b) => a - b)
    add('15', `16 at once, ${name}: memory`, '≤ 64 MiB', 'MiB', outcome.growth / MIB)
    add('15', `${name}: not answered 200`, '0', '', outcome.refused)
    add('15', `${name}: good ones, 99th percentile`, '', 'ms', sorted[Math.floor(sorted.length * 0.99)] ?? 0)
  }

  const crowds: readonly Partial<Record<CrowdKind, number>>[] = [
    { 'slow heads': 1_000, 'slow bodies': 1_000 },
    { 'long heads': 1_400 },
    { 'half bodies': 1_400 },
  ]
  const outcomes = []
  for (const counts of crowds) {
    const outcome = await crowdRound(join(folder.path, `crowd-${outcomes.length}`), counts, CROWD_SECONDS)
    outcomes.push({ counts, outcome })
    const name = Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(' and ')
    add(
      '16',
      `${name} for ${CROWD_SECONDS} s: good ones refused, of ${outcome.good}`,
      '0',
      '',
      outcome.refused,
    )
    add('16', `${name}: good ones, median`, '', 'ms', outcome.p50)
    add('16', `${name}: good ones, 99th percentile`, '≤ 100 ms', 'ms', outcome.p99)
    for (const [kind, held] of Object.entries(outcome.held))
      add(
        '16',
        `${kind}: longest until closed`,
        kind.includes('heads') ? '≤ 16 s' : '≤ 31 s',
        's',
        held / 1_000,
      )
  }
  return { figures, raw: { burst, exploded, outcomes } }
}

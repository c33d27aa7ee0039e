import { spawnSync } from 'node:child_process'
import { DAMAGES, type DamageOutcome, damageRound, soundStore } from '../reliability/damage-rounds.ts'
import { killRounds } from '../reliability/kill-rounds.ts'
import { outsiderRounds } from '../reliability/outsider-rounds.ts'
import { seeded } from '../support/random.ts'
import { hostile } from './hostile.ts'
import { type Figure, report } from './report.ts'
import { syncOrder } from './sync-order.ts'

/** Rows 1, 2, 6, 8, 15 and 16 of the reliability targets: kills under load, other programs, damaged stores, the order of sync and answer, crowds. */
export async function reliability(rounds: number): Promise<void> {
  const kills = await killRounds(rounds, seeded(Date.now()))
  const figures: Figure[] = [
    {
      row: '1',
      what: `answered and lost, over ${kills.rounds} kills and ${kills.answered} answers`,
      target: '0',
      unit: '',
      values: [kills.lost],
    },
    { row: '1', what: 'stored twice', target: '0', unit: '', values: [kills.doubled] },
    { row: '1', what: 'rounds with a damaged database', target: '0', unit: '', values: [kills.damaged] },
    {
      row: '1',
      what: 'slowest start until ready',
      target: '≤ 3 s',
      unit: 's',
      values: [kills.slowestStart / 1000],
    },
  ]
  const outsider = await outsiderRounds(60_000, 6_000)
  const beside: readonly (readonly [what: string, value: number])[] = [
    [`answered and lost beside other programs, of ${outsider.answered}`, outsider.lost],
    ['answered and in no list then', outsider.unlisted],
    [`looks at the locks that found none of ours, of ${outsider.looks}`, outsider.unlocked],
    ['files replaced or set aside then', outsider.replaced.length + outsider.setAside.length],
  ]
  for (const [what, value] of beside) figures.push({ row: '1', what, target: '0', unit: '', values: [value] })
  const sound = await soundStore()
  const damages: DamageOutcome[] = []
  for (const damage of DAMAGES) damages.push(await damageRound(damage, sound))
  const times = damages.map(({ receivingMs }) => receivingMs ?? Number.POSITIVE_INFINITY)
  const short = damages.filter(({ undamaged, salvaged, kept }) => salvaged < undamaged * 0.99 || !kept)
  figures.push(
    {
      row: '6',
      what: `slowest until receiving, over ${damages.length} damaged stores`,
      target: '≤ 3 s',
      unit: 's',
      values: [Math.max(...times) / 1000],
    },
    {
      row: '6',
      what: 'originals deleted, or with less than 99 % brought back',
      target: '0',
      unit: '',
      values: [short.length],
    },
  )
  if (spawnSync('strace', ['-V']).status === 0) {
    const order = await syncOrder(5)
    figures.push({
      row: '2',
      what: `2xx written before their sync, of ${order.answers}`,
      target: '0',
      unit: '',
      values: [order.early],
    })
  } else console.log('strace is not installed: the order of sync and answer was not watched.')
  const attacked = await hostile()
  figures.push(...attacked.figures)
  report('reliability', figures, { kills, outsider, damages, attacked: attacked.raw })
}

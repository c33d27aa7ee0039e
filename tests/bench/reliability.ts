import { spawnSync } from 'node:child_process'
import { killRounds } from '../reliability/kill-rounds.ts'
import { seeded } from '../support/random.ts'
import { type Figure, report } from './report.ts'
import { syncOrder } from './sync-order.ts'

/** Rows 1 and 2 of the reliability targets: so many kills under load, and the order of sync and answer as the kernel saw it. */
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
  report('reliability', figures, { kills })
}

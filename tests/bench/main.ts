import { browse } from './browse.ts'
import { ingest } from './ingest.ts'
import { live } from './live.ts'
import { reconcile } from './reconcile.ts'
import { reliability } from './reliability.ts'
import { replay } from './replay.ts'
import { scale } from './scale.ts'
import { shared } from './shared.ts'
import { transfer } from './transfer.ts'

const BENCHES = {
  ingest: { run: ingest, repeats: 5, what: 'durable intake, judging, memory (P1 to P5)' },
  live: { run: live, repeats: 5, what: 'wire to pixel in the browser (P6)' },
  replay: { run: replay, repeats: 5, what: 'sending again, and its memory (P13)' },
  browse: {
    run: browse,
    repeats: 5,
    what: 'a million deliveries in the store and in the window (P7 to P12)',
  },
  reconcile: { run: reconcile, repeats: 5, what: 'a sweep against what was captured (P14)' },
  transfer: {
    run: transfer,
    repeats: 1,
    what: 'memory of exports and imports; formats and "import" by name',
  },
  reliability: {
    run: reliability,
    repeats: 500,
    what: 'kills, power cuts, faults of disk and clock, other programs, damage, bursts, bombs, crowds, random services; parts by name',
  },
  shared: {
    run: shared,
    repeats: 200,
    what: 'a shared log: kills of receivers, databases and followers, failovers, outage; parts by name',
  },
  scale: {
    run: scale,
    repeats: 1,
    what: 'the costs of one shared log, and a simulation of many',
  },
} as const

const [name, count, ...parts] = process.argv.slice(2)
const chosen = Object.entries(BENCHES).find(([key]) => key === name)?.[1]
if (!chosen) {
  console.log('usage: npm run bench -- NAME [REPEATS [PART …]]\n')
  for (const [key, bench] of Object.entries(BENCHES))
    console.log(`  ${key.padEnd(12)} ${bench.what}; ${bench.repeats} repeats`)
  process.exit(name === undefined ? 0 : 2)
}
const repeats = count === undefined ? chosen.repeats : Number(count)
if (!Number.isInteger(repeats) || repeats < 1) {
  console.error(`"${count}" is no number of repeats; give a whole number from 1.`)
  process.exit(2)
}
await chosen.run(repeats, parts)

import { type ChildProcess, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createChecker } from '#storage/checking/checker.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { bombRound, bombs } from '../reliability/bomb-rounds.ts'
import { burstRound, type CrowdKind, crowdRound, spread } from '../reliability/crowd-rounds.ts'
import { DAMAGES, damageRound, soundStore } from '../reliability/damage-rounds.ts'
import { faultRounds, heldSyncs, TROUBLES } from '../reliability/fault-rounds.ts'
import { flipRounds } from '../reliability/flip-rounds.ts'
import { filingKillRounds, killRounds } from '../reliability/kill-rounds.ts'
import { outsiderRounds, replacedRound } from '../reliability/outsider-rounds.ts'
import { powerCutRounds } from '../reliability/power-cut-rounds.ts'
import { aUuid } from '../support/events.ts'
import { processorMs } from '../support/processes.ts'
import { seeded } from '../support/random.ts'
import { appendAtOnce, forkChecker, openTestStore } from '../support/store.ts'
import { words } from '../support/words.ts'
import { invoiceBody } from './event.ts'
import { type Figure, report } from './report.ts'
import { syncOrder } from './sync-order.ts'

const MIB = 1_048_576
const CROWD_SECONDS = 60
const FAULT_MS = 3_000
/** Deliveries that the store of the scrub gets at once. */
const TOGETHER = 500
/** A scrub takes a twentieth of the time. */
const SCRUB_PART = 20
const WORLD_SEEDS = [1, 2, 3, 4]
const ROOT = resolve(import.meta.dirname, '../..')

type Row = readonly [row: string, what: string, target: string, value: number, unit?: string]

/** Parts of the reliability targets; each returns its rows and raw measurements. */
const PARTS = {
  async kills(rounds: number) {
    const seen = await killRounds(rounds, seeded(Date.now()))
    return rowsOf(
      seen,
      ['1', `answered and lost, over ${rounds} kills and ${seen.answered} answers`, '0', seen.lost],
      ['1', 'stored twice', '0', seen.doubled],
      ['1', 'rounds with a damaged database', '0', seen.damaged],
      ['1', 'slowest start until ready', '≤ 3 s', seen.slowestStart / 1_000, 's'],
    )
  },
  async filing(rounds: number) {
    const seen = await filingKillRounds(rounds, seeded(Date.now()))
    const what = `over ${rounds} kills of append, filing, checkpoint and recycling`
    return rowsOf(
      seen,
      ['1', `of ${seen.answered} appended: lost, ${what}`, '0', seen.lost.length],
      [
        '1',
        `filed twice or damaged, ${what}`,
        '0',
        seen.doubled + Number(seen.damaged) + seen.problems.length,
      ],
      ['1', 'times that the log went round', '> 1', seen.recycled],
    )
  },
  async cuts(states: number) {
    const seen = await powerCutRounds(states, seeded(Date.now()))
    const { answered, torn, checkpoints, recycled } = seen
    const what = `${answered} appends, ${checkpoints} checkpoints, ${recycled} recycled segments`
    return rowsOf(
      seen,
      [
        '3',
        `power cuts after which a confirmed delivery was missing, double, changed or judged differently, of ${seen.states} (${what})`,
        '0',
        seen.problems.length,
      ],
      ['3', 'power cuts that left an unfinished write', '', torn],
    )
  },
  async flips(rounds: number) {
    const seen = flipRounds(rounds, seeded(Date.now()))
    return rowsOf(
      seen,
      [
        '3',
        `flipped bits of the log whose record was not named, or that cost another one, of ${rounds}`,
        '0',
        seen.unnamed.length,
      ],
      ['3', 'of them: named', '', seen.damaged + seen.partial + seen.last],
    )
  },
  async faults() {
    const { rounds, ...seen } = await faultRounds(FAULT_MS)
    const [early = 0] = await heldSyncs(200, FAULT_MS)
    const wrong = rounds.filter(
      ({ refuses, during, after }) => (refuses && during.taken > 0) || after.refused > 0,
    )
    return rowsOf(
      { rounds, ...seen },
      [
        '5',
        `answered and lost over ${TROUBLES.length} faults of disk, folder and clock, of ${seen.answered}`,
        '0',
        seen.lost,
      ],
      ['5', 'stored twice', '0', seen.doubled],
      ['5', 'faults with a false yes, or a no after their end', '0', wrong.length],
      ['2', 'answered 2xx while the sync was held, of 200', '0', early],
    )
  },
  async replaced() {
    const seen = await replacedRound(30_000)
    return rowsOf(
      seen,
      [
        '6',
        `lost or doubled while the database was locked for 30 s, replaced and damaged, of ${seen.answered}`,
        '0',
        seen.lost + seen.doubled,
      ],
      ['6', 'not answered 200 then', '0', seen.refused],
    )
  },
  async scrub() {
    const seen = await scrubRound(50_000, 10_000)
    return rowsOf(
      seen,
      ['–', 'scrub of 1,000,000 deliveries of 2 KB', '≤ 24 h', seen.hoursPerMillion, 'h'],
      ['–', 'processor of the scrub', '≤ 5 %', seen.share * 100, '%'],
    )
  },
  async outsider() {
    const seen = await outsiderRounds(60_000, 30_000)
    const files = seen.replaced.length + seen.setAside.length
    return rowsOf(
      seen,
      ['1', `answered and lost beside other programs, of ${seen.answered}`, '0', seen.lost],
      ['1', 'refused while another program held the database for 30 s', '0', seen.refused],
      ['1', 'answered and in no list then', '0', seen.unlisted],
      ['1', `looks at the locks that found none of ours, of ${seen.looks}`, '0', seen.unlocked],
      ['1', 'files replaced or set aside then', '0', files],
    )
  },
  async damages() {
    const sound = await soundStore()
    const seen: Awaited<ReturnType<typeof damageRound>>[] = []
    for (const damage of DAMAGES) seen.push(await damageRound(damage, sound))
    const slowest = Math.max(...seen.map(({ receivingMs }) => receivingMs ?? Number.POSITIVE_INFINITY))
    const short = seen.filter(({ undamaged, salvaged, kept }) => salvaged < undamaged * 0.99 || !kept)
    return rowsOf(
      seen,
      ['6', `slowest until receiving, over ${seen.length} damaged stores`, '≤ 3 s', slowest / 1_000, 's'],
      ['6', 'originals deleted, or with less than 99 % brought back', '0', short.length],
    )
  },
  async order() {
    if (spawnSync('strace', ['-V']).status !== 0)
      throw new Error(
        'The part "order" needs strace; install it. The part "faults" holds the syncs without it.',
      )
    const seen = await syncOrder(5, 16)
    return rowsOf(seen, ['2', `2xx written before their sync, of ${seen.answers}`, '0', seen.early])
  },
  async burst() {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-burst-'))
    const seen = await burstRound(folder.path, 1_000, 10, 5)
    return rowsOf(
      seen,
      ['8', '10,000 in 5 s over 1,000 connections: refused', '0', seen.refused],
      ['8', `answered and lost, of ${seen.answered}`, '0', seen.lost],
      ['8', '99th percentile then', '≤ 2 s', seen.p99 / 1_000, 's'],
    )
  },
  async bombs() {
    const all = bombs()
    const rounds = [...all.map((bomb) => [bomb.name, [bomb]] as const), ['each in turn', all] as const]
    const seen = []
    const rows: Row[] = []
    for (const [name, sent] of rounds) {
      const outcome = await bombRound(sent)
      seen.push({ name, ...outcome })
      rows.push(
        ['15', `16 at once, ${name}: memory`, '≤ 64 MiB', outcome.growth / MIB, 'MiB'],
        ['15', `${name}: not answered 200`, '0', outcome.refused],
        ['15', `${name}: good ones, 99th percentile`, '', spread(outcome.good).p99, 'ms'],
      )
    }
    return rowsOf(seen, ...rows)
  },
  async crowds() {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-crowds-'))
    const crowds: readonly Partial<Record<CrowdKind, number>>[] = [
      { 'slow heads': 1_000, 'slow bodies': 1_000 },
      { 'long heads': 1_400 },
      { 'half bodies': 1_400 },
    ]
    const seen = []
    const rows: Row[] = []
    for (const [nth, counts] of crowds.entries()) {
      const outcome = await crowdRound(join(folder.path, `${nth}`), counts, CROWD_SECONDS)
      seen.push({ counts, outcome })
      const name = Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(' and ')
      rows.push(
        ['16', `${name} for ${CROWD_SECONDS} s: good ones refused, of ${outcome.good}`, '0', outcome.refused],
        ['16', `${name}: good ones, median`, '', outcome.p50, 'ms'],
        ['16', `${name}: good ones, 99th percentile`, '≤ 100 ms', outcome.p99, 'ms'],
      )
      for (const [kind, held] of Object.entries(outcome.held)) {
        const aim = kind.includes('heads') ? '≤ 16 s' : '≤ 31 s'
        rows.push(['16', `${kind}: longest until closed`, aim, held / 1_000, 's'])
      }
    }
    return rowsOf(seen, ...rows)
  },
  async worlds() {
    const args = words`node_modules/vitest/vitest.mjs run -c tests/vitest.config.ts --root .
      tests/conformance/reconcile-worlds.test.ts`
    const wrong = WORLD_SEEDS.filter((seed) => {
      const env = { ...process.env, ACUSE_WORLDS: '500', ACUSE_SEED: String(seed) }
      return spawnSync(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] }).status !== 0
    })
    const what = `seeds with a wrong comparison, of ${WORLD_SEEDS.length} with 500 random services each`
    return rowsOf({ wrong }, ['–', what, '0', wrong.length])
  },
} as const

const rowsOf = (seen: unknown, ...rows: readonly Row[]) => ({ seen, rows })

/**
 * Runs kills under load, other programs, damaged stores, the order of sync and answer, bursts, bombs, crowds, random services.
 * @param chosen parts to run; empty: all
 */
export async function reliability(rounds: number, chosen: readonly string[] = []): Promise<void> {
  const figures: Figure[] = []
  const seen: Record<string, unknown> = {}
  for (const [name, run] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const part = await run(rounds)
    seen[name] = part.seen
    for (const [row, what, target, value, unit = ''] of part.rows)
      figures.push([row, what, target, unit, [value]])
  }
  if (figures.length > 0) report('reliability', figures, seen)
  else console.error(`Nothing was measured; the parts are ${Object.keys(PARTS).join(', ')}.`)
}

/** Measures how long the comparison of all stored bytes takes, and how much of a core a scrub takes. @param ms how long to watch it */
async function scrubRound(deliveries: number, ms: number) {
  await using opened = await openTestStore()
  const { store, folder } = opened
  for (let n = 0; n < deliveries; n += TOGETHER)
    await appendAtOnce(store, TOGETHER, (i) => ({ body: invoiceBody(aUuid(n + i)) }))
  await store.deliveries.settled(600_000)
  const began = performance.now()
  const { checked, altered } = await store.verify()
  const seconds = (performance.now() - began) / 1_000
  let made: ChildProcess | undefined
  const checker = createChecker(storeFiles(folder).captured, () => {
    made = forkChecker()
    return made
  })
  checker.scrub(() => undefined)
  // Its start does not count: it is once a day.
  await wait(2_000)
  const pids = [made?.pid ?? 0]
  const before = processorMs(pids)
  await wait(ms)
  const share = (processorMs(pids) - before) / ms
  await checker.close()
  return {
    checked,
    altered: altered.length,
    seconds,
    hoursPerMillion: ((seconds / checked) * 1e6 * SCRUB_PART) / 3_600,
    share,
  }
}

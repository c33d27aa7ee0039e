import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Lane } from '#log/shared/lane.ts'
import { DAY_MS } from '#log/shared/rows.ts'
import { startReceiver } from '../reliability/shared-rounds.ts'
import { descendants, processFile, processorMs } from '../support/processes.ts'
import { seeded } from '../support/random.ts'
import { type SharedWorld, sharedWorld } from '../support/shared-world.ts'
import { invoiceBody } from './event.ts'
import { load } from './load.ts'
import { type Figure, median, percentile, report } from './report.ts'
import { type Constants, type Cost, line, MOST_RECORDS, of, simulate } from './scale-model.ts'

/** Assumptions that a reader may replace; the prices are examples in any currency. */
const ASSUMED = {
  'cores of a database server': 8,
  'deliveries a second of a cell; none was measured at more than 7,200': 20_000,
  'largest share of the cores that are used': 0.5,
  'largest share of a core that replays in the standby': 0.7,
  'largest share of a core of a receiver': 0.5,
  'write-ahead log that a server takes, MB/s': 250,
  'milliseconds between two zones and back': 1,
  'busiest cell / mean of the cells': 1.3,
  'servers of a cell: primary and standbys': 3,
  'days kept': 30,
  'price of a core for an hour': 0.05,
  'price of a GB of disk for a month': 0.1,
  'price of a GB between zones': 0.01,
} as const
const RATES = [1_000, 10_000, 100_000]
const OUTAGE = { from: 3_000, ms: 10_000 }

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const SENDERS = 64
const RECEIVERS = 2
const LOAD_SECONDS = 5
const SIZES = [1, 16, 64, 256]
const SIZE_MS = 1_500
const WARM_SECONDS = 3
/** Assumed: a write and a sync of a disk. */
const SPILL_MS = 2
const TODAY = Math.floor(Date.now() / DAY_MS)

interface Measured extends Constants {
  /** Processor time of the one process that replays in the standby. */
  readonly replay: Cost
  /** Bytes. */
  readonly log: Cost
  readonly stored: number
  /** Of the real receivers, with everything on this machine's cores. */
  readonly real: {
    readonly perSecond: number
    readonly batch: number
    readonly p50: number
    readonly p99: number
    /** Cores that other work of this machine left. */
    readonly cores: number
  }
}

/** Runs receivers under load, and then lanes alone with batches of several sizes. */
async function measure(): Promise<Measured> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-scale-'))
  await using world = await sharedWorld()
  const one = async (text: string) => Object.values((await world.primary.query(text))[0] ?? {}).map(Number)
  const table =
    'SELECT count(*) AS rows, count(DISTINCT xmin::text) AS batches, avg(octet_length(payload)) AS size FROM acuse.record'

  const receivers = await Promise.all(
    Array.from({ length: RECEIVERS }, (_, n) => startReceiver(world.url, folder.path, `receiver-${n}`)),
  )
  const shoot = (seconds: number) =>
    Promise.all(
      receivers.map(({ url }) => load({ url, connections: SENDERS / RECEIVERS, seconds, bodies: [BODY] })),
    )
  await shoot(WARM_SECONDS)
  const pids = receivers.flatMap(({ pid }) => descendants(pid))
  const databases = [world.primary, world.standby].flatMap(({ pid = 0 }) => descendants(pid))
  const look = () => [performance.now(), processorMs(pids), endedMs(), processorMs(databases) + idleMs()]
  const [rowsBefore = 0, batchesBefore = 0] = await one(table)
  const before = look()
  const loads = await shoot(LOAD_SECONDS)
  const [ms = 0, receiverMs = 0, senderMs = 0, otherMs = 0] = look().map((now, n) => now - (before[n] ?? 0))
  const [rows = 0, batches = 0, size = 0] = await one(table)
  for (const receiver of receivers) await receiver.end('SIGTERM')
  const sent = loads.reduce((sum, { requests }) => sum + requests, 0)

  const lane = new Lane(world.url, 'scale')
  await lane.connect()
  const origin = crypto.randomUUID()
  const payload = Buffer.alloc(Math.round(size))
  let seq = 0
  const batchOf = (length: number) =>
    Array.from({ length }, () => ({ origin, seq: ++seq, day: TODAY, kind: 1, numbered: true, payload }))
  const run = (how: 'store' | 'drain', length: number) =>
    timed(world, () => lane[how](batchOf(length), 10_000))
  await run('store', 1)
  const sizes: (readonly [length: number, seen: Timed])[] = []
  for (const length of SIZES) sizes.push([length, await run('store', length)] as const)
  const drain = await run('drain', MOST_RECORDS)
  lane.close()
  const cost = (of: (seen: Timed) => number) => line(sizes.map(([length, seen]) => [length, of(seen)]))
  const [bytes = 0, count = 1] = await one(
    "SELECT sum(pg_total_relation_size(relid)) AS bytes, (SELECT count(*) FROM acuse.record) AS rows FROM pg_partition_tree('acuse.record')",
  )
  return {
    sender: senderMs / sent,
    receiver: receiverMs / sent,
    primary: cost(({ primary }) => primary),
    standby: cost(({ standby }) => standby),
    replay: cost(({ replay }) => replay),
    commit: cost(({ wall, primary }) => Math.max(0, wall - primary)),
    log: cost(({ log }) => log),
    drain: { batch: 0, each: drain.primary / MOST_RECORDS },
    spill: SPILL_MS,
    spread: sizes.flatMap(([, { walls, wall }]) => walls.map((one) => one / wall)),
    stored: bytes / count,
    real: {
      perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
      batch: (rows - rowsBefore) / (batches - batchesBefore),
      p50: median(loads.map(({ p50 }) => p50)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      cores: (receiverMs + senderMs + otherMs) / ms,
    },
  }
}

type Timed = Awaited<ReturnType<typeof timed>>

/** What one call of `work` takes, as the mean of many, one after the other; `wall` as their median. */
async function timed({ primary, standby }: SharedWorld, work: () => Promise<unknown>) {
  const of = (root: number | undefined) => descendants(root ?? 0)
  const [primaries, standbys] = [of(primary.pid), of(standby.pid)]
  const replaying = standbys.filter((pid) => processFile(pid, 'cmdline').includes('startup'))
  const look = async () => {
    const [row] = await primary.query("SELECT pg_current_wal_lsn() - '0/0' AS log")
    return [Number(row?.log), ...[primaries, standbys, replaying].map(processorMs)]
  }
  const before = await look()
  const walls: number[] = []
  for (const until = performance.now() + SIZE_MS; performance.now() < until; ) {
    const began = performance.now()
    await work()
    walls.push(performance.now() - began)
  }
  const after = await look()
  const [log = 0, main = 0, other = 0, replay = 0] = after.map(
    (now, n) => (now - (before[n] ?? 0)) / walls.length,
  )
  return { walls, wall: median(walls), log, primary: main, standby: other, replay }
}

/** Milliseconds of processor time of this process's ended children. */
function endedMs(): number {
  const fields = processFile(process.pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

/** Milliseconds in which the cores of this machine had no work. */
function idleMs(): number {
  const [, , , idle = 0, waiting = 0] = (/^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? '')
    .split(' ')
    .map(Number)
  return 10 * (idle + waiting)
}

/** The smallest number of cells that carry a rate, and what they then do. */
function cellsFor(seen: Measured, rate: number) {
  const costs = {
    ...seen,
    commit: { ...seen.commit, batch: seen.commit.batch + ASSUMED['milliseconds between two zones and back'] },
  }
  for (let cells = 1; ; cells++) {
    const busiest = Math.min(rate, (rate / cells) * ASSUMED['busiest cell / mean of the cells'])
    if (busiest > ASSUMED['deliveries a second of a cell; none was measured at more than 7,200']) continue
    const receivers = Math.max(
      2,
      Math.ceil((busiest * seen.receiver) / 1_000 / ASSUMED['largest share of a core of a receiver']),
    )
    const cores = ASSUMED['cores of a database server']
    const plan = { load: { rate: busiest }, seconds: 3, receivers, cores }
    // The simulation is worth its time only where the batches can be large enough.
    const [replay, log] = [seen.replay, seen.log].map(
      (cost) => (of(cost, MOST_RECORDS) / MOST_RECORDS) * busiest,
    )
    if (
      (replay ?? 0) / 1_000 > ASSUMED['largest share of a core that replays in the standby'] ||
      (log ?? 0) / 1e6 > ASSUMED['write-ahead log that a server takes, MB/s']
    )
      continue
    const run = simulate(costs, plan, seeded(cells))
    const replays = ((of(seen.replay, run.batch) / run.batch) * busiest) / 1_000
    if (
      run.database > ASSUMED['largest share of the cores that are used'] ||
      replays > ASSUMED['largest share of a core that replays in the standby']
    )
      continue
    const outage = simulate(costs, { ...plan, seconds: 16, outage: OUTAGE }, seeded(cells))
    return { cells, receivers, busiest, run, replays, outage }
  }
}

/** Costs of a million deliveries at a steady rate. */
function priceOf(
  seen: Measured,
  rate: number,
  { cells, receivers, run }: ReturnType<typeof cellsFor>,
): number {
  const servers = ASSUMED['servers of a cell: primary and standbys']
  const cores = cells * (servers * ASSUMED['cores of a database server'] + receivers)
  const gigabytes = (bytes: number) => bytes / 1e3
  const log = of(seen.log, run.batch) / run.batch
  return (
    ((cores * ASSUMED['price of a core for an hour']) / (rate * 3_600)) * 1e6 +
    gigabytes(seen.stored) *
      servers *
      (ASSUMED['days kept'] / 30) *
      ASSUMED['price of a GB of disk for a month'] +
    gigabytes(log) * (servers - 1) * ASSUMED['price of a GB between zones']
  )
}

/** Measures one database for half a minute, and simulates many. */
export async function scale(): Promise<void> {
  const before = loadavg()[0]
  const seen = await measure()
  // Work takes longer on cores that are shared with other work.
  const slower = cpus().length / seen.real.cores
  const slowed = ({ batch, each }: Cost): Cost => ({ batch: batch * slower, each: each * slower })
  const closed = simulate(
    {
      ...{ ...seen, sender: seen.sender * slower, receiver: seen.receiver * slower },
      ...{ primary: slowed(seen.primary), standby: slowed(seen.standby) },
    },
    {
      ...{ load: { senders: SENDERS }, seconds: LOAD_SECONDS, receivers: RECEIVERS },
      ...{ cores: cpus().length, shared: true },
    },
    seeded(1),
  )
  const figures: Figure[] = []
  const add = (row: string, what: string, value: number, unit = '') =>
    figures.push([row, what, '', unit, [value]])
  const perBatch = ({ batch, each }: Cost, what: string, unit: string, by = 1) => {
    add('measured', `${what}, for a batch`, batch * by, unit)
    add('measured', `${what}, and for each delivery in it`, each * by, unit)
  }
  add('measured', 'load of the machine before the run', before ?? Number.NaN)
  add('measured', 'processor time of a delivery in a receiver', seen.receiver * 1_000, 'µs')
  add('measured', 'the same in the sender of the load', seen.sender * 1_000, 'µs')
  perBatch(seen.primary, 'processor time of the primary', 'µs', 1_000)
  perBatch(seen.standby, 'processor time of the standby', 'µs', 1_000)
  perBatch(seen.replay, 'of this, replay', 'µs', 1_000)
  perBatch(seen.commit, 'wait of a commit', 'ms')
  perBatch(seen.log, 'write-ahead log', 'kB', 1e-3)
  add('measured', 'processor time of the primary to drain a delivery', seen.drain.each * 1_000, 'µs')
  add('measured', 'stored, with indexes', seen.stored / 1e3, 'kB')
  for (const [row, run] of [
    ['real', seen.real],
    [
      'simulated',
      { ...closed, p50: percentile(closed.latencies, 0.5), p99: percentile(closed.latencies, 0.99) },
    ],
  ] as const) {
    const what = `${RECEIVERS} receivers, ${SENDERS} connections, everything on ${cpus().length} cores`
    add(row, `${what}: intake`, run.perSecond, '/s')
    add(row, `${what}: deliveries of a batch`, run.batch)
    add(row, `${what}: median`, run.p50, 'ms')
    add(row, `${what}: 99th percentile`, run.p99, 'ms')
  }
  add('real', 'cores that other work left', seen.real.cores)
  figures.push(['simulated', 'intake / real', '0.7 to 1.4', '×', [closed.perSecond / seen.real.perSecond]])
  for (const rate of RATES) {
    const found = cellsFor(seen, rate)
    const { cells, receivers, busiest, run, outage, replays } = found
    const row = `${rate}/s`
    add(row, 'cells (a primary and its standbys)', cells)
    add(row, 'receivers, of one core', cells * receivers)
    add(row, 'the busiest cell takes', busiest, '/s')
    add(row, 'its batches', run.batch)
    add(row, 'its primary uses of its cores', run.database * 100, '%')
    add(row, 'its standby replays during', replays * 100, '%')
    add(row, 'its answers: median', percentile(run.latencies, 0.5), 'ms')
    add(row, 'its answers: 99th percentile', percentile(run.latencies, 0.99), 'ms')
    add(row, 'write-ahead log of all cells', ((of(seen.log, run.batch) / run.batch) * rate) / 1e6, 'MB/s')
    add(row, 'stored in a day, on each copy', (seen.stored * rate * 86_400) / 1e12, 'TB')
    add(row, 'a million deliveries cost', priceOf(seen, rate, found))
    add(row, 'a cell fails over for 10 s: most single copies', outage.most)
    add(row, 'on the disk of each receiver', (outage.most * seen.stored) / receivers / 1e6, 'MB')
    add(row, 'drained after its return', outage.drainMs / 1_000, 's')
    add(row, 'answers in these 16 s: 99th percentile', percentile(outage.latencies, 0.99), 'ms')
  }
  report('scale', figures, { ASSUMED, seen })
}

import { setTimeout as wait } from 'node:timers/promises'
import { aUuid } from '../support/events.ts'
import { sampleBody } from '../support/sample-deliveries.ts'
import { invoiceBody } from './event.ts'
import { type LoadPlan, type LoadResult, load } from './load.ts'
import { type Figure, report } from './report.ts'
import {
  clientOf,
  judged,
  listed,
  type Placement,
  type Running,
  startAcuse,
  startBare,
  startExpress,
  startMockttp,
} from './servers.ts'

/** The body of P1 to P3: a factura.created of 2 KB, each of another document. */
const INVOICES = Array.from({ length: 600 }, (_, n) => invoiceBody(aUuid(n)))
/** What is judged and kept, P4 and P5: bodies of all kinds, 100 to 2,900 bytes, 1,650 on average; some have findings. */
const MIXED = Array.from({ length: 600 }, (_, n) => sampleBody(20_261_128, n, Date.now()))
const SERVER_CPU: Placement = { cpus: '0' }
const CLIENT_CPU = '1'

interface Row {
  readonly server: string
  readonly connections: number
  readonly result: LoadResult
}

/** Folder with mockttp for row P2; without it the row is skipped. */
const INSTALLED = process.env.ACUSE_BENCH_PEERS
const peers = INSTALLED ? [(placement: Placement) => startMockttp(INSTALLED, placement)] : []
/** The cli.js of an earlier build for the comparison of row P3; without it that row is skipped. */
const BASE = process.env.ACUSE_BENCH_BASE
const bases = BASE ? [(placement: Placement) => startAcuse({ ...placement, cli: BASE })] : []
/** Deliveries per second, more than on a busy day, and the duration (row P4). */
const SUSTAINED = 1_000
const SUSTAINED_S = 20

/** Rows P1 to P5: servers in turn (A B C A B C …), with the server and its threads on one core and the load on the other. */
export async function ingest(repeats: number): Promise<void> {
  const rows: Row[] = []
  const unlisted: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++)
    for (const start of [startBare, startExpress, (cpu: Placement) => startAcuse(cpu), ...bases, ...peers]) {
      const server = await start(SERVER_CPU)
      let answered = 0
      const said: string[] = []
      for (const [connections, seconds] of [
        [64, 5],
        [16, 3],
        [1, 2],
      ] as const) {
        answered += (await shoot(server, connections, 1)).requests
        const result = await shoot(server, connections, seconds)
        rows.push({ server: server.name, connections, result })
        const { perSecond, p50, p99, errors, requests } = result
        answered += requests
        said.push(
          `c${connections} ${perSecond.toFixed(0)}/s p50 ${p50.toFixed(2)} p99 ${p99.toFixed(1)} err ${errors}`,
        )
      }
      if (server.name === 'acuse') unlisted.push(answered - (await listed(server)))
      await server.stop()
      console.log(`repeat ${repeat + 1} ${server.name}: ${said.join(' · ')}`)
    }
  const of = (server: string, connections: number, key: keyof LoadResult): number[] =>
    rows
      .filter((row) => row.server === server && row.connections === connections)
      .map(({ result }) => result[key])
  const ratio = (other: string, key: 'perSecond' | 'p50' | 'p99' = 'perSecond', connections = 64) =>
    of('acuse', connections, key).map((value, at) => value / (of(other, connections, key)[at] ?? Number.NaN))
  const intake = 'durable intake, 64 connections /'
  const mockttp: readonly Figure[] = [
    ['P2', `${intake} mockttp, which stores nothing durably`, '≥ 2.5', '×', ratio('mockttp')],
    ['P2', 'p99 / p99 of mockttp', '≤ 0.3', '×', ratio('mockttp', 'p99')],
  ]
  const base: Figure = [
    'P3',
    'p50 at 1 connection / that of the build before',
    '≤ 0.75',
    '×',
    ratio('base', 'p50', 1),
  ]
  const figures: Figure[] = [
    ['P1', `${intake} Express without storage`, '≥ 0.60', '×', ratio('express')],
    ['P1', `${intake} bare node:http`, '≥ 0.40', '×', ratio('bare node:http')],
    ['P1', 'p99 at 64 connections / that of Express', '≤ 3', '×', ratio('express', 'p99')],
    ['P1', 'p99 at 16 connections / that of Express', '≤ 3', '×', ratio('express', 'p99', 16)],
    ['P1', 'p99 at 64 connections', '', 'ms', of('acuse', 64, 'p99')],
    ['P1', 'errors', '0', '', of('acuse', 64, 'errors')],
    ['P1', 'answered and not listed', '0', '', unlisted],
    ...(INSTALLED ? mockttp : []),
    ['P3', 'p50 at 1 connection', '', 'ms', of('acuse', 1, 'p50')],
    ...(BASE ? [base] : []),
    ...(await analysisAndMemory(Math.min(repeats, 3))),
    await sustained(),
  ]
  report('ingest', figures, rows)
}

const shoot = (
  { url }: Running,
  connections: number,
  seconds: number,
  plan: Pick<LoadPlan, 'bodies' | 'rate'> = { bodies: INVOICES },
): Promise<LoadResult> => load({ url: url.href, connections, seconds, renewed: true, ...plan }, CLIENT_CPU)

/** P4: time to analyse the backlog of a 10 s burst at full speed. P5: memory at 100,000 deliveries, and its growth. */
async function analysisAndMemory(repeats: number): Promise<Figure[]> {
  const drained: number[] = []
  const resident: number[] = []
  const growth: number[] = []
  for (let repeat = 0; repeat < repeats; repeat++) {
    const server = await startAcuse()
    const samples: { captured: number; rss: number }[] = []
    let captured = 0
    for (let second = 0; second < 10; second++) {
      captured += (await shoot(server, 64, 1, { bodies: MIXED })).requests
      samples.push({ captured, rss: server.rss() })
    }
    const from = performance.now()
    await listed(server)
    await judged(server)
    drained.push((performance.now() - from) / 1000)
    const last = samples.at(-1)
    const at = samples.find((sample) => sample.captured >= 100_000)
    resident.push((at ?? last)?.rss ?? Number.NaN)
    const middle = at === last ? samples[4] : at
    if (last && middle) growth.push(((last.rss - middle.rss) / (last.captured - middle.captured)) * 10_000)
    console.log(
      `burst ${repeat + 1}: ${captured} captured, judged after ${drained.at(-1)?.toFixed(1)} s, ${server.rss().toFixed(0)} MB`,
    )
    await server.stop()
  }
  return [
    ['P4', 'all filed and judged after a 10 s burst', '≤ 12 s', 's', drained],
    ['P5', 'resident memory at 100,000 captured', '≤ 220 MB', 'MB', resident],
    ['P5', 'growth per 10,000 captured', '≤ 2 MB', 'MB', growth],
  ]
}

/** P4: length of the analysis queue, sampled twice a second, at SUSTAINED deliveries a second. */
async function sustained(): Promise<Figure> {
  const server = await startAcuse()
  const waiting: number[] = []
  const arriving = shoot(server, 64, SUSTAINED_S, { bodies: MIXED, rate: SUSTAINED })
  const client = await clientOf(server)
  for (let look = 0; look < SUSTAINED_S * 2; look++) {
    await wait(500)
    waiting.push((await client.call('deliveries.settled', { timeoutMs: 0 })).unjudged)
  }
  const { perSecond, errors } = await arriving
  console.log(
    `${perSecond.toFixed(0)}/s sustained, ${errors} errors, waiting at most ${Math.max(...waiting)}`,
  )
  await client.close()
  await server.stop()
  return ['P4', `waiting to be judged at ${SUSTAINED} a second, ${SUSTAINED_S} s`, 'no backlog', '', waiting]
}

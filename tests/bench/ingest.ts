import { setTimeout as wait } from 'node:timers/promises'
import { invoiceBody } from './event.ts'
import { type LoadResult, load } from './load.ts'
import { type Figure, report } from './report.ts'
import {
  clientOf,
  judged,
  PEERS,
  type Placement,
  type Running,
  startAcuse,
  startBare,
  startExpress,
  startPeer,
} from './servers.ts'

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const SERVER_CPU: Placement = { cpus: '0' }
const CLIENT_CPU = '1'

interface Row {
  readonly server: string
  readonly connections: number
  readonly repeat: number
  readonly result: LoadResult
}

/** Where peers were installed (row P2); they are measured when it is given. */
const INSTALLED = process.env.ACUSE_BENCH_PEERS
const peers = INSTALLED
  ? PEERS.map((name) => (placement: Placement) => startPeer(name, INSTALLED, placement))
  : []
/** A rate that a busy day does not reach, and how long it is held (row P4). */
const SUSTAINED = 1_000
const SUSTAINED_S = 20

/** Rows P1 to P5: pairs in the same run (A B C A B C …), the server and all its threads on one core, the load on the other. */
export async function ingest(repeats: number): Promise<void> {
  const rows: Row[] = []
  const figures: Figure[] = []
  const ratio = (a: string, b: string, connections: number) =>
    byRepeat(rows, a, connections).map(
      (r, i) => r.perSecond / (byRepeat(rows, b, connections)[i]?.perSecond ?? Number.NaN),
    )

  for (let repeat = 0; repeat < repeats; repeat++)
    for (const start of [startBare, startExpress, startAcuse, ...peers]) {
      const server = await start(SERVER_CPU)
      for (const [connections, seconds] of [
        [64, 5],
        [16, 3],
        [1, 2],
      ] as const) {
        await shoot(server, connections, 1)
        rows.push({
          server: server.name,
          connections,
          repeat,
          result: await shoot(server, connections, seconds),
        })
      }
      await server.stop()
      console.log(
        `repeat ${repeat + 1} ${server.name}: ${rows
          .slice(-3)
          .map(
            (r) =>
              `c${r.connections} ${r.result.perSecond.toFixed(0)}/s p50 ${r.result.p50.toFixed(2)} p99 ${r.result.p99.toFixed(1)} err ${r.result.errors}`,
          )
          .join(' · ')}`,
      )
    }

  figures.push(
    [
      'P1',
      'durable intake / Express without storage, 64 connections',
      '≥ 0.32',
      '×',
      ratio('acuse', 'express', 64),
    ],
    [
      'P1',
      'durable intake / bare node:http, 64 connections',
      '≥ 0.25',
      '×',
      ratio('acuse', 'bare node:http', 64),
    ],
    ['P1', 'p99 at 64 connections', '≤ 15 ms', 'ms', byRepeat(rows, 'acuse', 64).map((r) => r.p99)],
    ['P1', 'errors', '0', '', byRepeat(rows, 'acuse', 64).map((r) => r.errors)],
    ['P3', 'p99 at 16 connections', '≤ 5 ms', 'ms', byRepeat(rows, 'acuse', 16).map((r) => r.p99)],
    ['P3', 'p50 at 1 connection', '≤ 0.30 ms', 'ms', byRepeat(rows, 'acuse', 1).map((r) => r.p50)],
  )
  if (INSTALLED)
    for (const peer of PEERS)
      figures.push(
        [
          'P2',
          `durable intake / ${peer}, which stores nothing durably, 64 connections`,
          peer === 'mockttp' ? '≥ 1.7' : '',
          '×',
          ratio('acuse', peer, 64),
        ],
        [
          'P2',
          `p99 / p99 of ${peer}`,
          peer === 'mockttp' ? '≤ 0.083' : '',
          '×',
          byRepeat(rows, 'acuse', 64).map(
            ({ p99 }, at) => p99 / (byRepeat(rows, peer, 64)[at]?.p99 ?? Number.NaN),
          ),
        ],
      )
  figures.push(...(await analysisAndMemory(repeats)), await sustained())
  report('ingest', figures, rows)
}

function byRepeat(rows: readonly Row[], server: string, connections: number): LoadResult[] {
  return rows
    .filter((row) => row.server === server && row.connections === connections)
    .map((row) => row.result)
}

function shoot(server: Running, connections: number, seconds: number, rate?: number): Promise<LoadResult> {
  const plan = {
    host: server.url.hostname,
    port: Number(server.url.port),
    path: '/',
    connections,
    seconds,
    body: BODY,
    ...(rate === undefined ? {} : { rate }),
  }
  return load(plan, CLIENT_CPU)
}

/** P4: how long the backlog of judging takes after a 10 s burst at full speed. P5: memory at 100,000 captured and its growth. */
async function analysisAndMemory(repeats: number): Promise<Figure[]> {
  const drained: number[] = []
  const resident: number[] = []
  const growth: number[] = []
  for (let repeat = 0; repeat < Math.min(repeats, 3); repeat++) {
    const server = await startAcuse()
    const samples: { captured: number; rss: number }[] = []
    let captured = 0
    for (let second = 0; second < 10; second++) {
      captured += (await shoot(server, 64, 1)).requests
      samples.push({ captured, rss: server.rss() })
    }
    const from = performance.now()
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
    ['P4', 'backlog of judging gone after a 10 s burst', '≤ 10 s', 's', drained],
    ['P5', 'resident memory at 100,000 captured', '≤ 220 MB', 'MB', resident],
    ['P5', 'growth per 10,000 captured', '≤ 2 MB', 'MB', growth],
  ]
}

/** P4: deliveries that wait to be judged, looked at twice a second, while so many arrive. */
async function sustained(): Promise<Figure> {
  const server = await startAcuse()
  const waiting: number[] = []
  const arriving = shoot(server, 64, SUSTAINED_S, SUSTAINED)
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

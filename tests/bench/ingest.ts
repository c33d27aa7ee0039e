import { setTimeout as wait } from 'node:timers/promises'
import { invoiceBody } from './event.ts'
import { type LoadResult, load } from './load.ts'
import { type Figure, report } from './report.ts'
import { type Placement, type Running, startAcuse, startBare, startExpress } from './servers.ts'

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const SERVER_CPU: Placement = { cpus: '0' }
const CLIENT_CPU = '1'

interface Row {
  readonly server: string
  readonly connections: number
  readonly repeat: number
  readonly result: LoadResult
}

/** Rows P1, P3, P4 and P5: pairs in the same run (A B C A B C …), the server and all its threads on one core, the load on the other. */
export async function ingest(repeats: number): Promise<void> {
  const rows: Row[] = []
  const figures: Figure[] = []
  const ratio = (a: string, b: string, connections: number) =>
    byRepeat(rows, a, connections).map(
      (r, i) => r.perSecond / (byRepeat(rows, b, connections)[i]?.perSecond ?? Number.NaN),
    )

  for (let repeat = 0; repeat < repeats; repeat++)
    for (const start of [startBare, startExpress, startAcuse]) {
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
    {
      row: 'P1',
      what: 'durable intake / Express without storage, 64 connections',
      target: '≥ 0.32',
      unit: '×',
      values: ratio('acuse', 'express', 64),
    },
    {
      row: 'P1',
      what: 'durable intake / bare node:http, 64 connections',
      target: '≥ 0.25',
      unit: '×',
      values: ratio('acuse', 'bare node:http', 64),
    },
    {
      row: 'P1',
      what: 'p99 at 64 connections',
      target: '≤ 15 ms',
      unit: 'ms',
      values: byRepeat(rows, 'acuse', 64).map((r) => r.p99),
    },
    {
      row: 'P1',
      what: 'errors',
      target: '0',
      unit: '',
      values: byRepeat(rows, 'acuse', 64).map((r) => r.errors),
    },
    {
      row: 'P3',
      what: 'p99 at 16 connections',
      target: '≤ 5 ms',
      unit: 'ms',
      values: byRepeat(rows, 'acuse', 16).map((r) => r.p99),
    },
    {
      row: 'P3',
      what: 'p50 at 1 connection',
      target: '≤ 0.30 ms',
      unit: 'ms',
      values: byRepeat(rows, 'acuse', 1).map((r) => r.p50),
    },
  )
  figures.push(...(await analysisAndMemory(repeats)))
  report('ingest', figures, rows)
}

function byRepeat(rows: readonly Row[], server: string, connections: number): LoadResult[] {
  return rows
    .filter((row) => row.server === server && row.connections === connections)
    .map((row) => row.result)
}

function shoot(server: Running, connections: number, seconds: number): Promise<LoadResult> {
  const plan = {
    host: server.url.hostname,
    port: Number(server.url.port),
    path: '/',
    connections,
    seconds,
    body: BODY,
  }
  return load(plan, CLIENT_CPU)
}

/** P4: how long the backlog of judging takes after a 10 s burst at full speed. P5: memory at about 100,000 captured and its growth. */
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
    await backlogGone(server)
    drained.push((performance.now() - from) / 1000)
    const last = samples.at(-1)
    const middle = samples[4]
    resident.push(server.rss())
    if (last && middle) growth.push(((last.rss - middle.rss) / (last.captured - middle.captured)) * 10_000)
    console.log(
      `burst ${repeat + 1}: ${captured} captured, judged after ${drained.at(-1)?.toFixed(1)} s, ${resident.at(-1)?.toFixed(0)} MB`,
    )
    await server.stop()
  }
  return [
    {
      row: 'P4',
      what: 'backlog of judging gone after a 10 s burst',
      target: '≤ 10 s',
      unit: 's',
      values: drained,
    },
    { row: 'P5', what: 'resident memory after the burst', target: '≤ 220 MB', unit: 'MB', values: resident },
    { row: 'P5', what: 'growth per 10,000 captured', target: '≤ 2 MB', unit: 'MB', values: growth },
  ]
}

async function backlogGone(server: Running): Promise<void> {
  const { connectLocal } = await import('#hosts/local/client.ts')
  const client = await connectLocal(server.dataDir ?? '')
  if (!client) throw new Error('the host does not answer on its local socket')
  for (;;) {
    const { unjudged } = await client.call('deliveries.settled', { timeoutMs: 1_000 })
    if (unjudged === 0) break
    await wait(50)
  }
  await client.close()
}

import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Job, JobOptions, ReplaySource } from '#contract/replay.ts'
import type { LocalClient } from '#hosts/local/client.ts'
import { invoiceBody } from './event.ts'
import { load } from './load.ts'
import { replayClient } from './replay-client.ts'
import { type Figure, report } from './report.ts'
import { clientOf, judged, type Placement, type Running, startAcuse, startBare } from './servers.ts'

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const CONCURRENCY = 16
/** Deliveries of one side of a pair, at least. */
const PAIRED = 20_000
const MANY = 100_000
/** Not a list of ids: each look at the job would carry all of them. */
const EVERYTHING: ReplaySource = { type: 'filter', filter: '' }
/** The sender and all its threads on one core, the target on the other. */
const SENDER: Placement = { cpus: '0' }
const TARGET: Placement = { cpus: '1' }

interface Pair {
  readonly acuse: number
  readonly client: number
}

/** Row P13: jobs at concurrency 16 beside a bare client, in pairs on the same target; memory over 100,000 replays. */
export async function replay(repeats: number): Promise<void> {
  const pairs: Pair[] = []
  const target = await startBare(TARGET)
  try {
    const host = await startAcuse(SENDER)
    try {
      await capture(host, PAIRED)
      const client = await clientOf(host)
      // One of each that does not count: connections, caches, compiled code.
      await pair(client, target)
      for (let repeat = 0; repeat < repeats; repeat++) {
        const one = await pair(client, target)
        pairs.push(one)
        console.log(
          `pair ${repeat + 1}: acuse ${one.acuse.toFixed(0)}/s, bare client ${one.client.toFixed(0)}/s, ${(one.acuse / one.client).toFixed(2)} ×`,
        )
      }
      await client.close()
    } finally {
      await host.stop()
    }
    const memory = await memoryOver(MANY, target)
    const figures: Figure[] = [
      [
        'P13',
        `replay / bare node:http client, concurrency ${CONCURRENCY}`,
        '≥ 0.85',
        '×',
        pairs.map(({ acuse, client: bare }) => acuse / bare),
      ],
      ['P13', 'deliveries replayed a second', '–', '/s', pairs.map(({ acuse }) => acuse)],
      ['–', 'of the bare client', '–', '/s', pairs.map(({ client: bare }) => bare)],
      ...memory.figures,
    ]
    report('replay', figures, { pairs, paired: PAIRED, memory: memory.samples })
  } finally {
    await target.stop()
  }
}

interface Sent {
  readonly count: number
  readonly perSecond: number
}

/** One after the other, so that neither takes from the other. @returns deliveries per second of each */
async function pair(client: LocalClient, target: Running): Promise<Pair> {
  const job = await send(client, target, EVERYTHING)
  const { count } = job
  const bare = await replayClient({ url: target.url.href, body: BODY, count, concurrency: CONCURRENCY }, '0')
  return { acuse: job.perSecond, client: bare.perSecond }
}

/** Timed from the call that starts the job to the last answer. */
async function send(client: LocalClient, target: Running, source: ReplaySource): Promise<Sent> {
  const from = performance.now()
  const { id } = await client.call('jobs.start', { source, options: optionsFor(target) })
  const job = await ended(client, id, () => {})
  const seconds = (performance.now() - from) / 1_000
  if (job.done !== job.total)
    throw new Error(`${job.done} of ${job.total} were taken; ${job.lastError?.message ?? ''}`)
  return { count: job.total, perSecond: job.total / seconds }
}

const optionsFor = (target: Running): JobOptions => ({
  ...DEFAULT_JOB_OPTIONS,
  to: { target: target.url.href },
  concurrency: CONCURRENCY,
})

const LOOK_MS = 50
const SAMPLED_MS = 500

async function ended(client: LocalClient, id: number, meanwhile: (job: Job) => void): Promise<Job> {
  for (;;) {
    const job = await client.call('jobs.get', { id })
    if (job.state !== 'running') return job
    meanwhile(job)
    await wait(LOOK_MS)
  }
}

/** Resident memory of the host before, over and after a job of so many. */
async function memoryOver(count: number, target: Running) {
  const host = await startAcuse()
  try {
    await capture(host, count)
    const client = await clientOf(host)
    const before = host.rss()
    const { id } = await client.call('jobs.start', {
      source: EVERYTHING,
      options: optionsFor(target),
    })
    const samples: { readonly sent: number; readonly rss: number }[] = []
    let most = before
    let due = 0
    const job = await ended(client, id, ({ done }) => {
      const rss = host.rss()
      most = Math.max(most, rss)
      if (performance.now() < due) return
      due = performance.now() + SAMPLED_MS
      samples.push({ sent: done, rss })
    })
    const after = host.rss()
    samples.push({ sent: job.done, rss: after })
    const half = samples.find(({ sent }) => sent >= job.done / 2)
    const growth =
      half && job.done > half.sent ? ((after - half.rss) / (job.done - half.sent)) * 10_000 : Number.NaN
    console.log(
      `${job.done} replayed: ${before.toFixed(0)} MB before, at most ${most.toFixed(0)}, ${after.toFixed(0)} after`,
    )
    await client.close()
    const figure = (what: string, value: number): Figure => ['P13', what, '–', 'MB', [value]]
    const figures = [
      figure(`resident memory before ${count} replays`, before),
      figure('at most meanwhile', most),
      figure('after', after),
      { ...figure('growth per 10,000 replays, second half', growth), target: '≤ 2 MB' },
    ]
    return { figures, samples }
  } finally {
    await host.stop()
  }
}

/** Has so many deliveries captured and judged; their ids begin at 1. */
async function capture(host: Running, count: number): Promise<void> {
  const plan = {
    host: host.url.hostname,
    port: Number(host.url.port),
    path: '/',
    connections: 64,
    seconds: 1,
    body: BODY,
  }
  for (let taken = 0; taken < count; ) taken += (await load(plan)).requests
  await judged(host)
}

import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { Job } from '#contract/replay.ts'
import type { LocalClient } from '#hosts/local/client.ts'
import { invoiceBody } from './event.ts'
import { load } from './load.ts'
import { replayClient } from './replay-client.ts'
import { type Figure, report } from './report.ts'
import { clientOf, judged, type Running, startAcuse, startBare } from './servers.ts'

const BODY = invoiceBody('8f1c0c1e-5a52-4f0e-9d7e-0d3c6a1b2c3d')
const CONCURRENCY = 16
/** Least number of deliveries per side of a pair. */
const PAIRED = 20_000
const MANY = 100_000
const LOOK_MS = 50

/** Row P13: jobs at concurrency 16 compared with a bare client, in pairs on the same target; memory over 100,000 replays. */
export async function replay(repeats: number): Promise<void> {
  // The sender and all its threads on one core, the target on the other.
  const target = await startBare({ cpus: '1' })
  try {
    const own: number[] = []
    const bare: number[] = []
    await withDeliveries(PAIRED, '0', async (client) => {
      // In sequence, so that neither slows down the other. The first of each does not count: it opens connections and fills caches.
      for (let repeat = 0; repeat <= repeats; repeat++) {
        const from = performance.now()
        const { total } = await job(client, target)
        const acuse = (total * 1_000) / (performance.now() - from)
        const plan = { url: target.url.href, body: BODY, count: total, concurrency: CONCURRENCY }
        const perSecond = await replayClient(plan, '0')
        if (repeat === 0) continue
        own.push(acuse)
        bare.push(perSecond)
        console.log(
          `pair ${repeat}: acuse ${acuse.toFixed(0)}/s, bare client ${perSecond.toFixed(0)}/s, ${(acuse / perSecond).toFixed(2)} ×`,
        )
      }
    })
    const times = own.map((value, at) => value / (bare[at] ?? Number.NaN))
    const figures: Figure[] = [
      ['P13', `replay / bare node:http client, concurrency ${CONCURRENCY}`, '≥ 0.85', '×', times],
      ['P13', 'deliveries replayed a second', '–', '/s', own],
      ['–', 'of the bare client', '–', '/s', bare],
      ...(await memory(target)),
    ]
    report('replay', figures, { own, bare })
  } finally {
    await target.stop()
  }
}

/** Resident memory of the host before, during and after a large job. */
async function memory(target: Running): Promise<readonly Figure[]> {
  return withDeliveries(MANY, undefined, async (client, host) => {
    const samples = [{ done: 0, rss: host.rss() }]
    await job(client, target, ({ done }) => samples.push({ done, rss: host.rss() }))
    const after = host.rss()
    const half = samples.find(({ done }) => done >= MANY / 2)
    const growth = half ? ((after - half.rss) / (MANY - half.done)) * 10_000 : Number.NaN
    const most = Math.max(after, ...samples.map(({ rss }) => rss))
    const figures: readonly (readonly [string, string, number])[] = [
      [`resident memory before ${MANY} replays`, '–', samples[0]?.rss ?? Number.NaN],
      ['at most meanwhile', '–', most],
      ['after', '–', after],
      ['growth per 10,000 replays, second half', '≤ 2 MB', growth],
    ]
    return figures.map(([what, aim, value]): Figure => ['P13', what, aim, 'MB', [value]])
  })
}

async function job(client: LocalClient, target: Running, look: (job: Job) => void = () => {}): Promise<Job> {
  const options = { ...DEFAULT_JOB_OPTIONS, to: { target: target.url.href }, concurrency: CONCURRENCY }
  const { id } = await client.call('jobs.start', { source: { type: 'filter', filter: '' }, options })
  for (;;) {
    const now = await client.call('jobs.get', { id })
    if (now.state === 'running') look(now)
    else if (now.done === now.total) return now
    else throw new Error(`${now.done} of ${now.total} were taken; ${now.lastError?.message ?? ''}`)
    await wait(LOOK_MS)
  }
}

async function withDeliveries<T>(
  count: number,
  cpus: string | undefined,
  work: (client: LocalClient, host: Running) => Promise<T>,
): Promise<T> {
  const host = await startAcuse(cpus === undefined ? {} : { cpus })
  try {
    const plan = { url: host.url.href, connections: 64, seconds: 1, bodies: [BODY] }
    for (let taken = 0; taken < count; ) taken += (await load(plan)).requests
    await judged(host)
    const client = await clientOf(host)
    const found = await work(client, host)
    await client.close()
    return found
  } finally {
    await host.stop()
  }
}

import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_JOB_OPTIONS } from '#contract/defaults.ts'
import type { AttemptRow } from '#contract/replay.ts'
import { connectLocal, type LocalClient } from '#hosts/local/client.ts'
import { aBody } from '../support/events.ts'
import { type RunningHost, startHost } from '../support/host.ts'
import { opened } from '../support/listening-port.ts'
import { appendAtOnce, openTestStore } from '../support/store.ts'

export const CONCURRENCY = 8
const PER_ROUND = 500
const LONGEST_MS = 400

/**
 * In rounds: starts the built product, starts or resumes a job, and kills the product with SIGKILL at a random moment;
 * then compares the target's requests with the recorded attempts.
 * @param random gives numbers in [0, 1), seeded by the caller
 */
export async function replayKillRounds(rounds: number, random: () => number) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'acuse-replay-kill-'))
  const dataDir = join(folder.path, 'data')
  await using target = await startTarget()
  const ids = await fill(dataDir, PER_ROUND * rounds)
  let job: number | undefined
  for (let round = 0; round < rounds; round++) {
    const { host, client } = await start(dataDir)
    job = await go(client, job, target.url)
    await wait(20 + random() * LONGEST_MS)
    await host.kill()
    await client.close()
  }
  const { host, client } = await start(dataDir)
  const id = await go(client, job, target.url)
  while ((await client.call('jobs.get', { id })).state === 'running') await wait(20)
  const attempts = await allAttempts(client, id)
  await client.close()
  await host.stop()
  return { rounds, ...compare(ids, target.received, attempts) }
}

/** @returns the ids of the stored deliveries */
async function fill(dataDir: string, count: number): Promise<readonly number[]> {
  mkdirSync(dataDir, { mode: 0o700 })
  await using opened = await openTestStore(dataDir)
  const body = aBody('factura.created')
  const ids: number[] = []
  while (ids.length < count) {
    const from = ids.length
    const url = (n: number) => `/hooks?n=${from + n}`
    const done = await appendAtOnce(opened.store, Math.min(100, count - from), (n) => ({ body, url: url(n) }))
    ids.push(...done.map(({ id }) => id))
  }
  await opened.store.deliveries.settled(60_000)
  return ids
}

async function start(dataDir: string): Promise<{ host: RunningHost; client: LocalClient }> {
  const host = await startHost({ dataDir, args: ['--no-ui'] })
  const client = await connectLocal(dataDir)
  if (!client) throw new Error(`nobody listens: ${host.stderr()}`)
  return { host, client }
}

async function go(client: LocalClient, job: number | undefined, url: string): Promise<number> {
  if (job !== undefined) return (await client.call('jobs.resume', { id: job })).id
  const pace = { concurrency: CONCURRENCY, ratePerSecond: 1_000 }
  const options = { ...DEFAULT_JOB_OPTIONS, to: { target: url }, ...pace }
  return (await client.call('jobs.start', { source: { type: 'filter', filter: '' }, options })).id
}

interface Taken {
  readonly n: number
  readonly attempt: number
}

async function startTarget() {
  const received: Taken[] = []
  const server = createServer((request, response) => {
    const n = Number(new URL(request.url ?? '', 'http://target').searchParams.get('n'))
    received.push({ n, attempt: Number(request.headers['x-acuse-replay']) })
    // Slow enough that some requests are in flight at any moment.
    request.resume().on('end', () => setTimeout(() => response.end(), 3))
  })
  const port = await opened(server)
  return {
    received,
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function allAttempts(client: LocalClient, job: number): Promise<readonly AttemptRow[]> {
  const all: AttemptRow[] = []
  for (;;) {
    const after = all.at(-1)?.id ?? 0
    const { attempts, more } = await client.call('attempts.list', { of: { job }, after, limit: 1_000 })
    all.push(...attempts)
    if (!more) return all
  }
}

function compare(ids: readonly number[], received: readonly Taken[], attempts: readonly AttemptRow[]) {
  const known = new Set(attempts.map(({ id }) => id))
  const times = new Map<number, number>()
  for (const { n } of received) times.set(n, (times.get(n) ?? 0) + 1)
  const left = attempts.filter(({ state }) => state === 'uncertain')
  const uncertain = new Set(left.map((one) => one.deliveryId))
  const again = new Set(attempts.filter((one) => one.again).map((one) => one.deliveryId))
  const repeatedOnes = [...times].filter(([, count]) => count > 1)
  return {
    deliveries: ids.length,
    // Deliveries that never reached the target.
    skipped: ids.filter((_, n) => !times.has(n)).length,
    // Requests beyond the first of their delivery.
    repeated: repeatedOnes.reduce((sum, [, count]) => sum + count - 1, 0),
    // Of those, requests whose delivery has no attempt marked as sent again after an uncertain one.
    unmarked: repeatedOnes.filter(([n]) => {
      const id = ids[n] ?? 0
      return !uncertain.has(id) || !again.has(id)
    }).length,
    // Requests without a recorded attempt.
    unrecorded: received.filter(({ attempt }) => !known.has(attempt)).length,
    uncertain: left.length,
  }
}

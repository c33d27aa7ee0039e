import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { analyse } from '#core/checks/analyse.ts'
import type { NewDelivery } from '#core/ports.ts'
import { Analyst } from '#storage/analyst/analyst.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { quotasOf } from '#storage/facade/budget.ts'
import { DERIVED_VERSION } from '#storage/schema/derived.ts'
import { inTransaction } from '#storage/sql/connection.ts'
import { packBatch } from '#storage/wire/record.ts'
import { enterState } from '#storage/writer/coverage.ts'
import { Writer } from '#storage/writer/writer.ts'
import { members } from '#threads/expose.ts'
import type { AnalystOrder } from './browse-analyst.ts'
import { createEvents } from './browse-events.ts'

const SEED = 20_261_121
const DAY_US = 86_400_000_000
const DAYS = 30
/** Deliveries per commit: the build is bounded, and each commit waits for the disk. */
const BATCH = 2_000
/** Analysis may be so many behind, which is what the page cache holds with ease. */
const LEAD = 60_000
/** Share of the deliveries of a day that come in each hour, local time. */
const HOURS = [1, 1, 1, 1, 1, 2, 4, 10, 22, 30, 32, 30, 20, 24, 30, 32, 30, 22, 12, 8, 5, 4, 2, 1]
const MARKER = 'browse.json'
const HEADERS = ['Host', 'hooks.example.com', 'Content-Type', 'application/json; charset=utf-8']
const MORE_HEADERS = ['User-Agent', 'Webhooks/1.0', 'X-Webhook-Secret', 'una-clave-de-prueba-que-nadie-usa']
const NOTHING = new Uint8Array()

export interface Built {
  readonly folder: string
  readonly rows: number
  /** Bytes of headers and bodies, as they came. */
  readonly rawBytes: number
  /** Seconds; of the build, whenever it was. */
  readonly tookS: number
}

/**
 * A seeded store of that many deliveries over the last 30 days, written by the writer and analysed by the analyst, without sockets and
 * threads of a host. One of the same make that lies in the folder is taken as it is.
 */
export async function buildWorld(folder: string, rows: number): Promise<Built> {
  const made = { seed: SEED, rows, analysis: DERIVED_VERSION, form: 1 }
  const known = markerOf(folder)
  if (known && JSON.stringify(known.made) === JSON.stringify(made)) return known.built
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const began = performance.now()
  const rawBytes = await write(folder, rows)
  const built = { folder, rows, rawBytes, tookS: (performance.now() - began) / 1_000 }
  writeFileSync(join(folder, MARKER), JSON.stringify({ made, built }))
  return built
}

/** A store that was kept may be of an earlier form. */
export function bringUpToDate(folder: string): void {
  const writer = new Writer(
    { folder, quotas: quotasOf(), now: Date.now() },
    members(() => undefined),
  )
  writer.open(Date.now())
  writer.close()
  const { captured, derived } = storeFiles(folder)
  new Analyst({ captured, derived, rebuild: false }, analyse).close()
}

function markerOf(folder: string): { made: unknown; built: Built } | undefined {
  const path = join(folder, MARKER)
  if (!existsSync(path)) return undefined
  const { made, built } = JSON.parse(readFileSync(path, 'utf8')) as { made: unknown; built: Built }
  return { made, built: { ...built, folder } }
}

async function write(folder: string, rows: number): Promise<number> {
  const writer = new Writer(
    { folder, quotas: quotasOf(), now: Date.now() },
    members(() => undefined),
  )
  writer.open(Date.now())
  const analyst = new Worker(new URL('./browse-analyst.ts', import.meta.url))
  const order = (message: AnalystOrder) => analyst.postMessage(message)
  order({ folder })
  const reached = async (id: number) => {
    order({ upto: id, tell: true })
    await once(analyst, 'message')
  }
  const events = createEvents(SEED)
  const times = arrivals(rows)
  let rawBytes = 0
  let waited = 0
  let took: number[] = []
  cover(writer, times.at(0) ?? 0)
  for (let first = 0; first < rows; first += BATCH) {
    const batch = times.slice(first, first + BATCH).map((at) => deliveryAt(at, events.next(at)))
    for (const { bodySize, headers } of batch) rawBytes += bodySize + headers.join('').length
    const [outcome] = writer.append([packBatch(batch)], took)
    if (outcome?.type !== 'stored')
      throw new Error(`The world could not be written: ${JSON.stringify(outcome)}`)
    took = batch.flatMap((_, place) => [outcome.firstId + place, 400 + ((outcome.firstId + place) % 97) ** 2])
    order({ upto: outcome.firstId + batch.length - 1 })
    if (first - waited >= LEAD) {
      await reached(outcome.firstId)
      waited = first
    }
    if (first % 100_000 === 0) console.log(`${first} of ${rows} deliveries`)
  }
  await reached(rows)
  writer.captured.pin(
    [10, 20, 30].map((part) => Math.ceil((part * rows) / 100)),
    true,
  )
  writer.idle(took)
  order({ end: true })
  await once(analyst, 'exit')
  writer.idle([])
  writer.close()
  return rawBytes
}

/** Instants in rising order, microseconds: business hours are busy, nights are quiet, and the last is a moment ago. */
function arrivals(rows: number): number[] {
  const end = Date.now() * 1_000 - 60_000_000
  const from = Math.floor((end - DAYS * DAY_US) / 3_600_000_000) * 3_600_000_000
  const hours = Array.from(
    { length: Math.ceil((end - from) / 3_600_000_000) },
    (_, hour) => from + hour * 3_600_000_000,
  )
  const weights = hours.map((at) => HOURS[new Date(at / 1_000 - 4 * 3_600_000).getUTCHours()] ?? 1)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const times: number[] = []
  let share = 0
  for (const [place, hour] of hours.entries()) {
    share += weights[place] ?? 0
    const until = Math.round((share / whole) * rows)
    const width = Math.min(3_600_000_000, end - hour)
    const count = until - times.length
    for (let n = 0; n < count; n++) times.push(Math.floor(hour + (width * (n + 0.5)) / count))
  }
  return times
}

function deliveryAt(
  receivedAt: number,
  event: ReturnType<ReturnType<typeof createEvents>['next']>,
): NewDelivery {
  const { endpoint, body, rejected } = event
  return {
    ...{ receivedAt, receivingUs: 180, endpoint, method: 'POST', httpVersion: '1.1' },
    url: endpoint === 'default' ? '/' : `/${endpoint}`,
    ...{ remoteAddress: '10.0.0.7', remotePort: 40_000 + (receivedAt % 20_000), trailers: [] },
    headers: [...HEADERS, ...(rejected ? [] : MORE_HEADERS), 'Content-Length', String(body.byteLength)],
    ...{ body, bodySize: body.byteLength, rejected, malformed: null },
    answer: { status: rejected ? 401 : 200, headers: [], body: NOTHING },
  }
}

/** Listening by day for a month, off for two hours of every night. */
function cover(writer: Writer, from: number): void {
  const { db, statements } = writer.captured
  inTransaction(db, () => {
    for (let day = 0; day <= DAYS; day++) {
      const at = Math.floor((from + day * DAY_US) / 1_000)
      if (at > Date.now()) break
      enterState(statements, 'listening', at)
      if (at + 79_200_000 < Date.now()) enterState(statements, 'off', at + 79_200_000)
    }
  })
}

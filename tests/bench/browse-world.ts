import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DERIVED_VERSION } from '#storage/schema/derived.ts'
import { sampleDelivery } from '../support/sample-deliveries.ts'
import { openTestStore } from '../support/store.ts'

const SEED = 20_261_121
const DAY_US = 86_400_000_000
const DAYS = 30
/** Deliveries per append, and the largest number that may wait for analysis. */
const BATCH = 2_000
const LEAD = 60_000
/** Weights of the hours of a day, local time. */
const HOURS = [1, 1, 1, 1, 1, 2, 4, 10, 22, 30, 32, 30, 20, 24, 30, 32, 30, 22, 12, 8, 5, 4, 2, 1]
const MARKER = 'browse.json'

export interface Built {
  /** Bytes of all received headers and bodies. */
  readonly rawBytes: number
  /** Duration of the build in seconds, also when an earlier run built it. */
  readonly tookS: number
}

/** Builds a seeded store with deliveries of the last 30 days; reuses a matching one in the folder. */
export async function buildWorld(folder: string, rows: number): Promise<Built> {
  const made = { seed: SEED, rows, analysis: DERIVED_VERSION, form: 3 }
  const marker = join(folder, MARKER)
  if (existsSync(marker)) {
    const known = JSON.parse(readFileSync(marker, 'utf8')) as { made: unknown; built: Built }
    if (JSON.stringify(known.made) === JSON.stringify(made)) return known.built
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const began = performance.now()
  const rawBytes = await write(folder, rows)
  const built = { rawBytes, tookS: (performance.now() - began) / 1_000 }
  writeFileSync(marker, JSON.stringify({ made, built }))
  return built
}

/** Migrates a kept store, which may have an older schema. */
export async function bringUpToDate(folder: string): Promise<void> {
  await using opened = await openTestStore(folder)
  await opened.store.deliveries.settled(60_000)
}

async function write(folder: string, rows: number): Promise<number> {
  await using opened = await openTestStore(folder)
  const { capture, deliveries } = opened.store
  const times = arrivals(rows)
  let rawBytes = 0
  for (let first = 0; first < rows; first += BATCH) {
    const batch = times.slice(first, first + BATCH).map((receivedAt, n) => ({
      ...sampleDelivery(SEED, first + n, Math.floor(receivedAt / 1_000)),
      receivedAt,
    }))
    for (const { bodySize, headers } of batch) rawBytes += bodySize + headers.join('').length
    const stored = batch.map(async (one) => {
      const { id } = await capture.append(one)
      if (one.answer) capture.answered(id, 400 + (id % 97) ** 2)
    })
    await Promise.all(stored)
    if (first % LEAD === 0) while ((await deliveries.settled(60_000)) > 0);
    if (first % 100_000 === 0) console.log(`${first} of ${rows} deliveries`)
  }
  while ((await deliveries.settled(60_000)) > 0);
  await deliveries.pin(
    [10, 20, 30].map((part) => Math.ceil((part * rows) / 100)),
    true,
  )
  return rawBytes
}

/** Instants in ascending order, microseconds: many in business hours, few at night, the last one just now. */
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
    const width = Math.min(3_600_000_000, end - hour)
    const count = Math.round((share / whole) * rows) - times.length
    for (let n = 0; n < count; n++) times.push(Math.floor(hour + (width * (n + 0.5)) / count))
  }
  return times
}

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { Settings } from '#contract/settings.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { NewDelivery, Store } from '#core/ports.ts'
import { openStore, type StoreOptions, type StoreWorkers } from '#storage/facade/store.ts'
import { threadFile } from './threads.ts'

export const forkChecker = (): ChildProcess =>
  fork(threadFile('storage/checking/process'), { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })

export const testWorkers: StoreWorkers = {
  log: () => new Worker(threadFile('log/worker')),
  writer: () => new Worker(threadFile('storage/writer/worker')),
  reader: () => new Worker(threadFile('storage/reader/worker')),
  analyst: () => new Worker(threadFile('storage/analyst/worker')),
  checker: forkChecker,
}

export type TestStore = Awaited<ReturnType<typeof openTestStore>>

export async function openTestStore(folder?: string, options: Partial<Omit<StoreOptions, 'folder'>> = {}) {
  const own = folder === undefined ? mkdtempDisposableSync(join(tmpdir(), 'acuse-store-')) : undefined
  const path = folder ?? own?.path ?? ''
  const store = await openStore({ folder: path, workers: testWorkers, ...options })
  return {
    store,
    folder: path,
    async [Symbol.asyncDispose]() {
      await store.close()
      own?.[Symbol.dispose]()
    },
  }
}

/** Retention settings with some changes, as the store reads them. */
export function keeping(change: Partial<Settings['retention']>): () => Settings['retention'] {
  const retention = { ...DEFAULT_SETTINGS.retention, ...change }
  return () => retention
}

let clock = 0

/** Makes a delivery as the receiver does; `body` may be text. */
export function aDelivery(
  change: Omit<Partial<NewDelivery>, 'body'> & { body?: NewDelivery['body'] | string } = {},
): NewDelivery {
  const { body = '{}', ...rest } = change
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  clock += 1
  return {
    receivedAt: Date.now() * 1_000 + (clock % 1_000),
    receivingUs: 120,
    endpoint: 'default',
    method: 'POST',
    url: '/hooks?x=1',
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    remotePort: 50_000,
    headers: ['Host', '127.0.0.1:4400', 'Content-Type', 'application/json'],
    trailers: [],
    bodySize: 'upload' in bytes ? 0 : bytes.byteLength,
    answer: { status: 200, headers: [], body: new Uint8Array() },
    rejected: false,
    malformed: null,
    ...rest,
    body: bytes,
  }
}

/** Appends several deliveries at the same time. @param nth members of the nth delivery, from 0 */
export const appendAtOnce = (
  { capture }: Store,
  count: number,
  nth: (n: number) => Parameters<typeof aDelivery>[0],
) => Promise.all(Array.from({ length: count }, (_, n) => capture.append(aDelivery(nth(n)))))

/** @returns every row of the list, oldest first */
export async function everyRow({ deliveries }: Store): Promise<readonly DeliveryRow[]> {
  const rows: DeliveryRow[] = []
  for (;;) {
    const more = await deliveries.scan(EVERYTHING, { after: rows.at(-1)?.id ?? null, limit: 1_000 })
    if (more.length === 0) return rows
    rows.push(...more)
  }
}

export function anEvent(
  event: string,
  data: object,
  timestamp = new Date().toISOString().replace('Z', '+00:00'),
): string {
  return JSON.stringify({ Event: event, Timestamp: timestamp, data })
}

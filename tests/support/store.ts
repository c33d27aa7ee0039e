import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { DEFAULT_SETTINGS } from '#contract/defaults.ts'
import type { Settings } from '#contract/settings.ts'
import type { NewDelivery, Store } from '#core/ports.ts'
import { openStore, type StoreOptions, type StoreWorkers } from '#storage/facade/store.ts'
import { threadFile } from './threads.ts'

const forkChecker = (): ChildProcess =>
  fork(threadFile('storage/checking/process'), { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })

export const testWorkers: StoreWorkers = {
  log: () => new Worker(threadFile('log/worker')),
  writer: () => new Worker(threadFile('storage/writer/worker')),
  reader: () => new Worker(threadFile('storage/reader/worker')),
  analyst: () => new Worker(threadFile('storage/analyst/worker')),
  checker: forkChecker,
}

export interface TestStore extends AsyncDisposable {
  readonly store: Store
  readonly folder: string
}

export async function openTestStore(
  folder?: string,
  options: Partial<Omit<StoreOptions, 'folder'>> = {},
): Promise<TestStore> {
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

/** Budget and quotas of a store, as the settings give them. */
export function keeping(change: Partial<Settings['retention']>): () => Settings['retention'] {
  const retention = { ...DEFAULT_SETTINGS.retention, ...change }
  return () => retention
}

let clock = 0

/** A delivery as the receiver makes it; `body` may be text. */
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

export function anEvent(
  event: string,
  data: object,
  timestamp = new Date().toISOString().replace('Z', '+00:00'),
): string {
  return JSON.stringify({ Event: event, Timestamp: timestamp, data })
}

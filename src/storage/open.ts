import type { Worker } from 'node:worker_threads'
import type { Store } from '#core/ports.ts'

/** How the store's threads are spawned; injected because a bundler and plain Node find their files in different ways. */
export interface StoreWorkers {
  writer(): Worker
  reader(): Worker
  analyst(): Worker
}

export interface StoreOptions {
  /** Absolute path of the data folder; it must exist. */
  readonly folder: string
  readonly workers: StoreWorkers
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** How many rejected deliveries are kept; 10,000 when absent. */
  readonly rejectedRing?: number
}

export type OpenStore = (options: StoreOptions) => Promise<Store>

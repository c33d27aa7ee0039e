import { fork } from 'node:child_process'
import type { Worker } from 'node:worker_threads'
import log from '../log/worker.ts?nodeWorker'
import analyst from '../storage/analyst/worker.ts?nodeWorker'
import checker from '../storage/checking/process.ts?modulePath'
import reader from '../storage/reader/worker.ts?nodeWorker'
import writer from '../storage/writer/worker.ts?nodeWorker'
import type { HostWorkers } from './assemble.ts'
import reconcile from './reconcile/worker.ts?nodeWorker'
import replay from './replay/worker.ts?nodeWorker'

/**
 * Room for what a thread has just made, MB. V8 would let each of the four grow to several times this before it cleans up, and what
 * they make lives for one batch only.
 */
const YOUNG_MB = 4

/**
 * The analyst reads what senders chose: beyond this its thread ends alone, and the body that did it is known (storage/analyst/attempts.ts).
 * What lies outside of V8's heap is bounded by the limits on bodies. A process of its own would take 45 MB at rest and bound no more.
 */
const ANALYST_MB = 192

const spawn = (worker: (options: object) => Worker, name: string, limits = {}): Worker =>
  worker({ name, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, ...limits } })

/** A host's threads as the bundler makes them. Only built entries may import this: `?nodeWorker` means nothing to plain Node. */
export const hostWorkers: HostWorkers = {
  log: () => spawn(log, 'acuse-log'),
  writer: () => spawn(writer, 'acuse-writer'),
  reader: () => spawn(reader, 'acuse-reader'),
  analyst: () => spawn(analyst, 'acuse-analyst', { maxOldGenerationSizeMb: ANALYST_MB }),
  // Electron's binary runs forked scripts as Node.
  checker: () => fork(checker, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  // No limit on the young generation here: answers live as long as their requests, and V8's default fits.
  replay: () => replay({ name: 'acuse-replay' }),
  reconcile: () => reconcile({ name: 'acuse-reconcile' }),
}

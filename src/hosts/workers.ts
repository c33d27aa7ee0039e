import { fork } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import guard from '../log/shared/guard.ts?modulePath'
import log from '../log/worker.ts?nodeWorker'
import analyst from '../storage/analyst/worker.ts?nodeWorker'
import checker from '../storage/checking/process.ts?modulePath'
import reader from '../storage/reader/worker.ts?nodeWorker'
import writer from '../storage/writer/worker.ts?nodeWorker'
import type { HostWorkers } from './assemble.ts'
import reconcile from './reconcile/worker.ts?nodeWorker'
import replay from './replay/worker.ts?nodeWorker'
import transfer from './transfer/worker.ts?nodeWorker'

/**
 * Limit of V8's young generation per thread, MB. By default each of the four would grow to several times this before a collection, although
 * its objects live for one batch only.
 */
const YOUNG_MB = 4

// The flag of LEAN (launch/project.mjs) is for the receiving thread, whose heap exists by now. For others it would override YOUNG_MB.
setFlagsFromString('--max-semi-space-size=0')
// V8 allocates what outlives collections in the old generation at once, here objects of requests that wait for their sync. There they stay
// until a full collection, and keep later requests alive: collections copied eleven times as much, and the process took 80 MB more.
setFlagsFromString('--no-allocation-site-pretenuring')

/**
 * Heap limit of the analyst, which reads senders' content. Beyond it only its thread ends, and Acuse knows the cause (storage/analyst/attempts.ts).
 * The limits on bodies bound its memory outside of V8's heap. A separate process would take 45 MB at rest and bound no more.
 */
const ANALYST_MB = 192

/**
 * Heap limit of exports and imports. From it V8 derives how much garbage may gather before a full collection, bodies outside of its heap
 * included: without a limit, the process had 20 MB more.
 */
const TRANSFER_MB = 256

// No flags of the process: those of a script, such as --input-type=module, keep a thread from starting.
const spawn = (worker: (options: object) => Worker, name: string, limits = {}): Worker =>
  worker({ name, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, ...limits } })

/** File of the check's process, for a host that starts it in another way. */
export const checkerFile: string = checker

/** File of the program that ends a trial's server of PostgreSQL with the process that started it. */
export const guardFile: string = guard

/** A host's threads from the bundler. Only bundled entries may import this module: plain Node does not understand `?nodeWorker`. */
export const hostWorkers: HostWorkers = {
  log: () => spawn(log, 'acuse-log'),
  writer: () => spawn(writer, 'acuse-writer'),
  reader: () => spawn(reader, 'acuse-reader'),
  analyst: () => spawn(analyst, 'acuse-analyst', { maxOldGenerationSizeMb: ANALYST_MB }),
  checker: () => fork(checker, { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
  // Answers live as long as their requests.
  replay: () => spawn(replay, 'acuse-replay', { maxYoungGenerationSizeMb: 3 * YOUNG_MB }),
  reconcile: () => spawn(reconcile, 'acuse-reconcile', { maxYoungGenerationSizeMb: 3 * YOUNG_MB }),
  transfer: () => spawn(transfer, 'acuse-transfer', { maxOldGenerationSizeMb: TRANSFER_MB }),
}

import type { StoreWorkers } from '#storage/open.ts'
import analyst from '../storage/analyst/worker.ts?nodeWorker'
import reader from '../storage/reader/worker.ts?nodeWorker'
import writer from '../storage/writer/worker.ts?nodeWorker'

/** The store's threads as the bundler makes them. Only built entries may import this: `?nodeWorker` means nothing to plain Node. */
export const storeWorkers: StoreWorkers = {
  writer: () => writer({ name: 'acuse-writer' }),
  reader: () => reader({ name: 'acuse-reader' }),
  analyst: () => analyst({ name: 'acuse-analyst' }),
}

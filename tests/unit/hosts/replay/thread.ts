import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished } from 'vitest'
import { DEFAULT_TARGET } from '#contract/defaults.ts'
import type { FileReader } from '#core/ports.ts'
import { ThreadReplays } from '#hosts/replay/thread-replays.ts'
import { storeFiles } from '#storage/disk/files.ts'
import { testHostWorkers } from '../../../support/assembled.ts'
import { aBody } from '../../../support/events.ts'
import { aDelivery, openTestStore } from '../../../support/store.ts'

/** The thread beside a real store, as a host has them. */
export async function replayThread(...targets: readonly (readonly [name: string, url: string])[]) {
  const opened = await openTestStore()
  const workers: Worker[] = []
  const warnings: string[] = []
  const readers: FileReader[] = []
  const one = new ThreadReplays({
    paths: storeFiles(opened.folder),
    worker: () => {
      const worker = testHostWorkers.replay()
      workers.push(worker)
      return worker
    },
    store: {
      deliveries: opened.store.deliveries,
      onNotice: (listener) => opened.store.onNotice(listener),
      addReader: (reader) => {
        readers.push(reader)
        return () => {}
      },
    },
    forwarding: true,
    surroundings: () => ({
      targets: targets.map(([name, url]) => ({ ...DEFAULT_TARGET, name, url, headers: [] })),
      secretHeaders: [],
      ownReceiver: null,
    }),
    warn: (message) => warnings.push(message),
  })
  onTestFinished(async () => {
    await one.close()
    await opened[Symbol.asyncDispose]()
  })
  const append = async (body: Uint8Array = aBody('factura.created')) => {
    const { id } = await opened.store.capture.append(aDelivery({ body }))
    return id ?? expect.fail('it was spilled')
  }
  return { one, append, workers, warnings, readers, store: opened.store }
}

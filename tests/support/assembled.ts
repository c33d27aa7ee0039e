import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { assemble, type HostOptions, type HostWorkers } from '#hosts/assemble.ts'
import { openSecrets } from '#hosts/secrets-file.ts'
import { testWorkers } from './store.ts'
import { threadFile } from './threads.ts'

export const testHostWorkers: HostWorkers = {
  ...testWorkers,
  replay: () => new Worker(threadFile('hosts/replay/worker')),
  reconcile: () => new Worker(threadFile('hosts/reconcile/worker')),
  transfer: () => new Worker(threadFile('hosts/transfer/worker')),
}

export type Assembled = Awaited<ReturnType<typeof assembled>>

/** Starts a whole host in this process, as `acuse serve` does, with fresh data and a free port. */
export async function assembled(change: Partial<HostOptions> = {}) {
  const folder = change.dataDir ?? mkdtempSync(join(tmpdir(), 'acuse-assembled-'))
  const host = await assemble({
    dataDir: folder,
    workers: testHostWorkers,
    secrets: await openSecrets(folder),
    capabilities: { osSecretStore: false, weakSecretStore: false, nativeWindow: false, uiLinks: false },
    version: '0.0.0-test',
    receiver: { enabled: true, port: 0 },
    warn: (message) => process.stderr.write(`${message}\n`),
    ...change,
  })
  const { receiver } = await host.engine.call('status.get', {})
  return {
    host,
    receiverUrl: receiver.state === 'listening' ? receiver.url : '',
    /** Closes the host and removes its data. */
    async close() {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

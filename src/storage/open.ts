import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:worker_threads'
import type { Settings } from '#contract/settings.ts'
import type { Store } from '#core/ports.ts'
import { SqliteStore } from './facade/sqlite-store.ts'
import { claimFolder, storeFiles } from './files.ts'
import { FolderLock } from './lock.ts'
import { versionWarning } from './sql/connection.ts'

/** How the store's threads and its process are begun; injected because a bundler and plain Node find their files in different ways. */
export interface StoreWorkers {
  writer(): Worker
  reader(): Worker
  analyst(): Worker
  /** With a channel for messages. */
  checker(): ChildProcess
}

export interface StoreOptions {
  /** Absolute path of the data folder; it must exist. */
  readonly folder: string
  readonly workers: StoreWorkers
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** As `maskedNamesOf` gives them: what they mask must not be found by a search. Asked as deliveries come; MASKED_NAMES when absent. */
  readonly maskedNames?: () => readonly string[]
  /** Budget and quotas, asked again and again; the defaults when absent. */
  readonly retention?: () => Settings['retention']
}

/**
 * Opens the store of a data folder. Resolves as soon as deliveries can be taken; reading and analysis come up behind.
 *
 * captured.db holds what came and derived.db what follows from it. They are two files so that analysis never waits for, or holds, the
 * one write lock that intake needs, and so that whatever happens to what is derived can cost no delivery: it is made again.
 * @throws AcuseError `in-use` (another Acuse holds the folder), `newer-schema`, `store-failed` (the folder cannot be written)
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const files = storeFiles(options.folder)
  claimFolder(options.folder)
  const warning = versionWarning()
  if (warning !== null) process.emitWarning(warning, 'AcuseWarning')
  const lock = FolderLock.take(files.lock, options.folder)
  const store = new SqliteStore(options, files, lock)
  try {
    await store.open()
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

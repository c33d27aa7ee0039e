import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Params, Result } from '#contract/commands.ts'
import type { Connection } from '#contract/connection.ts'
import { AcuseError, messageOf, refused } from '#contract/errors.ts'
import type { OpenExport, TransferCommandName } from '#contract/transfer.ts'
import { EVERYTHING } from '#core/filter/tree.ts'
import type { Store, Transfers } from '#core/ports.ts'
import { FORMATS } from '#interop/formats/formats.ts'
import type { StoreFiles } from '#storage/disk/files.ts'
import { isFree } from '#storage/writer/backup.ts'
import { LazyThread } from '#threads/lazy-thread.ts'
import { ImportRuns, type SessionMerge } from './import-runs.ts'
import { SESSION_FILE } from './session-export.ts'
import type { ImportBatch, TransferHandlers } from './worker.ts'

export interface ThreadTransfersOptions {
  readonly paths: StoreFiles
  readonly worker: () => Worker
  readonly store: Pick<Store, 'deliveries' | 'capture' | 'coverage' | 'addReader' | 'copyInto'>
  readonly version: string
  /** Names of credentials, from `maskedNamesOf`. */
  names(): readonly string[]
  connections(): readonly Connection[]
  readonly merge: SessionMerge
  warn(message: string): void
}

/** Longest wait for analysis before an export: a verdict that is missing is written as null. */
const SETTLED_MS = 5_000
/** An export whose client stops reading ends after this time. */
const UNREAD_MS = 60_000
const MOST_AT_ONCE = 8

type Piece = { readonly bytes: Uint8Array<ArrayBuffer>; readonly written: number }

interface Running {
  readonly pieces: AsyncGenerator<Piece>
  timer: NodeJS.Timeout
  written: number
  /** The read in progress: an export is read in sequence. */
  reading: Promise<unknown>
}

type Calls = { readonly [C in TransferCommandName]: (params: Params<C>) => Promise<Result<C>> }

/** Exports and imports on a thread of their own, which starts with the first call. */
export function createThreadTransfers(options: ThreadTransfersOptions): Transfers {
  const { paths, worker, store, version, names, connections, merge, warn } = options
  const exports = new Map<number, Running>()
  let last = 0
  const calls: Calls = {
    'export.preview': async (params) => {
      await store.deliveries.settled(SETTLED_MS)
      return thread.call.preview(params, names())
    },
    'export.open': (params) => open(params),
    'export.read': ({ id }) => read(id),
    'export.close': async ({ id }) => {
      end(id)
      return {}
    },
    'import.open': async (params) => imports.open(params),
    'import.write': (params) => imports.write(params),
    'import.run': async ({ id }) => imports.run(id),
    'import.get': async ({ id }) => imports.get(id),
    'import.close': ({ id }) => imports.forget(id),
    'store.backup': ({ folder }) => backUp(folder),
  }
  const thread = new LazyThread<TransferHandlers, object>({
    start: worker,
    name: 'The thread that exports',
    closeMs: 2_000,
    open: async (call) => {
      // Wait for the store's first read: before that the thread cannot read deliveries.
      await store.deliveries.scan(EVERYTHING, { after: null, limit: 1, newest: true }).catch(() => [])
      await call.open(paths)
    },
    pushes: {},
    ended: (error) => warn(`${error.message} Running exports and imports have ended.`),
  })
  const exportFolder = join(paths.folder, 'exports')
  const removeReader = store.addReader(thread)
  const imports = new ImportRuns({
    store,
    merge,
    folder: join(paths.folder, 'imports'),
    read: (file) => thread.call.import(file) as Promise<AsyncGenerator<ImportBatch>>,
  })

  function call<C extends TransferCommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const handler: Calls[C] = calls[command]
    return handler(params)
  }

  async function close(): Promise<void> {
    removeReader()
    await imports.close()
    for (const id of exports.keys()) end(id)
    await thread.close()
  }

  async function open(params: OpenExport): Promise<Result<'export.open'>> {
    if (exports.size >= MOST_AT_ONCE) throw refused('conflict', 'too-many-exports', { most: MOST_AT_ONCE })
    // Left over from a process that ended during an export.
    if (exports.size === 0) rmSync(exportFolder, { recursive: true, force: true })
    await store.deliveries.settled(SETTLED_MS)
    if (params.format === 'session') await store.coverage.beat()
    // Before the first byte: a wrong filter must not leave half a file.
    const deliveries = await thread.call.count(params.source)
    const now = Date.now()
    const pieces = (await thread.call.export(params, {
      names: names(),
      version,
      now,
      connections: connections(),
      folder: exportFolder,
    })) as AsyncGenerator<Piece>
    const id = ++last
    exports.set(id, { pieces, written: 0, timer: unread(id), reading: Promise.resolve() })
    const { extension, mediaType } = params.format === 'session' ? SESSION_FILE : FORMATS[params.format]
    const day = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    return { id, name: `acuse-${day}.${extension}`, mediaType, deliveries }
  }

  async function read(id: number): Promise<Result<'export.read'>> {
    const running = exports.get(id)
    if (!running) throw refused('not-found', 'no-export', { id })
    const read = running.reading.then(async (): Promise<Result<'export.read'>> => {
      clearTimeout(running.timer)
      try {
        const { done, value } = await running.pieces.next()
        if (done) {
          end(id)
          return { bytesBase64: '', done: true, written: running.written }
        }
        running.written = value.written
        running.timer = unread(id)
        const { buffer, byteOffset, byteLength } = value.bytes
        const bytesBase64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
        // Frees the memory at once: V8 would let pieces pile up before a collection.
        buffer.transfer(0)
        return { bytesBase64, done: false, written: value.written }
      } catch (error) {
        end(id)
        throw error
      }
    })
    running.reading = read.catch(() => undefined)
    return read
  }

  async function backUp(folder: string): Promise<Result<'store.backup'>> {
    if (!isFree(folder)) throw refused('conflict', 'folder-not-empty', { folder })
    try {
      await store.copyInto(folder)
      return { folder, ...(await thread.call.checkCopy(folder)) }
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error instanceof AcuseError
        ? error
        : refused('store-failed', 'copy-unsound', { folder, system: messageOf(error) })
    }
  }

  function unread(id: number): NodeJS.Timeout {
    return setTimeout(() => end(id), UNREAD_MS).unref()
  }

  function end(id: number): void {
    const running = exports.get(id)
    if (!running) return
    exports.delete(id)
    clearTimeout(running.timer)
    running.pieces.return(undefined).catch(() => undefined)
  }

  return { call, close }
}

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

export class ThreadTransfers implements Transfers {
  readonly #options: ThreadTransfersOptions
  readonly #thread: LazyThread<TransferHandlers, object>
  readonly #removeReader: () => void
  readonly #exports = new Map<number, Running>()
  readonly #imports: ImportRuns
  readonly #exportFolder: string
  #last = 0

  constructor(options: ThreadTransfersOptions) {
    this.#options = options
    const { paths, worker, store } = options
    this.#thread = new LazyThread<TransferHandlers, object>({
      start: worker,
      name: 'The thread that exports',
      closeMs: 2_000,
      open: async (call) => {
        // Wait for the store's first read: before that the thread cannot read deliveries.
        await store.deliveries.scan(EVERYTHING, { after: null, limit: 1, newest: true }).catch(() => [])
        await call.open(paths)
      },
      pushes: {},
      ended: (error) => options.warn(`${error.message} Running exports and imports have ended.`),
    })
    this.#exportFolder = join(paths.folder, 'exports')
    this.#removeReader = store.addReader(this.#thread)
    this.#imports = new ImportRuns({
      store,
      merge: options.merge,
      folder: join(paths.folder, 'imports'),
      read: (file) => this.#thread.call.import(file) as Promise<AsyncGenerator<ImportBatch>>,
    })
  }

  call<C extends TransferCommandName>(command: C, params: Params<C>): Promise<Result<C>> {
    const handler: Calls[C] = this.#calls[command]
    return handler(params)
  }

  async close(): Promise<void> {
    this.#removeReader()
    await this.#imports.close()
    for (const id of this.#exports.keys()) this.#end(id)
    await this.#thread.close()
  }

  readonly #calls: Calls = {
    'export.preview': async (params) => {
      await this.#options.store.deliveries.settled(SETTLED_MS)
      return this.#thread.call.preview(params, this.#options.names())
    },
    'export.open': (params) => this.#open(params),
    'export.read': ({ id }) => this.#read(id),
    'export.close': async ({ id }) => {
      this.#end(id)
      return {}
    },
    'import.open': async (params) => this.#imports.open(params),
    'import.write': (params) => this.#imports.write(params),
    'import.run': async ({ id }) => this.#imports.run(id),
    'import.get': async ({ id }) => this.#imports.get(id),
    'import.close': ({ id }) => this.#imports.forget(id),
    'store.backup': ({ folder }) => this.#backUp(folder),
  }

  async #open(params: OpenExport): Promise<Result<'export.open'>> {
    if (this.#exports.size >= MOST_AT_ONCE)
      throw refused('conflict', 'too-many-exports', { most: MOST_AT_ONCE })
    const { version, names, connections, store } = this.#options
    // Left over from a process that ended during an export.
    if (this.#exports.size === 0) rmSync(this.#exportFolder, { recursive: true, force: true })
    await store.deliveries.settled(SETTLED_MS)
    if (params.format === 'session') await store.coverage.beat()
    // Before the first byte: a wrong filter must not leave half a file.
    const deliveries = await this.#thread.call.count(params.source)
    const now = Date.now()
    const pieces = (await this.#thread.call.export(params, {
      names: names(),
      version,
      now,
      connections: connections(),
      folder: this.#exportFolder,
    })) as AsyncGenerator<Piece>
    const id = ++this.#last
    this.#exports.set(id, { pieces, written: 0, timer: this.#unread(id), reading: Promise.resolve() })
    const { extension, mediaType } = params.format === 'session' ? SESSION_FILE : FORMATS[params.format]
    const day = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    return { id, name: `acuse-${day}.${extension}`, mediaType, deliveries }
  }

  async #read(id: number): Promise<Result<'export.read'>> {
    const running = this.#exports.get(id)
    if (!running) throw refused('not-found', 'no-export', { id })
    const read = running.reading.then(async (): Promise<Result<'export.read'>> => {
      clearTimeout(running.timer)
      try {
        const { done, value } = await running.pieces.next()
        if (done) {
          this.#end(id)
          return { bytesBase64: '', done: true, written: running.written }
        }
        running.written = value.written
        running.timer = this.#unread(id)
        const { buffer, byteOffset, byteLength } = value.bytes
        const bytesBase64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
        // Frees the memory at once: V8 would let pieces pile up before a collection.
        buffer.transfer(0)
        return { bytesBase64, done: false, written: value.written }
      } catch (error) {
        this.#end(id)
        throw error
      }
    })
    running.reading = read.catch(() => undefined)
    return read
  }

  async #backUp(folder: string): Promise<Result<'store.backup'>> {
    if (!isFree(folder)) throw refused('conflict', 'folder-not-empty', { folder })
    try {
      await this.#options.store.copyInto(folder)
      return { folder, ...(await this.#thread.call.checkCopy(folder)) }
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error instanceof AcuseError
        ? error
        : refused('store-failed', 'copy-unsound', { folder, system: messageOf(error) })
    }
  }

  #unread(id: number): NodeJS.Timeout {
    return setTimeout(() => this.#end(id), UNREAD_MS).unref()
  }

  #end(id: number): void {
    const running = this.#exports.get(id)
    if (!running) return
    this.#exports.delete(id)
    clearTimeout(running.timer)
    running.pieces.return(undefined).catch(() => undefined)
  }
}

import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:worker_threads'
import type { Settings } from '#contract/settings.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import type { Deliveries, FileReader, Store, StoreNotice, StoreStatus } from '#core/ports.ts'
import { Checker } from '../checking/checker.ts'
import { claimFolder, type StoreFiles, storeFiles } from '../disk/files.ts'
import { FolderLock } from '../disk/lock.ts'
import { DiskUsage } from '../disk/space.ts'
import { versionWarning } from '../sql/connection.ts'
import { NOTHING_YET, type WriterStatus } from '../writer/status.ts'
import { Analysis } from './analysis.ts'
import { Budget, quotasOf } from './budget.ts'
import { CoverageLog } from './coverage-log.ts'
import { createDeliveries } from './deliveries.ts'
import { type Committed, IntakeQueue, RecentAnswers } from './intake-queue.ts'
import { Notices, Tally } from './notices.ts'
import { Incidents, Replacement, salvage } from './replacement.ts'
import { Library, type WriterEvents, WriterThread } from './threads.ts'
import { TrashKeeper } from './trash.ts'

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
  /** As `maskedNamesOf` gives them: a search must not find what they mask. Read as deliveries arrive; MASKED_NAMES when absent. */
  readonly maskedNames?: () => readonly string[]
  /** Budget and quotas, read again and again; the defaults when absent. */
  readonly retention?: () => Settings['retention']
}

/**
 * Opens the store of a data folder; resolves as soon as deliveries can be taken. captured.db and derived.db are two files so that analysis
 * never holds the write lock that intake needs, and no damage of derived data can cost a delivery.
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

/** The store over two SQLite databases and three threads. This side holds no data: its parts queue, call and tell. */
class SqliteStore implements Store {
  readonly capture: IntakeQueue
  readonly coverage: CoverageLog
  readonly deliveries: Deliveries
  readonly trash: TrashKeeper
  readonly #files: StoreFiles
  readonly #lock: FolderLock
  readonly #now: () => number
  readonly #startReader: () => Worker
  readonly #incidents: Incidents
  readonly #notices = new Notices()
  readonly #disk: DiskUsage
  readonly #checker: Checker
  readonly #writer: WriterThread
  readonly #analysis: Analysis
  readonly #library: Library
  readonly #tally: Tally
  readonly #budget: Budget
  readonly #replacement: Replacement
  #status: WriterStatus = NOTHING_YET
  #closing: Promise<void> | undefined

  constructor(options: StoreOptions, files: StoreFiles, lock: FolderLock) {
    const { folder, workers, retention, now = Date.now, maskedNames = () => MASKED_NAMES } = options
    const notices = this.#notices
    const status = () => this.#status
    const damaged = () => void this.#replacement.check()
    this.#files = files
    this.#lock = lock
    this.#now = now
    this.#startReader = workers.reader
    const incidents = new Incidents(files)
    const disk = new DiskUsage(folder)
    const checker = new Checker(files.captured, workers.checker)
    const opening = () => ({ folder, quotas: quotasOf(retention?.()), now: now() })
    this.#writer = new WriterThread(workers.writer, opening, this.#writerEvents())
    const analysis = new Analysis({
      start: workers.analyst,
      notices,
      writer: status,
      maskedNames,
      damaged,
      restored: () => this.#tally.reset('restored'),
      ended: () => this.#library.openLater(),
    })
    const library = new Library({
      files,
      analysis,
      start: workers.reader,
      damaged,
      reading: () => this.#reading(),
    })
    const { call: writer } = this.#writer
    const { reader } = library
    const tally = new Tally({ reader, notices, now })
    const answers = new RecentAnswers()
    this.#budget = new Budget(retention, { writer, reader, disk, status, tally, notices })
    this.capture = new IntakeQueue({
      writer,
      answers,
      budget: this.#budget,
      committed: (commit, rebuilt) => this.#committed(commit, rebuilt),
    })
    this.coverage = new CoverageLog({ writer, reader, now })
    this.deliveries = createDeliveries({ reader, writer, analysis, notices, tally, answers, now })
    this.trash = new TrashKeeper({ writer, reader, analysis, tally, now })
    this.#replacement = new Replacement({
      checker,
      writer,
      library,
      incidents,
      notices,
      coverage: this.coverage,
      analysis,
      tally,
      now,
    })
    this.#incidents = incidents
    this.#disk = disk
    this.#checker = checker
    this.#analysis = analysis
    this.#library = library
    this.#tally = tally
  }

  /** @throws AcuseError `newer-schema`, `store-failed` */
  async open(): Promise<void> {
    const aside = await this.#writer.open()
    if (aside) this.#incidents.add(aside)
    this.#library.open(aside !== null)
    this.trash.open()
    this.#budget.open()
    this.#checker.checkLater((reason) => void this.#replacement.replace(reason))
  }

  status(): StoreStatus {
    return {
      ...this.#budget.stateWith(this.#status),
      path: this.#files.captured,
      incidents: this.#incidents.list(),
      unreadJournals: this.#status.unreadJournals,
      counts: { ...this.#tally.counts(this.#status), unjudged: this.#analysis.unjudged },
      disk: this.#disk.read(this.#status),
    }
  }

  async salvage(at: number): Promise<number> {
    const { recovered, lowestId } = await salvage(at, {
      incidents: this.#incidents,
      writer: this.#writer.call,
      reader: this.#startReader,
      now: this.#now(),
      onProgress: () => this.#notices.countsChanged(),
    }).finally(() => this.#notices.stateChanged())
    if (recovered === 0) return 0
    this.#analysis.revisit(lowestId)
    this.#tally.reset('salvaged')
    return recovered
  }

  addReader(reader: FileReader): () => void {
    return this.#replacement.addReader(reader)
  }

  onNotice(listener: (notice: StoreNotice) => void): () => void {
    return this.#notices.on(listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.trash.close()
    this.#budget.close()
    this.#replacement.close()
    await this.#checker.close()
    await this.capture.close()
    await this.coverage.close()
    await this.#library.close()
    // Readers first: the last connection to close folds the log into the database, and that must be the one that writes.
    await this.#writer.close(this.capture.takeTook())
    this.#notices.close()
    this.#lock.release()
  }

  #writerEvents(): WriterEvents {
    return {
      opened: (status) => {
        this.#take(status)
        this.capture.resume()
      },
      ended: (error) => {
        this.capture.interrupt()
        if (!this.#closing) this.#take({ ...this.#status, state: 'refusing', reason: error.message })
      },
      unopened: (error) => this.capture.refuse(error),
      status: (status) => this.#take(status),
      arrived: (firstId, lastId) => this.#arrived(firstId, lastId),
      setAside: (aside) => void this.#replacement.replaced(aside).then(() => this.#replacement.check()),
      deleted: (ids, deletion, reason) => {
        this.#analysis.deleted(ids, deletion)
        if (reason === 'evicted') this.#tally.reset('evicted')
      },
      restored: (ids, restoration) => this.#analysis.restored(ids, restoration),
      // The full check is the one reading that lasts long enough to hold the log; it can run later.
      pressure: () => void this.#checker.cutOff(),
    }
  }

  #committed({ status, arrived }: Committed, rebuilt: number): void {
    this.#take(status)
    this.#tally.arrived(-rebuilt)
    // The deliveries are answered first.
    if (arrived) setImmediate(() => this.#arrived(arrived.firstId, arrived.lastId))
  }

  #arrived(firstId: number, lastId: number): void {
    this.#tally.arrived(lastId - firstId + 1)
    this.#analysis.arrived()
    this.#notices.send({ type: 'arrived', firstId, lastId })
  }

  #reading(): void {
    this.#replacement.reopenReaders()
    void this.#tally.countToday()
    this.#notices.countsChanged()
  }

  #take(status: WriterStatus): void {
    const { state, reason, unreadJournals } = this.#status
    const unread = status.unreadJournals.length !== unreadJournals.length
    const changed = unread || status.state !== state || status.reason !== reason
    this.#status = status
    if (changed) this.#notices.stateChanged()
    else this.#notices.countsChanged()
    if (status.lost) void this.#replacement.replace(status.reason ?? status.lost)
  }
}

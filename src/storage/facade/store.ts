import type { Worker } from 'node:worker_threads'
import { refused } from '#contract/errors.ts'
import type { Settings } from '#contract/settings.ts'
import type { Verification } from '#contract/status.ts'
import { MASKED_NAMES } from '#core/masking.ts'
import type { MirroredRecord } from '#core/mirror.ts'
import type { Deliveries, FileReader, Store, StoreStatus } from '#core/ports.ts'
import { LogThread } from '#log/log-thread.ts'
import type { OneWay } from '#threads/expose.ts'
import { KeptThread } from '#threads/kept-thread.ts'
import type { Program } from '#threads/thread.ts'
import { type Checker, createChecker } from '../checking/checker.ts'
import { claimFolder, type StoreFiles, storeFiles } from '../disk/files.ts'
import { FolderLock } from '../disk/lock.ts'
import { DiskUsage } from '../disk/space.ts'
import { versionWarning } from '../sql/connection.ts'
import { mirroredRecord } from '../wire/record.ts'
import type { Followed } from '../writer/filing.ts'
import { NOTHING_YET, type WriterPushes, type WriterStatus } from '../writer/status.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Writer } from '../writer/writer.ts'
import { Analysis } from './analysis.ts'
import { Budget, quotasOf } from './budget.ts'
import { CoverageLog } from './coverage-log.ts'
import { createDeliveries } from './deliveries.ts'
import { IntakeQueue, type Mirrored, RecentAnswers } from './intake-queue.ts'
import { FilingWaits, LogProblems, Notices, spaced, Tally } from './notices.ts'
import { moveOldJournals } from './old-journals.ts'
import { Incidents, Replacement, salvage } from './replacement.ts'
import { Library } from './threads.ts'
import { TrashKeeper } from './trash.ts'

/** Starts the store's threads and its process; injected because a bundler and plain Node find the files in different ways. */
export interface StoreWorkers {
  log(): Worker
  writer(): Worker
  reader(): Worker
  analyst(): Worker
  /** A process with an IPC channel. */
  checker(): Program
}

export interface StoreOptions {
  /** Absolute path of the data folder; it must exist. */
  readonly folder: string
  readonly workers: StoreWorkers
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** Names from `maskedNamesOf`, whose values a search must not find. Read as deliveries arrive; defaults to MASKED_NAMES. */
  readonly maskedNames?: () => readonly string[]
  /** Budget and quotas, polled; default: the default settings. */
  readonly retention?: () => Settings['retention']
  /** The shared log that the store mirrors: its only source of deliveries. */
  readonly mirrors?: Mirrored | undefined
  /** The folder is a copy: whether a receiver listened after its record of coverage is unknown. Default: none did, until now. */
  readonly copied?: boolean
}

/**
 * Opens the store of a data folder. Resolves as soon as deliveries can be received; reading and analysis open later.
 *
 * Deliveries go to the log, from which captured.db is filled; derived.db has the results of analysis. They are two files so that analysis
 * never holds, or waits for, the write lock that filing needs, and so that damage of derived data cannot cost a delivery: it is made
 * again.
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

/** Longest wait of a read for earlier deliveries to be filed; during a burst a read shows only filed ones. */
const FILED_MS = 500

/** Longest wait of a backup for deliveries to be filed. */
const COPIED_MS = 60_000

const TOLD_APART_MS = 20

/** The store over a log, two SQLite databases and four threads. This side holds no data; its parts call the threads. */
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
  readonly onNotice = this.#notices.on
  readonly #disk: DiskUsage
  readonly #checker: Checker
  readonly #log: LogThread
  readonly #writer: KeptThread<WriterHandlers, WriterPushes>
  readonly #filing: FilingWaits
  readonly #analysis: Analysis
  readonly #library: Library
  readonly #tally: Tally
  readonly #budget: Budget
  readonly #replacement: Replacement
  #status: WriterStatus = NOTHING_YET
  #floor: ReturnType<Writer['floor']> = { floor: { position: 0, id: 0 }, promised: 0 }
  #fresh = false
  #followed: Followed | undefined
  readonly #problems = new LogProblems(this.#notices)
  /** Why the log accepts nothing; null while it does. */
  #refusal: string | null = null
  #closing: Promise<void> | undefined
  /** The last id of another log's record that was given. */
  #mirrored = 0
  readonly #mirrors: boolean
  /** Files a lone delivery at once and later ones in batches: each message wakes a thread that shares its processor with intake. */
  readonly #fileSoon = spaced(TOLD_APART_MS, () =>
    this.#writer.tell.file(this.#log.place, this.capture.takeTook()),
  )

  constructor(options: StoreOptions, files: StoreFiles, lock: FolderLock) {
    const { folder, workers, retention, now = Date.now, maskedNames = () => MASKED_NAMES } = options
    // Not the time of a later start of the thread: the receiver listens meanwhile.
    const absentUntil = options.copied ? 0 : now()
    this.#mirrors = options.mirrors !== undefined
    const notices = this.#notices
    const status = () => this.#status
    const damaged = () => void this.#replacement.check()
    this.#files = files
    this.#lock = lock
    this.#now = now
    this.#startReader = workers.reader
    const incidents = new Incidents(files)
    this.#disk = new DiskUsage(folder)
    this.#checker = createChecker(files.captured, workers.checker, [files.replays, files.sweeps])
    this.#log = new LogThread({
      start: workers.log,
      folder: files.log,
      trouble: (reason) => this.#refuse(reason),
      problem: (problem) => this.#problems.add(problem),
    })
    this.#writer = new KeptThread<WriterHandlers, WriterPushes>({
      start: workers.writer,
      name: 'The thread that writes',
      pushes: this.#writerPushes(),
      open: async (call) => {
        const terms = { now: now(), absentUntil, mirrors: this.#mirrors }
        const opened = await call.open({ folder, quotas: quotasOf(retention?.()), ...terms })
        const { status, setAside, ...floor } = opened
        this.#floor = floor
        this.#fresh = setAside !== null
        if (setAside) incidents.add(setAside)
        this.#take(status)
        this.#follow()
      },
      ended: ({ message }) => {
        if (!this.#closing) this.#take({ ...this.#status, state: 'behind', reason: message })
      },
    })
    this.#filing = new FilingWaits({
      last: () => this.#lastId(),
      filed: () => this.#status.highestId,
      stuck: () => this.#status.state !== 'ok' || this.#closing !== undefined,
    })
    const analysis = new Analysis({
      start: workers.analyst,
      notices,
      writer: status,
      maskedNames,
      damaged,
      last: () => this.#lastId(),
      restored: () => this.#tally.reset('restored'),
      ended: () => this.#library.openLater(),
    })
    const library = new Library({
      files,
      analysis,
      start: workers.reader,
      damaged,
      altered: (id) => this.#problems.altered([id]),
      reading: () => this.#reading(),
      filed: () => this.#filing.until(Number.POSITIVE_INFINITY, FILED_MS),
    })
    const { call: writer } = this.#writer
    const { reader } = library
    const tally = new Tally({ reader, notices, now })
    const answers = new RecentAnswers()
    this.#budget = new Budget(retention, { writer, reader, disk: this.#disk, status, tally, notices })
    this.capture = new IntakeQueue({
      log: options.mirrors?.log ?? this.#log,
      writer,
      answers,
      budget: this.#budget,
      lasted: (took) => this.#writer.tell.lasted(took),
    })
    this.#log.follow(() => this.#fileSoon())
    this.coverage = new CoverageLog({ writer, reader, now })
    this.deliveries = createDeliveries({
      reader,
      writer,
      analysis,
      notices,
      tally,
      answers,
      filing: this.#filing,
      now,
      author: options.mirrors?.author ?? null,
    })
    this.trash = new TrashKeeper({ writer, reader, analysis, tally, filing: this.#filing, now })
    this.#replacement = new Replacement({
      checker: this.#checker,
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
    this.#analysis = analysis
    this.#library = library
    this.#tally = tally
  }

  /** @throws AcuseError `newer-schema`, `store-failed` */
  async open(): Promise<void> {
    this.#log.start()
    await this.#writer.open()
    const { floor, promised } = this.#floor
    // Another log gives the ids of a follower.
    await (this.#mirrors ? this.#log.open({ ...floor, id: 0 }, 0) : this.#log.open(floor, promised))
    const { folder, log } = this.#files
    const unread = await moveOldJournals(folder, (records) => this.#log.append(records))
    for (const journal of unread) this.#problems.add(journal)
    const { position: opened, id: lastId } = this.#log.place
    this.#followed = { folder: log, identity: this.#log.identity, opened, lastId }
    this.#follow()
    this.#library.open(this.#fresh)
    this.trash.open()
    this.#budget.open()
    this.#checker.checkLater(
      (reason) => void this.#replacement.replace(reason),
      (ids) => this.#problems.altered(ids),
    )
  }

  status(): StoreStatus {
    return {
      ...this.#state(),
      path: this.#files.captured,
      incidents: this.#incidents.list(),
      logProblems: this.#problems.list,
      counts: {
        ...this.#tally.counts(this.#status),
        unfiled: this.#filing.unfiled,
        unjudged: this.#analysis.unjudged,
      },
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

  async copyInto(folder: string): Promise<void> {
    await this.#filing.until(this.#log.place.id, COPIED_MS)
    if (this.#filing.unfiled > 0 && this.#status.state !== 'ok')
      throw refused('store-failed', 'not-filed-yet', { unfiled: this.#filing.unfiled })
    await this.#writer.call.backUp(this.#files, folder)
  }

  async verify(): Promise<Verification> {
    const found = await this.#checker.verify({ folder: this.#files.log, upTo: this.#log.place.position })
    this.#problems.altered(found.altered)
    return found
  }

  readonly lastId = () => this.#status.highestId
  readonly mirroredUpTo = () => this.#status.mirrored

  async mirror(records: readonly MirroredRecord[], after: number): Promise<void> {
    await this.#log.append(
      records.map((record, index) => mirroredRecord(record, records[index - 1]?.id ?? after)),
    )
    this.#mirrored = records.at(-1)?.id ?? this.#mirrored
  }

  readonly takeOver = () => this.#replacement.takeOver(this.#startReader, () => this.#status.mirrored)

  readonly unsent: Store['unsent'] = (after, limit) => this.#writer.call.unsent(after, limit)

  readonly addReader = (reader: FileReader) => this.#replacement.addReader(reader)

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
    // Readers first: the last connection to close checkpoints the write-ahead log, and that must be the writer's.
    await this.#writer.close((call) => call.close(this.#log.place, this.capture.takeTook()))
    await this.#log.close()
    this.#notices.close()
    this.#lock.release()
  }

  #lastId(): number {
    return Math.max(this.#log.place.id, this.#mirrored)
  }

  #state(): Pick<StoreStatus, 'state' | 'reason'> {
    return this.#refusal === null
      ? this.#budget.stateWith(this.#status)
      : { state: 'refusing', reason: this.#refusal }
  }

  /** Tells the writer to file from the log. */
  #follow(): void {
    if (!this.#followed) return
    this.#writer.tell.follow(this.#followed, !this.#problems.list.some(({ kind }) => kind === 'journal'))
    this.#writer.tell.file(this.#log.place, [])
  }

  #refuse(reason: string | null): void {
    if (reason === this.#refusal) return
    this.#refusal = reason
    this.#notices.stateChanged()
  }

  #writerPushes(): OneWay<WriterPushes> {
    return {
      status: (status) => this.#take(status),
      arrived: (firstId, lastId, received) => {
        this.#tally.arrived(received)
        this.#analysis.arrived()
        this.#notices.send({ type: 'arrived', firstId, lastId })
      },
      missed: () => this.#notices.send({ type: 'missed' }),
      annotated: (ids) => this.#notices.send({ type: 'marked', ids }),
      kept: (position) => this.#log.trim(position),
      logProblem: (problem) => this.#problems.add(problem),
      setAside: (aside) => void this.#replacement.replaced(aside).then(() => this.#replacement.check()),
      deleted: (ids, deletion, reason) => {
        this.#analysis.deleted(ids, deletion)
        if (reason === 'evicted') this.#tally.reset('evicted')
      },
      restored: (ids, restoration) => this.#analysis.restored(ids, restoration),
      // Only the full check reads long enough to prevent a checkpoint; it can run later.
      pressure: () => void this.#checker.cutOff(),
    }
  }

  #reading(): void {
    this.#replacement.reopenReaders()
    void this.#tally.countToday()
    this.#notices.countsChanged()
  }

  #take(status: WriterStatus): void {
    const { state, reason } = this.#status
    const changed = status.state !== state || status.reason !== reason
    this.#status = status
    this.#filing.changed()
    if (changed) this.#notices.stateChanged()
    else this.#notices.countsChanged()
    if (status.lost) void this.#replacement.replace(status.reason ?? status.lost)
  }
}

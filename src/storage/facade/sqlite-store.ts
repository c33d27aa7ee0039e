import { MASKED_NAMES } from '#core/masking.ts'
import type { Deliveries, FileReader, Store, StoreNotice, StoreStatus } from '#core/ports.ts'
import type { AnalystCalls, AnalystMessage } from '../analyst/protocol.ts'
import { Checker } from '../checking/checker.ts'
import { DiskUsage } from '../disk-usage.ts'
import type { StoreFiles } from '../files.ts'
import { Incidents } from '../incidents.ts'
import type { FolderLock } from '../lock.ts'
import type { StoreOptions } from '../open.ts'
import type { ReaderCalls } from '../reader/protocol.ts'
import type { SetAside } from '../sql/open-own.ts'
import { NOTHING_YET, type WriterMessage, type WriterStatus } from '../writer/protocol.ts'
import { Budget } from './budget.ts'
import { CoverageLog } from './coverage-log.ts'
import { createDeliveries, type DeliveriesTarget } from './deliveries.ts'
import { FileReaders } from './file-readers.ts'
import { IntakeQueue } from './intake-queue.ts'
import { Notices } from './notices.ts'
import { RecentAnswers } from './recent-answers.ts'
import { RecentDurations } from './recent-durations.ts'
import { RestoredWait } from './restored-wait.ts'
import { salvage } from './salvage.ts'
import { Tally } from './tally.ts'
import { Behind } from './threads.ts'
import { TrashKeeper } from './trash.ts'
import { WriterThread } from './writer-thread.ts'

type ResetReason = Extract<StoreNotice, { type: 'reset' }>['reason']

/** Arrivals are told to the analyst at most this often: it takes whatever is there anyway. */
const WAKE_MS = 10
/** Pause before a lost database is tried again. */
const AGAIN_MS = 2_000

/** The store over two SQLite databases and three threads. This side holds no data: it queues, asks and tells. */
export class SqliteStore implements Store {
  readonly capture: IntakeQueue
  readonly coverage: CoverageLog
  readonly deliveries: Deliveries
  readonly trash: TrashKeeper
  readonly #options: StoreOptions
  readonly #files: StoreFiles
  readonly #lock: FolderLock
  readonly #now: () => number
  readonly #incidents: Incidents
  readonly #notices = new Notices()
  readonly #readers = new FileReaders()
  readonly #tally: Tally
  readonly #disk: DiskUsage
  readonly #budget: Budget
  readonly #behind: Behind
  readonly #checker: Checker
  readonly #writer: WriterThread
  readonly #restored = new RestoredWait(
    () => this.#reset('restored'),
    () => this.#notices.countsChanged(),
  )
  #status: WriterStatus = NOTHING_YET
  #analysedUpto = 0
  #waking: NodeJS.Timeout | undefined
  /** Resolves when the analyst has dropped what it knew of the deliveries deleted last; it takes them in order. */
  #forgotten: Promise<void> = Promise.resolve()
  #replacing = false
  #closing: Promise<void> | undefined

  constructor(options: StoreOptions, files: StoreFiles, lock: FolderLock) {
    this.#options = options
    this.#files = files
    this.#lock = lock
    this.#now = options.now ?? Date.now
    this.#incidents = new Incidents(files)
    this.#tally = new Tally(this.#now)
    this.#disk = new DiskUsage(files.folder)
    this.#writer = new WriterThread(options, this.#now, {
      message: (message) => this.#fromWriter(message),
      opened: (status) => {
        this.#take(status)
        this.capture.resume()
      },
      gone: (error) => {
        this.capture.interrupt(error)
        if (!this.#closing) this.#take({ ...this.#status, state: 'refusing', reason: error.message })
      },
      unopened: (error) => this.capture.refuse(error),
    })
    const durations = new RecentDurations()
    const answers = new RecentAnswers()
    this.capture = new IntakeQueue(
      {
        send: (message) => this.#writer.send(message),
        chunk: (upload, seq, bytes) => this.#writer.link.lend(bytes, 'chunk', upload, seq, bytes),
        abandon: (upload) => this.#writer.link.call('abandon', upload),
        correct: (correction) => this.#writer.link.call('correct', correction),
        rebuilt: (count) => this.#tally.arrived(-count),
        refusal: () => this.#budget.refusal,
      },
      durations,
      answers,
    )
    this.coverage = new CoverageLog(
      {
        cover: (...args) => this.#writer.link.call('cover', ...args),
        beat: (...args) => this.#writer.link.call('beat', ...args),
        list: (from, to) => this.#read('coverage', from, to),
      },
      this.#now,
    )
    const deliveries: DeliveriesTarget = {
      read: (name, ...args) => this.#read(name, ...args),
      pin: (ids, pinned) => this.#writer.link.call('pin', ids, pinned),
      annotate: (change) => this.#writer.link.call('annotate', change, this.#now()),
      marked: (ids) => this.#notices.send({ type: 'marked', ids }),
      relearn: async (kinds) => {
        const ids = await this.#behind.analyst().call('relearn', kinds)
        await this.#read('reset').catch(() => undefined)
        this.#notices.send({ type: 'marked', ids })
        this.#notices.send({ type: 'drifted', kinds })
      },
      prune: (params) => this.#writer.link.call('prune', params),
      emptyTrash: () => this.trash.empty(null),
      pruned: () => this.#changed('retention'),
      settled: (timeoutMs) => this.#settled(timeoutMs),
      ...{ durations, answers },
    }
    this.deliveries = createDeliveries(deliveries)
    this.trash = new TrashKeeper({
      read: (name, ...args) => this.#read(name, ...args),
      trash: (order) => this.#writer.link.call('trash', order),
      restore: (batch) => this.#writer.link.call('restore', batch),
      empty: (which) => this.#writer.link.call('emptyTrash', which),
      forgotten: () => this.#forgotten,
      changed: (reason) => this.#changed(reason),
      now: this.#now,
    })
    this.#budget = new Budget(options.retention, {
      filedBytes: () => this.#disk.filedBytes(this.#status),
      trashed: () => this.#status.trashed.deliveries,
      deliveries,
      setQuotas: (quotas) => this.#writer.link.call('setQuotas', quotas),
      changed: () => this.#notices.stateChanged(),
    })
    this.#checker = new Checker(files.captured, options.workers)
    this.#behind = new Behind(
      files,
      options.workers,
      {
        analyst: (message) => this.#fromAnalyst(message),
        reader: () => void this.#look(),
        analysing: (upto) => {
          this.#analysedUpto = upto
          this.#wake()
        },
        reading: () => {
          this.#readers.reopen()
          void this.#countToday()
          this.#notices.countsChanged()
        },
      },
      () => options.maskedNames?.() ?? MASKED_NAMES,
    )
  }

  /** @throws AcuseError `newer-schema`, `store-failed` */
  async open(): Promise<void> {
    const aside = await this.#writer.open()
    if (aside) this.#incidents.add(aside)
    this.#behind.open(aside !== null)
    this.trash.open()
    this.#budget.open()
    this.#checker.checkBehind((reason) => void this.#replace(reason))
  }

  status(): StoreStatus {
    return {
      ...this.#budget.stateWith(this.#status),
      path: this.#files.captured,
      incidents: this.#incidents.list(),
      unreadJournals: this.#status.unreadJournals,
      counts: { ...this.#tally.counts(this.#status), unjudged: this.#unjudged() },
      disk: this.#disk.read(this.#status),
    }
  }

  async salvage(at: number): Promise<number> {
    const { recovered, lowestId } = await salvage(
      at,
      this.#incidents,
      this.#options.workers,
      this.#writer.link,
      this.#now(),
      () => this.#notices.countsChanged(),
    ).finally(() => this.#notices.stateChanged())
    if (recovered === 0) return 0
    this.#wake()
    void this.#analyst('revisit', lowestId)
    this.#reset('salvaged')
    return recovered
  }

  addReader(reader: FileReader): () => void {
    return this.#readers.add(reader)
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
    await this.#checker.close()
    await this.capture.close()
    await this.coverage.close()
    await this.#behind.close()
    // Readers first: the last connection to close folds the log into the database, and that must be the one that writes.
    await this.#writer.close(this.capture.takeTook())
    this.#notices.close()
    this.#lock.release()
  }

  async #read<N extends keyof ReaderCalls & string>(
    name: N,
    ...args: Parameters<ReaderCalls[N]>
  ): Promise<Awaited<ReturnType<ReaderCalls[N]>>> {
    const reader = await this.#behind.reader()
    return reader.call(name, ...args)
  }

  /** Asked without waiting: an analyst that starts anew finds out by itself what there is to do. */
  #analyst<N extends 'revisit' | 'forget'>(name: N, ...args: Parameters<AnalystCalls[N]>): Promise<void> {
    return this.#behind
      .analyst()
      .call(name, ...args)
      .catch(() => undefined)
  }

  #wake(): void {
    this.#waking = undefined
    if (!this.#closing) this.#behind.wake(this.#status.highestId)
  }

  async #settled(timeoutMs: number): Promise<number> {
    const target = this.#status.highestId
    const done = () => this.#analysedUpto >= target && this.#restored.waiting === 0
    if (!done()) await this.#notices.until(done, timeoutMs)
    // What came since the call is not asked about.
    return done() ? 0 : this.#unjudged()
  }

  #fromWriter(message: WriterMessage): void {
    switch (message.event) {
      case 'committed':
        this.#take(message.status)
        this.capture.settle(message.outcomes)
        return
      case 'arrived':
        this.#arrived(message.firstId, message.lastId)
        return
      case 'status':
        this.#take(message.status)
        return
      case 'set-aside':
        void this.#replaced(message.setAside).then(() => this.#look())
        return
      case 'deleted':
        this.#forgotten = this.#analyst('forget', message.ids, message.deletion)
        if (message.reason === 'evicted') this.#reset('evicted')
        return
      case 'restored':
        // With the names that are masked now.
        this.#wake()
        this.#restored.back(message.ids.length, () =>
          this.#behind.analyst().call('restore', message.ids, message.restoration),
        )
        return
      case 'pressure':
        // The full check is the one reading that lasts long enough to hold the log; it can be had later.
        void this.#checker.cutOff()
    }
  }

  #arrived(firstId: number, lastId: number): void {
    this.#tally.arrived(lastId - firstId + 1)
    this.#waking ??= setTimeout(() => this.#wake(), WAKE_MS).unref()
    this.#notices.send({ type: 'arrived', firstId, lastId })
  }

  #fromAnalyst(message: AnalystMessage): void {
    switch (message.event) {
      case 'judged':
        this.#analysedUpto = message.lastId
        this.#notices.send({ type: 'judged', firstId: message.firstId, lastId: message.lastId })
        if (message.drifted.length > 0) this.#notices.send({ type: 'drifted', kinds: message.drifted })
        this.#notices.countsChanged()
        return
      case 'rejudged':
        this.#restored.left(message.pending)
        return
      case 'caught-up':
        if (message.upto <= this.#analysedUpto) return
        this.#analysedUpto = message.upto
        this.#notices.stateChanged()
        return
      case 'damaged':
      case 'derived-lost':
        void this.#look()
    }
  }

  #take(status: WriterStatus): void {
    const { state, reason, unreadJournals } = this.#status
    const unread = status.unreadJournals.length !== unreadJournals.length
    const changed = unread || status.state !== state || status.reason !== reason
    this.#status = status
    if (changed) this.#notices.stateChanged()
    else this.#notices.countsChanged()
    if (status.lost) void this.#replace(status.reason ?? status.lost)
  }

  /** The writer saves what it can of a lost database, all others let go of it, the writer sets it aside, and all go on. */
  async #replace(reason: string): Promise<void> {
    if (this.#replacing || this.#closing) return
    this.#replacing = true
    let rebuild = true
    try {
      await this.#checker.cutOff()
      await this.#writer.link.call('rescue')
      await this.#release()
      const aside = await this.#writer.link.call('replace', this.#now(), reason)
      rebuild = aside !== null && aside.kind !== 'moved'
      if (aside) await this.#replaced(aside)
    } catch {
      // The writer stays in the journal, and says each second that the database is lost.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    } finally {
      this.#replacing = false
      this.#behind.open(rebuild)
    }
  }

  /** Another file has the database's name. */
  async #replaced(aside: SetAside): Promise<void> {
    this.#incidents.add(aside)
    // One that was written anew has its record of listening, and its deliveries.
    if (aside.kind !== 'moved') {
      await this.coverage.beginAnew()
      this.#analysedUpto = 0
      this.#tally.setToday(0)
    }
    this.#notices.stateChanged()
    this.#notices.send({ type: 'reset', reason: 'replaced' })
  }

  /** A reading met damage: in captured.db it calls for a fresh store, else derived.db is made again. */
  async #look(): Promise<void> {
    if (this.#replacing || this.#closing) return
    const found = await this.#checker.checkNow()
    if (found !== null) return this.#replace(found)
    await this.#release()
    if (!this.#replacing) this.#behind.open(true)
    this.#notices.send({ type: 'reset', reason: 'replaced' })
  }

  async #release(): Promise<void> {
    // In this order: an opening that is still under way ends first, and lets all of them in.
    await this.#behind.release()
    await this.#readers.release()
  }

  #unjudged(): number {
    const { highestId, stored } = this.#status
    // Ids may have gaps, so their difference is the most that can be waiting; once nothing waits it is exactly none.
    return Math.max(0, Math.min(stored, highestId - this.#analysedUpto + this.#restored.waiting))
  }

  #reset(reason: ResetReason): void {
    void this.#read('reset').catch(() => undefined)
    this.#notices.send({ type: 'reset', reason })
    this.#notices.countsChanged()
  }

  async #changed(reason: ResetReason): Promise<void> {
    this.#reset(reason)
    await this.#countToday()
  }

  async #countToday(): Promise<void> {
    await this.#read('countSince', this.#tally.dayBegan).then(
      (count) => this.#tally.setToday(count),
      () => undefined,
    )
  }
}

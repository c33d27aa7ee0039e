import { AcuseError } from '#contract/errors.ts'
import type { StoreState } from '#contract/status.ts'
import type { LogPlace } from '#core/ports.ts'
import type { Floor } from '#log/log.ts'
import { logIn } from '#log/reader.ts'
import type { OneWay } from '#threads/expose.ts'
import {
  DATABASE_SUFFIXES,
  failureOf,
  isFull,
  isLocked,
  OpenFiles,
  type StoreFiles,
  sizeOf,
  storeFiles,
  words,
} from '../disk/files.ts'
import { ReservedIds } from '../disk/reserved-ids.ts'
import { withReserve } from '../disk/space.ts'
import { openCaptured } from '../schema/captured.ts'
import { readMeta } from '../sql/numbers.ts'
import { copyDatabase, foldLog, placeDatabase, type SetAside, setAside } from '../sql/open-own.ts'
import { Captured, orphanUploads } from './captured.ts'
import { Checkpoints } from './checkpoint.ts'
import { Corrections } from './corrections.ts'
import { noteAbsence } from './coverage.ts'
import { Filing, type Followed } from './filing.ts'
import type { Quotas } from './intake.ts'
import { NOTHING_YET, type WriterPushes, type WriterStatus } from './status.ts'

export interface WriterOptions {
  readonly folder: string
  readonly quotas: Quotas
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Above every id of a database whose deliveries cannot be seen now, and of which no record promises anything. */
const BEYOND_ALL = 1_000_000_000

/**
 * Files what the log has into captured.db, and carries out everything else that changes it. While the database fails, the log is simply
 * longer. Free of threads: the worker feeds it, tests call it.
 */
export class Writer {
  readonly #files: StoreFiles
  /** In force from the next opening on. */
  quotas: Quotas
  readonly tell: OneWay<WriterPushes>
  readonly #reserved: ReservedIds
  /** They go into the next commit, or that of the next pause. */
  readonly corrections = new Corrections()
  #filing: Filing | undefined
  /** The last id that the log gave. */
  #lastId = 0
  #captured: Captured | undefined
  #checkpoints: Checkpoints | undefined
  #state: StoreState = 'ok'
  #reason: string | null = null
  #lost: WriterStatus['lost'] = null
  #openFiles: OpenFiles | undefined
  /** The copy of a database whose files were moved, and when it is complete. */
  #rescuing: Promise<string> | undefined
  #counts: ReturnType<Captured['counts']> = NOTHING_YET
  #orphans: readonly string[] = []
  /** The database failed last for want of room. */
  #full = false
  #reusable = 0
  #sweep = false
  /** Acuse did not run until then, milliseconds since the epoch; null once the database says so. */
  #absentUntil: number | null = null

  constructor(options: WriterOptions, tell: OneWay<WriterPushes>) {
    this.#files = storeFiles(options.folder)
    this.quotas = options.quotas
    this.tell = tell
    this.#reserved = new ReservedIds(this.#files.reservedIds)
  }

  /**
   * Opens the database. One that is locked, unreadable or of a newer Acuse leaves deliveries in the log: a receiver that does not start
   * would lose them.
   * @throws AcuseError `store-failed` when it can never be used
   */
  open(now: number): SetAside | null {
    this.#absentUntil = now
    try {
      return this.#openDatabase(now)
    } catch (error) {
      if (error instanceof AcuseError && error.code !== 'newer-schema') throw error
      this.#enter('behind', words(error))
      return null
    }
  }

  /** What is known to have been filed; the ids beyond it that may have been given out. */
  floor(): { readonly floor: Floor; readonly promised: number } {
    if (!this.#captured) {
      const unknown = sizeOf(this.#files.captured) > 0 ? BEYOND_ALL : 0
      return { floor: { position: 0, id: 0 }, promised: this.#reserved.ceiling || unknown }
    }
    const { highestId: id, statements } = this.#captured
    return {
      floor: { position: readMeta(statements, 'filed'), id, log: readMeta(statements, 'log') },
      promised: this.#reserved.firstFree(id) - 1,
    }
  }

  status(): WriterStatus {
    if (this.#captured) this.#counts = this.#captured.counts()
    // A fresh database has none of what was filed in the one before it.
    const known = this.#filing?.behind === false ? this.#lastId : 0
    return {
      ...{ ...this.#counts, highestId: Math.max(this.#counts.highestId, known) },
      state: this.#state,
      reason: this.#reason,
      lost: this.#lost,
      reusableBytes: this.#reusable,
    }
  }

  /** From where deliveries are filed from now on. @param sweep whether pieces of bodies without a delivery are removed */
  follow(log: Followed, sweep: boolean): void {
    this.#filing?.restart()
    this.#filing = new Filing(log, logIn(log.folder))
    this.#sweep = sweep
    this.synced({ position: log.opened, id: log.lastId })
  }

  /** All up to a place is in the log, for `file` to move. @param took ids and microseconds in turn: how long answers took */
  synced({ position, id }: LogPlace, took: readonly number[] = []): void {
    this.#filing?.synced(position)
    this.#lastId = id
    this.#reserved.cover(id)
    this.corrections.lasted(took)
  }

  /** Moves some records from the log into the database. @returns how many deliveries that were; null while there is nothing to do, or it fails */
  file(): number | null {
    if (this.#state !== 'ok') return null
    try {
      return this.#file()
    } catch (error) {
      this.#failed(error)
      return null
    }
  }

  /**
   * The database, for what may fail: pins, coverage, deliveries brought back.
   * @throws AcuseError `store-failed` while it cannot be written
   */
  get captured(): Captured {
    if (!this.#captured || this.#lost || this.#moved())
      throw new AcuseError('store-failed', this.#reason ?? 'The database is not open.')
    return this.#captured
  }

  /** For what must be written also on a full disk: the reserve is given up for it. @throws as `captured`, and what `work` throws */
  record(work: (captured: Captured) => void): void {
    withReserve(this.#files.folder, () => {
      // A database that has failed is closed; one that found no room opens again with the reserve.
      if (!this.#captured && this.#full) this.#openDatabase(Date.now())
      work(this.captured)
    })
  }

  /** After a transaction that was no arrival's. Were that database lost, a fresh one takes nothing from the log that users may have changed. */
  committed(): void {
    this.#filing?.mark()
    this.#reusable = this.#captured?.reusableBytes() ?? this.#reusable
    this.#kept(this.#checkpoints?.afterCommit())
    this.tell.status(this.status())
  }

  /**
   * Copies a database whose files another program removed or replaced, from what is still open. Deliveries stay in the log meanwhile.
   * @throws SQLite's or the file system's error; it may be tried again
   */
  async rescue(): Promise<void> {
    if (this.#isBack() || this.#lost !== 'moved' || !this.#captured || this.#openFiles?.inPlace) return
    this.#rescuing ??= copyDatabase(this.#captured.db, this.#files.captured)
    await this.#rescuing.catch((error: unknown) => {
      this.#rescuing = undefined
      throw error
    })
  }

  /** Sets a lost database aside and opens what takes its place; the readers must have closed it. @returns null when it is back */
  async replace(now: number, reason: string): Promise<SetAside | null> {
    if (this.#isBack()) return null
    const rescued = await this.#rescuing
    const kind = this.#lost ?? 'damaged'
    // Only side files were moved: the database takes in what they hold, and stays.
    const inPlace = kind === 'moved' && rescued === undefined
    if (inPlace && this.#captured) foldLog(this.#captured.db)
    this.#drop()
    // The copy has what they hold.
    if (rescued !== undefined) this.#openFiles?.removeSides()
    const files = inPlace ? ['-wal', '-shm'] : DATABASE_SUFFIXES
    const aside = setAside(this.#files.captured, now, kind, reason, files)
    if (rescued !== undefined) placeDatabase(rescued, this.#files.captured)
    this.#rescuing = undefined
    this.#lost = null
    this.#openDatabase(now)
    this.recover()
    return aside
  }

  /** What is open and has no name any more would end with the process. */
  async rescueBeforeEnd(now: number): Promise<void> {
    if (!this.#moved() && this.#lost !== 'moved') return
    try {
      await this.rescue()
      await this.replace(now, this.#reason ?? '')
    } catch {
      // The first attempt reported it.
    }
  }

  /** Call each second: whether the files are still those that are open. */
  look(): void {
    if (this.#lost || this.#moved()) this.tell.status(this.status())
  }

  /** Call every few seconds: tries again what failed. */
  recover(): void {
    if (this.#state === 'ok' || (this.#lost && !this.#isBack()) || this.#moved()) return
    try {
      if (!this.#captured) {
        const aside = this.#openDatabase(Date.now())
        if (aside) this.tell.setAside(aside)
        // On a disk that was full, folding its log into the database is what makes room.
        this.#kept(this.#checkpoints?.idle())
      }
      this.#file()
      this.#enter('ok', null)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Call when nothing has arrived for a moment. */
  idle(): void {
    const captured = this.#captured
    if (this.#state !== 'ok' || !captured || this.#moved()) return
    try {
      const { highestId } = captured
      if (this.corrections.any) {
        const extra = () => this.corrections.join(captured, highestId)
        captured.commit({ deliveries: [], took: this.corrections.took, highestId, extra })
        this.corrections.joined(highestId)
      }
      const [orphan] = this.#orphans
      if (orphan !== undefined) captured.dropChunks(orphan)
      this.#orphans = this.#orphans.slice(1)
      this.#reusable = captured.reusableBytes()
      this.#kept(this.#checkpoints?.idle())
    } catch (error) {
      if (failureOf(error) !== 'row') this.#failed(error)
    }
  }

  close(): void {
    this.#filing?.mark()
    this.#filing?.restart()
    if (this.#captured) this.#reserved.settle(this.#captured.highestId)
    this.#captured?.close()
    this.#captured = undefined
  }

  #file(): number | null {
    if (!this.#captured || !this.#filing?.behind || this.#moved()) return null
    const captured = this.#captured
    const filed = this.#filing.step(captured, this.corrections.took, (highestId) =>
      this.corrections.join(captured, highestId),
    )
    const { firstId, lastId, received, evicted, problems, gaps } = filed
    this.corrections.joined(captured.highestId)
    // The highest id must be known before its arrival.
    this.tell.status(this.status())
    if (firstId <= lastId) this.tell.arrived(firstId, lastId, received)
    if (evicted.length > 0) this.tell.deleted(evicted, captured.deletions, 'evicted')
    for (const [id, reason] of problems) this.tell.logProblem({ kind: 'refused', id, reason })
    for (const { from, to, answered } of gaps)
      this.tell.logProblem({ kind: answered ? 'damaged' : 'partial', from, to })
    // Once all of the process before is filed: pieces without a delivery belong to a body that it never got whole.
    if (this.#sweep && this.#filing.betweenProcesses) {
      this.#sweep = false
      this.#orphans = orphanUploads(captured.statements)
    }
    try {
      this.#kept(this.#checkpoints?.afterCommit())
    } catch (error) {
      // They are filed by now, and must not be filed again.
      this.#failed(error)
    }
    return Math.max(0, lastId - firstId + 1)
  }

  #openDatabase(now: number): SetAside | null {
    const { db, setAside: aside } = openCaptured(this.#files.captured, now, this.#reserved.ceiling > 0)
    try {
      this.#captured = new Captured(db, this.quotas)
      this.#checkpoints = new Checkpoints(db, () => this.tell.pressure())
      this.#openFiles = new OpenFiles(this.#files.captured)
      this.#filing?.restart()
      this.#reusable = this.#captured.reusableBytes()
      // Only up to when this process began, and once: during trouble with the database the receiver went on.
      if (this.#absentUntil !== null) noteAbsence(this.#captured.statements, this.#absentUntil)
      this.#absentUntil = null
      return aside
    } catch (error) {
      this.#captured = undefined
      db.close()
      throw error
    }
  }

  /** @param whole everything committed is in the database, and synced */
  #kept(whole = false): void {
    if (!whole || !this.#filing) return
    this.#filing.mark()
    this.tell.kept(this.#filing.filed)
  }

  #failed(error: unknown): void {
    this.#full = isFull(error)
    if (this.#moved() || this.#lost === 'moved') return
    if (failureOf(error) === 'damage') this.#lost = 'damaged'
    // While another program holds a lock the connection stays: without it that program could take itself for the only one.
    else if (!isLocked(error)) this.#drop()
    this.#enter('behind', words(error))
  }

  /** Looked at before each commit: what goes into files without a name ends with the process. */
  #moved(): boolean {
    const moved = this.#captured && this.#lost === null ? this.#openFiles?.moved() : null
    if (!moved) return false
    this.#lost = 'moved'
    this.#enter('behind', moved)
    return true
  }

  /** A folder that was renamed may come back, with the very files in it. */
  #isBack(): boolean {
    if (this.#lost !== 'moved' || this.#rescuing || this.#openFiles?.moved() !== null) return false
    this.#lost = null
    return true
  }

  /** A connection that failed may hold a broken cache or a file that has been replaced: a new one is opened when it is tried again. */
  #drop(): void {
    const captured = this.#captured
    if (!captured) return
    this.#counts = captured.counts()
    this.#captured = undefined
    this.#checkpoints = undefined
    try {
      captured.db.close()
    } catch {
      // Nothing depends on an orderly end of a connection that has failed.
    }
  }

  #enter(state: StoreState, reason: string | null): void {
    this.#state = state
    this.#reason = reason
    this.tell.status(this.status())
  }
}

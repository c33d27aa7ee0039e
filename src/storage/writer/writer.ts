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
import { copyDatabase, foldLog, placeDatabase, READABLE, type SetAside, setAside } from '../sql/open-own.ts'
import { Captured, orphanUploads } from './captured.ts'
import { Checkpoints } from './checkpoint.ts'
import { Corrections } from './corrections.ts'
import { noteAbsence } from './coverage.ts'
import { Filing, type Followed, filedIn, forgetFiled } from './filing.ts'
import type { Quotas } from './intake.ts'
import { NOTHING_YET, type WriterPushes, type WriterStatus } from './status.ts'

export interface WriterOptions {
  readonly folder: string
  readonly quotas: Quotas
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Acuse did not run between the end of the record of coverage and this time, milliseconds since the epoch; 0: that is unknown. */
  readonly absentUntil: number
  /** Whether a shared log has all deliveries: a fresh database gets them from there. */
  readonly mirrors: boolean
}

/** Above every id of a database that cannot be read, when no ceiling of ids is recorded either. */
const BEYOND_ALL = 1_000_000_000

/**
 * Files records of the log into captured.db, and makes all other changes to it. While the database fails, the log grows. Independent
 * of threads: the worker and tests call it.
 */
export class Writer {
  readonly #files: StoreFiles
  /** Quotas for the next open. */
  quotas: Quotas
  readonly tell: OneWay<WriterPushes>
  readonly #reserved: ReservedIds
  /** Written with the next commit, or in the next pause. */
  readonly corrections = new Corrections()
  #filing: Filing | undefined
  /** The last id that the log assigned. */
  #lastId = 0
  #captured: Captured | undefined
  #checkpoints: Checkpoints | undefined
  #state: StoreState = 'ok'
  #reason: string | null = null
  #lost: WriterStatus['lost'] = null
  #openFiles: OpenFiles | undefined
  /** Resolves with the path of the complete copy of a moved database. */
  #rescuing: Promise<string> | undefined
  #counts: ReturnType<Captured['counts']> = NOTHING_YET
  #orphans: readonly string[] = []
  /** Whether the last failure was a full disk. */
  #full = false
  #reusable = 0
  #sweep = false
  /** As in the options, until the database has recorded it. */
  #absentUntil: number
  readonly #mirrors: boolean

  constructor(options: WriterOptions, tell: OneWay<WriterPushes>) {
    this.#files = storeFiles(options.folder)
    this.quotas = options.quotas
    this.tell = tell
    this.#absentUntil = options.absentUntil
    this.#mirrors = options.mirrors
    this.#reserved = new ReservedIds(this.#files.reservedIds)
  }

  /**
   * Opens the database. While it is locked, unreadable or of a newer Acuse, deliveries stay in the log: a receiver that does not start
   * would lose them.
   * @throws AcuseError `store-failed` when it can never be used
   */
  open(now: number): SetAside | null {
    try {
      return this.#openDatabase(now)
    } catch (error) {
      if (error instanceof AcuseError && error.code !== 'newer-schema') throw error
      this.#enter('behind', words(error))
      return null
    }
  }

  /** Position that the log has reached for certain, id up to which it is filed, and the highest id that may have been assigned. */
  floor(): { readonly floor: Floor; readonly promised: number } {
    if (!this.#captured) {
      const unknown = sizeOf(this.#files.captured) > 0 ? BEYOND_ALL : 0
      return { floor: { position: 0, id: 0 }, promised: this.#reserved.ceiling || unknown }
    }
    const { highestId: id, statements } = this.#captured
    const position = Math.max(readMeta(statements, 'filed'), readMeta(statements, 'synced'))
    return {
      floor: { position, id, log: readMeta(statements, 'log') },
      promised: Math.max(this.#reserved.ceiling, id),
    }
  }

  status(): WriterStatus {
    if (this.#captured) this.#counts = this.#captured.counts()
    // A fresh database lacks the deliveries of the former one, so the log's last id counts too.
    const known = this.#filing?.waiting === 0 ? this.#lastId : 0
    return {
      ...this.#counts,
      highestId: Math.max(this.#counts.highestId, known),
      state: this.#state,
      reason: this.#reason,
      lost: this.#lost,
      reusableBytes: this.#reusable,
    }
  }

  /** Sets the log to file from. @param sweep whether to remove chunks without a delivery */
  follow(log: Followed, sweep: boolean): void {
    this.#filing?.restart()
    this.#filing = new Filing(log, logIn(log.folder))
    this.#sweep = sweep
    this.synced({ position: log.opened, id: log.lastId })
  }

  /** Tells that the log is on the disk up to a place. @param took ids and durations of answers in microseconds, alternating */
  synced({ position, id }: LogPlace, took: readonly number[] = []): void {
    this.#filing?.synced(position)
    this.#lastId = id
    this.#reserved.cover(id)
    this.corrections.lasted(took)
  }

  /** Records of the log to file. */
  get waiting(): number {
    return this.#filing?.waiting ?? 0
  }

  /** Files one slice of the log. @returns number of deliveries; null when there is nothing to file, or on failure */
  file(): number | null {
    if (this.#state !== 'ok') return null
    try {
      return this.#file()
    } catch (error) {
      this.failed(error)
      return null
    }
  }

  /**
   * The database, for changes that may fail: pins, coverage, salvaged deliveries.
   * @throws AcuseError `store-failed` while it cannot be written
   */
  get captured(): Captured {
    if (!this.#captured || this.#lost || this.#moved())
      throw new AcuseError('store-failed', this.#reason ?? 'The database is not open.')
    return this.#captured
  }

  /** Runs `work` even on a full disk, where it frees the reserve. @throws like `captured`; the errors of `work` */
  record(work: (captured: Captured) => void): void {
    withReserve(this.#files.folder, () => {
      // A failed database is closed; after a full disk, it can be reopened with the reserve.
      if (!this.#captured && this.#full) this.#openDatabase(Date.now())
      work(this.captured)
    })
  }

  /** Call after a transaction other than filing. Marks the position, so that a fresh database never files again what users have changed. */
  committed(): void {
    this.#filing?.mark()
    this.#reusable = this.#captured?.reusableBytes() ?? this.#reusable
    this.#kept(this.#checkpoints?.afterCommit())
    this.tell.status(this.status())
  }

  /**
   * Copies the open database when another program removed or replaced its files. Deliveries stay in the log meanwhile.
   * @throws SQLite's or the file system's error; the caller may try again
   */
  async rescue(): Promise<void> {
    if (this.#isBack() || this.#lost !== 'moved' || !this.#captured || this.#openFiles?.inPlace) return
    this.#rescuing ??= copyDatabase(this.#captured.db, this.#files.captured)
    await this.#rescuing.catch((error: unknown) => {
      this.#rescuing = undefined
      throw error
    })
  }

  /** Sets a lost database aside and opens its replacement; readers must have closed it. @returns null when the original is back */
  async replace(now: number, reason: string): Promise<SetAside | null> {
    if (this.#isBack()) return null
    const rescued = await this.#rescuing
    const kind = this.#lost ?? 'damaged'
    // Only side files were moved: a checkpoint of the open log completes the database, which stays.
    const inPlace = kind === 'moved' && rescued === undefined
    if (inPlace && this.#captured) foldLog(this.#captured.db)
    this.#drop()
    // The copy has their content.
    if (rescued !== undefined) this.#openFiles?.removeSides()
    const files = inPlace ? ['-wal', '-shm'] : DATABASE_SUFFIXES
    const aside = setAside(this.#files.captured, now, kind, reason, files)
    if (rescued !== undefined) placeDatabase(rescued, this.#files.captured)
    this.#rescuing = undefined
    this.#lost = null
    this.#openDatabase(now, kind === 'damaged' ? aside : null)
    this.recover()
    return aside
  }

  /** Copies a database whose files were unlinked: its content would be lost with the process. */
  async rescueBeforeEnd(now: number): Promise<void> {
    if (!this.#moved() && this.#lost !== 'moved') return
    try {
      await this.rescue()
      await this.replace(now, this.#reason ?? '')
    } catch {
      // The status has already reported that the files were moved.
    }
  }

  /** Call each second: reports when another program moved the open files. */
  check(): void {
    if (this.#lost || this.#moved()) this.tell.status(this.status())
  }

  /** Call every few seconds: after a failure, reopens the database and resumes filing. */
  recover(): void {
    if (this.#state === 'ok' || (this.#lost && !this.#isBack()) || this.#moved()) return
    try {
      if (!this.#captured) {
        const aside = this.#openDatabase(Date.now())
        if (aside) this.tell.setAside(aside)
        // On a full disk, a checkpoint frees space.
        this.#kept(this.#checkpoints?.idle())
      }
      this.#file()
      this.#enter('ok', null)
    } catch (error) {
      this.failed(error)
    }
  }

  /** Call in a pause without arrivals. */
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
      if (failureOf(error) !== 'row') this.failed(error)
    }
  }

  close(): void {
    this.#filing?.mark()
    this.#filing?.restart()
    if (this.#captured) this.#reserved.settle(Math.max(this.#captured.highestId, this.#lastId))
    this.#captured?.close()
    this.#captured = undefined
  }

  #file(): number | null {
    if (!this.#captured || !this.#filing?.waiting || this.#moved()) return null
    const captured = this.#captured
    const filed = this.#filing.step(captured, this.corrections.took, (highestId) =>
      this.corrections.join(captured, highestId),
    )
    const { firstId, lastId, received, annotated, missed, evicted, problems, gaps } = filed
    this.corrections.joined(captured.highestId)
    // The ids of a shared log too, so that the next start knows that there were deliveries.
    this.#reserved.cover(captured.highestId)
    // Listeners of `arrived` must already know the highest id.
    this.tell.status(this.status())
    if (firstId <= lastId) this.tell.arrived(firstId, lastId, received)
    if (annotated.length > 0) this.tell.annotated(annotated)
    if (missed) this.tell.missed()
    if (evicted.length > 0) this.tell.deleted(evicted, captured.deletions, 'evicted')
    for (const [id, reason] of problems) this.tell.logProblem({ kind: 'refused', id, reason })
    for (const { from, to, answered } of gaps)
      this.tell.logProblem({ kind: answered ? 'damaged' : 'partial', from, to })
    // When all records of earlier processes are filed, chunks without a delivery belong to bodies that never arrived completely.
    if (this.#sweep && this.#filing.betweenProcesses) {
      this.#sweep = false
      this.#orphans = orphanUploads(captured.statements)
    }
    try {
      this.#kept(this.#checkpoints?.afterCommit())
    } catch (error) {
      // The deliveries are filed, so the caller must not see a failure and file them again.
      this.failed(error)
    }
    return Math.max(0, lastId - firstId + 1)
  }

  /** @param before the damaged database that has just been set aside */
  #openDatabase(now: number, before: SetAside | null = null): SetAside | null {
    const held = this.#reserved.ceiling > 0 || filedIn(this.#files.log) > 0
    const { db, setAside: aside } = openCaptured(this.#files.captured, now, held)
    // What can be salvaged has the user's notes and deletions too, so then the log gives only the rest.
    const left = before ?? aside
    const isReadable = (path: string) => READABLE.test(path) && sizeOf(path) > 0
    // Of a shared log, this folder's log has the newest records only: filed, they would hide that the others are missing.
    const gone = !this.#mirrors && left !== null && !left.files.some(isReadable)
    try {
      this.#captured = new Captured(db, this.quotas)
      this.#checkpoints = new Checkpoints(db, () => this.tell.pressure())
      this.#openFiles = new OpenFiles(this.#files.captured)
      if (gone) forgetFiled(this.#files.log)
      this.#filing?.restart(gone)
      this.#reusable = this.#captured.reusableBytes()
      // Once, and only up to the start of this process: while the database failed, the receiver listened.
      noteAbsence(this.#captured.statements, this.#absentUntil)
      this.#absentUntil = 0
      return aside
    } catch (error) {
      this.#captured = undefined
      db.close()
      throw error
    }
  }

  /** @param whole whether all commits are in the database file and synced */
  #kept(whole = false): void {
    if (!whole || !this.#filing) return
    this.#filing.mark()
    this.tell.kept(this.#filing.filed)
  }

  /** Call when a commit failed: damage gets the database replaced. */
  failed(error: unknown): void {
    this.#full = isFull(error)
    if (this.#moved() || this.#lost === 'moved') return
    if (failureOf(error) === 'damage') this.#lost = 'damaged'
    // While another program holds a lock, keep the connection: otherwise that program could believe that it is the only user.
    else if (!isLocked(error)) this.#drop()
    this.#enter('behind', words(error))
  }

  /** Whether the files were moved. Checked before each commit, because commits into unlinked files are lost with the process. */
  #moved(): boolean {
    const moved = this.#captured && this.#lost === null ? this.#openFiles?.moved() : null
    if (!moved) return false
    this.#lost = 'moved'
    this.#enter('behind', moved)
    return true
  }

  /** Whether moved files are back, as when a renamed folder gets its name again. */
  #isBack(): boolean {
    if (this.#lost !== 'moved' || this.#rescuing || this.#openFiles?.moved() !== null) return false
    this.#lost = null
    return true
  }

  /** Closes a failed connection, which may have a broken cache or a replaced file; `recover` opens a new one. */
  #drop(): void {
    const captured = this.#captured
    if (!captured) return
    this.#counts = captured.counts()
    this.#captured = undefined
    this.#checkpoints = undefined
    try {
      captured.db.close()
    } catch {
      // A failed connection need not close in order.
    }
  }

  #enter(state: StoreState, reason: string | null): void {
    this.#state = state
    this.#reason = reason
    this.tell.status(this.status())
  }
}

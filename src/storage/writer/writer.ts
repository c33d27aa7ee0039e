import { AcuseError } from '#contract/errors.ts'
import type { StoreState } from '#contract/status.ts'
import type { OneWay } from '#threads/expose.ts'
import {
  DATABASE_SUFFIXES,
  failureOf,
  isFull,
  isLocked,
  OpenFiles,
  type StoreFiles,
  storeFiles,
  words,
} from '../disk/files.ts'
import type { Entry } from '../disk/journal.ts'
import { ReservedIds } from '../disk/reserved-ids.ts'
import { withReserve } from '../disk/space.ts'
import { openCaptured, unusable } from '../schema/captured.ts'
import { copyDatabase, foldLog, placeDatabase, type SetAside, setAside } from '../sql/open-own.ts'
import { type Batch, splitBatch } from '../wire/record.ts'
import { Captured, orphanUploads } from './captured.ts'
import { Checkpoints } from './checkpoint.ts'
import { type Correction, Corrections } from './corrections.ts'
import { noteAbsence } from './coverage.ts'
import type { Quotas } from './intake.ts'
import { Spill } from './spill.ts'
import { NOTHING_YET, type Outcome, outcomesOf, type WriterPushes, type WriterStatus } from './status.ts'

export interface WriterOptions {
  readonly folder: string
  readonly quotas: Quotas
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Slices of a journal that are read back while opening; a longer one goes on behind, so that listening starts at once. */
const SLICES_AT_OPEN = 4

/** Deliveries go to the database in group commits; when it fails, to the spill journal; when that fails too, they are refused. */
export class Writer {
  readonly #files: StoreFiles
  /** In force from the next opening on. */
  quotas: Quotas
  readonly tell: OneWay<WriterPushes>
  readonly #spill: Spill
  readonly #reserved: ReservedIds
  readonly #corrections = new Corrections()
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
  /** Acuse did not run until then, milliseconds since the epoch; null once the database says so. */
  #absentUntil: number | null = null

  constructor(options: WriterOptions, tell: OneWay<WriterPushes>) {
    this.#files = storeFiles(options.folder)
    this.quotas = options.quotas
    this.tell = tell
    this.#spill = new Spill(options.folder)
    this.#reserved = new ReservedIds(this.#files.reservedIds)
  }

  /** Opens the database; one that cannot be used leaves the writer spilling. @throws AcuseError `store-failed` when no journal can be written */
  open(now: number): SetAside | null {
    this.#absentUntil = now
    let aside: SetAside | null = null
    try {
      aside = this.#openDatabase(now)
      if (!this.#spill.empty) this.#enter('spilling', 'The spill journal is being read back.')
      for (let slice = 0; slice < SLICES_AT_OPEN && this.#state !== 'ok'; slice += 1) this.recover()
    } catch (error) {
      // The journal is read back by the Acuse that wrote the database; a receiver that does not start would lose the deliveries until then.
      if (error instanceof AcuseError && error.code !== 'newer-schema') throw error
      this.#probeJournal(error)
      this.#enter('spilling', words(error))
    }
    return aside
  }

  status(): WriterStatus {
    if (this.#captured) this.#counts = this.#captured.counts()
    return {
      ...this.#counts,
      state: this.#state,
      reason: this.#reason,
      lost: this.#lost,
      spilled: this.#spill.entries,
      unreadJournals: this.#spill.unread,
      reusableBytes: this.#reusable,
    }
  }

  /** One group commit. Each batch gets its outcome, in order. */
  append(batches: readonly Batch[], took: readonly number[]): Outcome[] {
    const split = batches.map(splitBatch)
    const records = split.flat()
    if (this.#state !== 'ok' || !this.#captured || this.#moved()) return this.#spillAll(split, records)
    try {
      const extra = this.#corrections.joining(this.#captured)
      const { ids, problems, evicted } = this.#captured.commit(records, took, extra)
      this.#corrections.joined()
      this.#deleted(evicted, 'evicted')
      this.#afterCommit()
      return outcomesOf(split, ids, problems)
    } catch (error) {
      this.#failed(error)
      return this.#spillAll(split, records)
    }
  }

  /** Stores one piece of a large body. @throws AcuseError `store-failed` when neither database nor journal takes it */
  chunk(upload: string, seq: number, bytes: Uint8Array): void {
    if (this.#state === 'ok' && this.#captured && !this.#moved()) {
      try {
        this.#captured.addChunk(upload, seq, bytes)
        this.#afterCommit()
        return
      } catch (error) {
        this.#failed(error)
      }
    }
    const refused = this.#journal([{ type: 'chunk', upload, seq, bytes: Buffer.from(bytes) }])
    if (refused !== null) throw new AcuseError('store-failed', refused)
  }

  /** Goes into the next commit, or that of the next pause. Resolves when it is written, or given up. */
  correct(correction: Correction): Promise<void> {
    return this.#corrections.add(correction)
  }

  abandon(upload: string): void {
    this.#quietly((captured) => captured.dropChunks(upload))
  }

  /** The database, for what may fail: pins, coverage, deliveries brought back. @throws AcuseError `store-failed` while it cannot be written */
  get captured(): Captured {
    if (!this.#captured || this.#lost || this.#moved())
      throw new AcuseError('store-failed', this.#reason ?? 'The database is not open.')
    return this.#captured
  }

  /** For what must be written also on a full disk: the reserve is given up for it. @throws as `captured`, and what `work` throws */
  record(work: (captured: Captured) => void): void {
    withReserve(this.#files.folder, 'record', () => {
      // A database that has failed is closed; one that found no room opens again with the reserve.
      if (!this.#captured && this.#full) this.#openDatabase(Date.now())
      work(this.captured)
    })
  }

  /** After a transaction that was no arrival's. */
  committed(): void {
    this.#reusable = this.#captured?.reusableBytes() ?? this.#reusable
    this.#checkpoints?.afterCommit()
    this.tell.status(this.status())
  }

  /** Copies a database whose files are gone, from what is still open. Deliveries go to the journal meanwhile. @throws; it may be tried again */
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
    const { highestId } = this.status()
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
    // The database may have been lost before its ids were written down anywhere else.
    this.#reserved.cover(highestId)
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

  /** Call every few seconds while not ok, and again at once as long as it gives true: there is more to read back. */
  recover(): boolean {
    if (this.#state === 'ok' || (this.#lost && !this.#isBack()) || this.#moved()) return false
    try {
      if (!this.#captured) {
        const aside = this.#openDatabase(Date.now())
        if (aside) this.tell.setAside(aside)
        // On a disk that was full, folding the log into the database is what makes room.
        this.#checkpoints?.idle()
      }
      if (!this.#captured) return false
      const { ids, evicted, finished } = this.#spill.replay(this.#captured)
      const [first, last = 0] = [ids.at(0), ids.at(-1)]
      // The highest id must be known before its arrival.
      this.tell.status(this.status())
      if (first !== undefined) this.tell.arrived(first, last)
      this.#deleted(evicted, 'evicted')
      this.#checkpoints?.afterCommit()
      if (finished) this.#enter('ok', null)
      return !finished
    } catch (error) {
      this.#failed(error)
      return false
    }
  }

  /** Call when nothing has arrived for a moment. */
  idle(took: readonly number[]): void {
    this.#quietly((captured) => {
      const extra = this.#corrections.joining(captured)
      if (took.length > 0 || extra) captured.commit([], took, extra)
      this.#corrections.joined()
      const [orphan] = this.#orphans
      if (orphan !== undefined) captured.dropChunks(orphan)
      this.#orphans = this.#orphans.slice(1)
      this.#reusable = captured.reusableBytes()
      this.#checkpoints?.idle()
    })
  }

  close(): void {
    this.#spill.close()
    this.#captured?.close()
    this.#captured = undefined
  }

  #openDatabase(now: number): SetAside | null {
    const { db, setAside: aside } = openCaptured(this.#files.captured, now, this.#reserved.ceiling > 0)
    try {
      this.#captured = new Captured(db, this.#reserved, this.quotas, this.#counts.highestId)
      this.#checkpoints = new Checkpoints(db, () => this.tell.pressure())
      this.#openFiles = new OpenFiles(this.#files.captured)
      // Pieces that a journal's deliveries refer to are no orphans, only early.
      if (this.#spill.allRead) this.#orphans = orphanUploads(this.#captured.statements)
      this.#reusable = this.#captured.reusableBytes()
      this.#noteAbsence()
      return aside
    } catch (error) {
      this.#captured = undefined
      db.close()
      throw error
    }
  }

  /** Only up to when this process began, and once: after trouble with the database the receiver went on into the journal. */
  #noteAbsence(): void {
    if (this.#absentUntil === null || !this.#captured) return
    noteAbsence(this.#captured.statements, this.#absentUntil)
    this.#absentUntil = null
  }

  #deleted(ids: readonly number[], reason: 'evicted'): void {
    if (ids.length === 0 || !this.#captured) return
    this.tell.deleted(ids, this.#captured.deletions, reason)
  }

  /** Deliveries are safe by now; what fails here must not make their senders believe otherwise. */
  #afterCommit(): void {
    try {
      this.#checkpoints?.afterCommit()
    } catch (error) {
      this.#failed(error)
    }
  }

  #quietly(work: (captured: Captured) => void): void {
    if (this.#state !== 'ok' || !this.#captured || this.#moved()) return
    try {
      work(this.#captured)
    } catch (error) {
      if (failureOf(error) !== 'row') this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    this.#full = isFull(error)
    if (this.#moved() || this.#lost === 'moved') return
    if (failureOf(error) === 'damage') this.#lost = 'damaged'
    // While another program holds a lock the connection stays: without it that program could take itself for the only one.
    else if (!isLocked(error)) this.#drop()
    this.#enter(this.#state === 'refusing' ? 'refusing' : 'spilling', words(error))
  }

  /** Looked at before each commit: what goes into files without a name ends with the process. */
  #moved(): boolean {
    const moved = this.#captured && this.#lost === null ? this.#openFiles?.moved() : null
    if (!moved) return false
    this.#lost = 'moved'
    this.#enter(this.#state === 'refusing' ? 'refusing' : 'spilling', moved)
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

  #spillAll(split: readonly Buffer[][], records: readonly Buffer[]): Outcome[] {
    const refused = this.#journal(records.map((record) => ({ type: 'delivery', record })))
    return split.map(() => (refused === null ? { type: 'spilled' } : { type: 'refused', reason: refused }))
  }

  /** @returns why the journal refused, or null */
  #journal(entries: readonly Entry[]): string | null {
    try {
      this.#spill.append(entries)
      if (this.#state === 'refusing') this.#enter('spilling', this.#reason)
      return null
    } catch (error) {
      const reason = `Neither the database (${this.#reason ?? 'closed'}) nor the journal (${words(error)}) can be written.`
      if (this.#state !== 'refusing') this.#enter('refusing', this.#reason)
      return reason
    }
  }

  #probeJournal(cause: unknown): void {
    try {
      this.#spill.append([])
    } catch {
      throw unusable(this.#files.captured, cause)
    }
  }

  #enter(state: StoreState, reason: string | null): void {
    this.#state = state
    this.#reason = reason
    this.tell.status(this.status())
  }
}

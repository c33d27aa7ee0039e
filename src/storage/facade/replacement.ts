import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { messageOf, refused } from '#contract/errors.ts'
import type { Incident } from '#contract/status.ts'
import type { TakenOver } from '#core/mirror.ts'
import type { FileReader } from '#core/ports.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { Checker } from '../checking/checker.ts'
import { DATABASE_SUFFIXES, kindOf, readSmall, replaceFile, type StoreFiles } from '../disk/files.ts'
import { withReserve } from '../disk/space.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import { READABLE, type SetAside } from '../sql/open-own.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { CoverageLog } from './coverage-log.ts'
import type { Notices, Tally } from './notices.ts'
import type { Library } from './threads.ts'

/** Delay before the replacement of a lost database is tried again. */
const AGAIN_MS = 2_000
/** Longest wait for readers to close the files: deliveries wait in the log meanwhile. */
const RELEASE_MS = 3_000

export interface ReplacementParts {
  readonly checker: Checker
  readonly writer: Remote<WriterHandlers>
  readonly library: Library
  readonly incidents: Incidents
  readonly notices: Notices
  readonly coverage: CoverageLog
  readonly analysis: Analysis
  readonly tally: Tally
  readonly now: () => number
}

/** Finds out which database is damaged, and makes all readers close it while it is replaced. */
export class Replacement {
  readonly #parts: ReplacementParts
  readonly #readers = new Set<FileReader>()
  #released = false
  #replacing: Promise<void> | undefined
  #closed = false

  constructor(parts: ReplacementParts) {
    this.#parts = parts
  }

  /** Registers a reader of the store's files outside of the store. @returns a function that removes it */
  addReader(reader: FileReader): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** Lets the other readers reopen the files. Call it when the store's own reader has done so. */
  reopenReaders(): void {
    if (!this.#released) return
    this.#released = false
    for (const reader of this.#readers) reader.reopen()
  }

  /** Saves the readable part of a lost database, makes all readers close it, sets it aside, and opens a fresh one. */
  async replace(reason: string): Promise<void> {
    if (this.#replacing || this.#closed) return
    this.#replacing = this.#replace(reason)
    await this.#replacing
  }

  /** See `Mirror.takeOver`. @param reader starts a separate thread for reading @param mirrored id up to which the fresh database is filed */
  async takeOver(reader: () => Worker, mirrored: () => number): Promise<TakenOver | null> {
    await this.#replacing
    const { incidents, writer, now } = this.#parts
    return takeOver({ incidents, writer, reader, mirrored, now: now() })
  }

  async #replace(reason: string): Promise<void> {
    const { checker, writer, library, now } = this.#parts
    let rebuild = true
    try {
      await checker.cutOff(reason)
      await writer.rescue()
      await this.#release()
      const aside = await writer.replace(now(), reason)
      rebuild = aside !== null && aside.kind !== 'moved'
      if (aside) await this.replaced(aside)
    } catch {
      // Deliveries stay in the log, and the writer reports the loss again each second.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    } finally {
      this.#replacing = undefined
      library.open(rebuild)
    }
  }

  /** Call when another file has taken the database's name. */
  async replaced(aside: SetAside): Promise<void> {
    const { incidents, notices, coverage, analysis, tally } = this.#parts
    incidents.add(aside)
    // A database that was only moved was copied, with its deliveries and its record of coverage.
    if (aside.kind !== 'moved') {
      await coverage.beginAnew()
      analysis.restart()
      tally.restart()
    }
    notices.stateChanged()
    notices.send({ type: 'reset', reason: 'replaced' })
  }

  /** Call when a read met damage. Damage of captured.db needs a replacement; otherwise derived.db is made again. */
  async check(): Promise<void> {
    if (this.#replacing || this.#closed) return
    const { checker, library, notices } = this.#parts
    const found = await checker.checkNow()
    if (found !== null) return this.replace(found)
    await this.#release()
    if (!this.#replacing) library.open(true)
    notices.send({ type: 'reset', reason: 'replaced' })
  }

  close(): void {
    this.#closed = true
  }

  /** Resolves when all readers have closed the files, or after RELEASE_MS: open files only matter on Windows, where the caller retries. */
  async #release(): Promise<void> {
    // The library first: an opening in progress would let the other readers in when it ends.
    await this.#parts.library.release()
    this.#released = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, RELEASE_MS)
    await Promise.race([Promise.allSettled([...this.#readers].map((one) => one.release())), late])
    clearTimeout(timer)
  }
}

/** Number of salvaged deliveries, and their lowest id, from which analysis starts again. */
export interface Salvaged {
  readonly recovered: number
  readonly lowestId: number
}

export interface SalvageParts {
  readonly incidents: Incidents
  readonly writer: Pick<Remote<WriterHandlers>, 'adoptPiece' | 'adopt'>
  /** Starts a separate thread for reading, so that lists do not wait, and the salvage can be cut off at any time. */
  readonly reader: () => Worker
  /** Milliseconds since the epoch. */
  readonly now: number
  onProgress(): void
}

/**
 * Copies from the last database set aside what a shared log does not have. Call it while nothing is filed in the fresh one: afterwards
 * the log may have brought back a change already. @returns null when there is none @throws AcuseError `store-failed` while none is open
 */
export async function takeOver(
  parts: Omit<SalvageParts, 'onProgress' | 'writer'> & {
    readonly writer: Pick<Remote<WriterHandlers>, 'adoptPiece' | 'adopt' | 'adoptUnsent' | 'unsent'>
    mirrored(): number
  },
): Promise<TakenOver | null> {
  const { incidents, writer, now, mirrored } = parts
  const incident = incidents.list().findLast(({ kind }) => kind !== 'moved')
  await writer.unsent(0, 1)
  if (!incident || mirrored() > 0) return null
  const [kept] = incident.setAside
  let [unsent, trashed] = [0, 0]
  if (kept === undefined) return { unsent, trashed, reason: incident.reason }
  const thread = new Thread<ReaderHandlers>({ start: parts.reader, name: 'The thread that salvages' })
  try {
    for await (const step of await thread.call.salvage(damagedAt(kept), true)) {
      for (const piece of step.chunks) await writer.adoptPiece(piece)
      trashed += await writer.adopt(step.rows, now)
      unsent += await writer.adoptUnsent(step.unsent)
    }
    return { unsent, trashed, reason: null }
  } catch (error) {
    return { unsent, trashed, reason: messageOf(error) }
  } finally {
    await thread.close()
  }
}

/** @param kept one of the files set aside */
const damagedAt = (kept: string): string => kept.replace(/-(?:wal|shm)$/, '')

/** Copies the readable deliveries of a database set aside, except those already stored. @throws AcuseError `not-found`, `conflict` */
export async function salvage(at: number, parts: SalvageParts): Promise<Salvaged> {
  const { incidents, writer, now } = parts
  const incident = incidents.find(at)
  const [kept] = incident?.setAside ?? []
  if (!incident || kept === undefined || incident.salvage === 'none')
    throw refused('not-found', 'nothing-set-aside', { at })
  if (incident.salvage === 'running') throw refused('conflict', 'salvage-running', { at })
  incidents.change(at, { salvage: 'running', recovered: 0 })
  const thread = new Thread<ReaderHandlers>({ start: parts.reader, name: 'The thread that salvages' })
  let progress: Salvaged = { recovered: 0, lowestId: Number.MAX_SAFE_INTEGER }
  try {
    for await (const { rows, chunks } of await thread.call.salvage(damagedAt(kept))) {
      for (const piece of chunks) await writer.adoptPiece(piece)
      const recovered = progress.recovered + (await writer.adopt(rows, now))
      progress = { recovered, lowestId: Math.min(progress.lowestId, rows[0]?.id ?? progress.lowestId) }
      incidents.change(at, { recovered })
      parts.onProgress()
    }
    incidents.change(at, { salvage: 'done' })
    return progress
  } catch (error) {
    incidents.change(at, { salvage: 'failed' })
    throw error
  } finally {
    await thread.close()
  }
}

const SET_ASIDE = /^captured\.damaged-(\d+)\.db(?:-wal)?$/

/** The list of databases set aside, in a file outside of any database. */
export class Incidents {
  readonly #files: StoreFiles
  #list: readonly Incident[]

  constructor(files: StoreFiles) {
    this.#files = files
    this.#list = read(files.incidents)
    for (const found of readdirSync(files.folder)) this.#adopt(found)
  }

  list(): readonly Incident[] {
    return this.#list
  }

  find(at: number): Incident | undefined {
    return this.#list.find((incident) => incident.at === at)
  }

  add({ at, kind, reason, files }: SetAside): void {
    const fresh = this.#files.captured
    const salvage = files.some((path) => READABLE.test(path)) ? 'offered' : 'none'
    this.#save([...this.#list, { at, kind, reason, setAside: files, fresh, salvage, recovered: 0 }])
  }

  change(at: number, change: Partial<Pick<Incident, 'salvage' | 'recovered'>>): void {
    this.#save(this.#list.map((incident) => (incident.at === at ? { ...incident, ...change } : incident)))
  }

  /** Adds a database set aside without an entry, as after a crash between the two writes. */
  #adopt(name: string): void {
    const at = Number(SET_ASIDE.exec(name)?.[1])
    if (Number.isNaN(at) || this.find(at)) return
    const stem = join(this.#files.folder, name.replace(/-wal$/, ''))
    const files = DATABASE_SUFFIXES.map((suffix) => stem + suffix).filter(
      (path) => kindOf(path) !== 'nothing',
    )
    this.add({ at, kind: 'damaged', reason: 'It was found set aside; the reason was not recorded.', files })
  }

  /** A full disk must not stop a fresh store from taking over: then the list lasts only until the end of the process. */
  #save(list: readonly Incident[]): void {
    this.#list = list
    try {
      withReserve(this.#files.folder, () =>
        replaceFile(this.#files.incidents, `${JSON.stringify(list, null, 2)}\n`),
      )
    } catch {
      return
    }
  }
}

/** @returns an empty list when it cannot be read: the files are found again by their names */
function read(path: string): readonly Incident[] {
  try {
    const found: unknown = JSON.parse(readSmall(path))
    if (!Array.isArray(found)) return []
    // The user can repeat a salvage that a crash interrupted: the salvaged deliveries keep their ids and are not stored twice.
    return (found as Incident[]).map((one) => ({
      ...one,
      // Version 0.1 had no kinds.
      kind: one.kind ?? 'damaged',
      salvage: one.salvage === 'running' ? 'offered' : one.salvage,
    }))
  } catch {
    return []
  }
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import type { Incident } from '#contract/status.ts'
import type { FileReader } from '#core/ports.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { Checker } from '../checking/checker.ts'
import { DATABASE_SUFFIXES, kindOf, readSmall, replaceFile, type StoreFiles } from '../disk/files.ts'
import { withReserve } from '../disk/space.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { CoverageLog } from './coverage-log.ts'
import type { Notices, Tally } from './notices.ts'
import type { Library } from './threads.ts'

/** Pause before a lost database is tried again. */
const AGAIN_MS = 2_000
/** Deliveries wait in the log meanwhile, so a slow reader must not keep the others waiting. */
const RELEASE_MS = 3_000

export interface ReplacementParts {
  readonly checker: Checker
  readonly writer: Pick<Remote<WriterHandlers>, 'rescue' | 'replace'>
  readonly library: Library
  readonly incidents: Incidents
  readonly notices: Notices
  readonly coverage: CoverageLog
  readonly analysis: Analysis
  readonly tally: Tally
  readonly now: () => number
}

/** Finds out which database is damaged, and has all who read it close it while another takes its place. */
export class Replacement {
  readonly #parts: ReplacementParts
  readonly #readers = new Set<FileReader>()
  #released = false
  #replacing = false
  #closed = false

  constructor(parts: ReplacementParts) {
    this.#parts = parts
  }

  /** Adds a reader of the store's files that is not the store's own. @returns a function that removes it */
  addReader(reader: FileReader): () => void {
    this.#readers.add(reader)
    return () => this.#readers.delete(reader)
  }

  /** The store reads its files again, so the others may. */
  reopenReaders(): void {
    if (!this.#released) return
    this.#released = false
    for (const reader of this.#readers) reader.reopen()
  }

  /** The writer saves what it can of the lost database, all readers close it, the writer sets it aside, and all go on. */
  async replace(reason: string): Promise<void> {
    if (this.#replacing || this.#closed) return
    const { checker, writer, library, now } = this.#parts
    this.#replacing = true
    let rebuild = true
    try {
      await checker.cutOff()
      await writer.rescue()
      await this.#release()
      const aside = await writer.replace(now(), reason)
      rebuild = aside !== null && aside.kind !== 'moved'
      if (aside) await this.replaced(aside)
    } catch {
      // Deliveries stay in the log, and the writer says each second that the database is lost.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    } finally {
      this.#replacing = false
      library.open(rebuild)
    }
  }

  /** Another file has the database's name. */
  async replaced(aside: SetAside): Promise<void> {
    const { incidents, notices, coverage, analysis, tally } = this.#parts
    incidents.add(aside)
    // One that was written anew has its record of listening, and its deliveries.
    if (aside.kind !== 'moved') {
      await coverage.beginAnew()
      analysis.restart()
      tally.restart()
    }
    notices.stateChanged()
    notices.send({ type: 'reset', reason: 'replaced' })
  }

  /** A reading met damage: in captured.db it calls for a fresh store, else derived.db is made again. */
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

  /** Resolves when all have closed the files, or have had their time: on most systems it does not matter, and elsewhere it is tried again. */
  async #release(): Promise<void> {
    // In this order: an opening that is still under way ends first, and lets the other readers in.
    await this.#parts.library.release()
    this.#released = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, RELEASE_MS)
    await Promise.race([Promise.allSettled([...this.#readers].map((one) => one.release())), late])
    clearTimeout(timer)
  }
}

/** What was brought back, and the smallest id among it, from which on analysis starts again. */
export interface Salvaged {
  readonly recovered: number
  readonly lowestId: number
}

export interface SalvageParts {
  readonly incidents: Incidents
  readonly writer: Pick<Remote<WriterHandlers>, 'adoptPiece' | 'adopt'>
  /** A thread of its own reads: the list must not wait for it, and it can be cut off at any time. */
  readonly reader: () => Worker
  /** Milliseconds since the epoch. */
  readonly now: number
  onProgress(): void
}

/** Brings back what can be read of a database set aside; what is there is not taken twice. @throws AcuseError `not-found`, `conflict` */
export async function salvage(at: number, parts: SalvageParts): Promise<Salvaged> {
  const { incidents, writer, now } = parts
  const incident = incidents.find(at)
  const [kept] = incident?.setAside ?? []
  if (!incident || kept === undefined || incident.salvage === 'none')
    throw new AcuseError('not-found', `No database was set aside at ${at}.`, { at })
  if (incident.salvage === 'running')
    throw new AcuseError('conflict', 'It is being salvaged already.', { at })
  incidents.change(at, { salvage: 'running', recovered: 0 })
  const damaged = kept.replace(/-(?:wal|shm)$/, '')
  const thread = new Thread<ReaderHandlers>({ start: parts.reader, name: 'The thread that salvages' })
  let progress: Salvaged = { recovered: 0, lowestId: Number.MAX_SAFE_INTEGER }
  try {
    for await (const { rows, chunks } of await thread.call.salvage(damaged)) {
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
/** Deliveries can lie in these; the -shm is an index into the -wal. */
const READABLE = /\.db(?:-wal)?$/

/** The databases set aside, remembered outside of any database. */
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

  /** A crash may have come between setting a database aside and writing that down. */
  #adopt(name: string): void {
    const at = Number(SET_ASIDE.exec(name)?.[1])
    if (Number.isNaN(at) || this.find(at)) return
    const stem = join(this.#files.folder, name.replace(/-wal$/, ''))
    const files = DATABASE_SUFFIXES.map((suffix) => stem + suffix).filter(
      (path) => kindOf(path) !== 'nothing',
    )
    this.add({ at, kind: 'damaged', reason: 'It was found set aside; the reason was not recorded.', files })
  }

  /** A full disk must not keep a fresh store from taking over: the list is then only remembered until the end of the process. */
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

/** None where the list cannot be read: files set aside are found again by their names. */
function read(path: string): readonly Incident[] {
  try {
    const found: unknown = JSON.parse(readSmall(path))
    if (!Array.isArray(found)) return []
    // A salvage that a crash interrupted can be asked for again: what it brought back already keeps its id and is not taken twice.
    return (found as Incident[]).map((one) => ({
      ...one,
      // Version 0.1 knew one kind only.
      kind: one.kind ?? 'damaged',
      salvage: one.salvage === 'running' ? 'offered' : one.salvage,
    }))
  } catch {
    return []
  }
}

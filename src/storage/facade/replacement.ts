import type { Worker } from 'node:worker_threads'
import { AcuseError } from '#contract/errors.ts'
import type { FileReader } from '#core/ports.ts'
import { type Remote, Thread } from '#threads/thread.ts'
import type { Checker } from '../checking/checker.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { CoverageLog } from './coverage-log.ts'
import type { Incidents } from './incidents.ts'
import type { Notices, Tally } from './notices.ts'
import type { Library } from './threads.ts'

/** Pause before a lost database is tried again. */
const AGAIN_MS = 2_000
/** Deliveries lie in the journal meanwhile, so a slow reader must not keep the others waiting. */
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
      // The writer stays in the journal, and says each second that the database is lost.
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
  readonly writer: Pick<Remote<WriterHandlers>, 'chunk' | 'adopt'>
  /** A thread of its own reads: the list must not wait for it, and it can be cut off at any time. */
  readonly reader: () => Worker
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Called after each step. */
  onProgress(): void
}

/**
 * Brings back what can be read of a database set aside, and puts what was in its trash into the trash. A delivery that is there is not
 * taken twice, so it can be called again.
 * @param at names the incident
 * @throws AcuseError `not-found`, `conflict`; SQLite's error when nothing can be read
 */
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
      for (const { upload, seq, bytes } of chunks) await writer.chunk(upload, seq, bytes)
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

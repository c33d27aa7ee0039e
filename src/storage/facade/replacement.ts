import type { FileReader } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { Checker } from '../checking/checker.ts'
import type { Incidents } from '../incidents.ts'
import type { SetAside } from '../sql/open-own.ts'
import type { WriterHandlers } from '../writer/worker.ts'
import type { Analysis } from './analysis.ts'
import type { CoverageLog } from './coverage-log.ts'
import type { Library } from './library.ts'
import type { Notices } from './notices.ts'
import type { Tally } from './tally.ts'

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

import type { CoverageSpan, CoverageState } from '#contract/status.ts'
import type { Coverage } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'

/** A crash leaves a stretch that ends at most this long before it. */
const BEAT_MS = 5_000
/** A beat that comes this much too late while the process lives: the machine slept. */
const ASLEEP_MS = 15_000

export interface CoverageParts {
  readonly writer: Pick<Remote<WriterHandlers>, 'cover' | 'beat'>
  readonly reader: Pick<Remote<ReaderHandlers>, 'coverage'>
  now(): number
}

/** Keeps the record of when the receiver was really listening. What the database cannot take now is written with a later beat. */
export class CoverageLog implements Coverage {
  readonly #parts: CoverageParts
  readonly #timer: NodeJS.Timeout
  #lastBeat: number
  #state: CoverageState | undefined
  /** The present state has lasted since then, awake all the time. */
  #since = 0
  #writing: Promise<boolean> = Promise.resolve(true)
  #unwritten: { readonly state: CoverageState; readonly at: number }[] = []

  constructor(parts: CoverageParts) {
    this.#parts = parts
    this.#lastBeat = parts.now()
    this.#timer = setInterval(() => void this.beat(), BEAT_MS).unref()
  }

  async enter(state: CoverageState): Promise<void> {
    this.#state = state
    this.#since = this.#parts.now()
    this.#unwritten.push({ state, at: this.#since })
    await this.#write()
  }

  /** A fresh database has no record: the present stretch, which is known without it, is written into it. */
  async beginAnew(): Promise<void> {
    const state = this.#state
    if (state === undefined) return
    if (!this.#unwritten.some((entry) => entry.at === this.#since))
      this.#unwritten.push({ state, at: this.#since })
    await this.#write()
  }

  /** Called by the timer; the end of the present stretch moves up to now. */
  async beat(): Promise<void> {
    const now = this.#parts.now()
    const since = this.#lastBeat
    this.#lastBeat = now
    if (this.#state === undefined || !(await this.#write())) return
    const slept = now - since > ASLEEP_MS
    if (slept) this.#since = now
    await this.#parts.writer.beat(now, slept ? since : null).catch(() => undefined)
  }

  async list(from: number, to: number, recorded = false): Promise<CoverageSpan[]> {
    const spans = await this.#parts.reader.coverage(from, to, recorded)
    const now = this.#parts.now()
    const clipped = spans.map((span, index) => {
      // The present stretch goes on, whenever its last beat was.
      const end = index === spans.length - 1 && span.state === this.#state ? Math.max(span.to, now) : span.to
      return { ...span, from: Math.max(span.from, from), to: Math.min(end, to) }
    })
    return clipped.filter((span) => span.to > span.from)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#state !== undefined && this.#state !== 'off') await this.enter('off')
  }

  /** One at a time, so that no entry is written twice. @returns whether everything could be written */
  #write(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeAll())
    return this.#writing
  }

  async #writeAll(): Promise<boolean> {
    for (;;) {
      const [entry] = this.#unwritten
      if (!entry) return true
      try {
        await this.#parts.writer.cover(entry.state, entry.at)
      } catch {
        // It stays in line, and is written before the next entry.
        return false
      }
      this.#unwritten = this.#unwritten.filter((one) => one !== entry)
    }
  }
}

import { uptime } from 'node:os'
import type { CoverageSpan, CoverageState } from '#contract/status.ts'
import type { Coverage } from '#core/ports.ts'
import type { Remote } from '#threads/thread.ts'
import type { ReaderHandlers } from '../reader/worker.ts'
import type { WriterHandlers } from '../writer/worker.ts'

/** Interval of beats: after a crash, the record ends at most this long before the crash. */
const BEAT_MS = 5_000
/** Time since the last beat from which the machine must have slept. */
const ASLEEP_MS = 15_000

export interface CoverageParts {
  readonly writer: Pick<Remote<WriterHandlers>, 'cover' | 'beat' | 'clockBack' | 'replaceCoverage'>
  readonly reader: Pick<Remote<ReaderHandlers>, 'coverage'>
  now(): number
}

/** Records when the receiver was really listening. If the database fails, a later beat writes the entries. */
export class CoverageLog implements Coverage {
  readonly #parts: CoverageParts
  readonly #timer: NodeJS.Timeout
  #lastBeat: number
  /** `uptime` of the last beat, which counts a sleep of the machine, but not a change of its clock. */
  #lastUptime = uptime()
  /** The last time that the clock was set ahead. */
  #ahead: { readonly from: number; readonly to: number } | undefined
  #state: CoverageState | undefined
  /** Start of the current state, or the last wake-up of the machine. */
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

  /** Writes the current span into a fresh database, which has no record. */
  async beginAnew(): Promise<void> {
    const state = this.#state
    if (state === undefined) return
    if (!this.#unwritten.some((entry) => entry.at === this.#since))
      this.#unwritten.push({ state, at: this.#since })
    await this.#write()
  }

  async beat(): Promise<void> {
    const [now, running] = [this.#parts.now(), uptime()]
    const since = this.#lastBeat
    const passed = (running - this.#lastUptime) * 1_000
    this.#lastBeat = now
    this.#lastUptime = running
    if (this.#state === undefined || !(await this.#write())) return
    const ahead = this.#ahead
    if (ahead && ahead.from <= now && now < ahead.to) return this.#setBack(ahead.to, this.#state)
    const slept = now - since > ASLEEP_MS
    if (slept) {
      this.#since = now
      if (passed < ASLEEP_MS) this.#ahead = { from: since, to: now }
    }
    await this.#parts.writer.beat(now, slept ? since : null).catch(() => undefined)
  }

  /** The clock was set back from `ahead`, so what looked like a sleep until then was none. */
  async #setBack(ahead: number, state: CoverageState): Promise<void> {
    try {
      await this.#parts.writer.clockBack(ahead)
    } catch {
      // The next beat tries again.
      return
    }
    this.#ahead = undefined
    await this.enter(state)
  }

  async list(from: number, to: number, recorded = false): Promise<CoverageSpan[]> {
    const spans = await this.#parts.reader.coverage(from, to, recorded)
    const now = this.#parts.now()
    const clipped = spans.map((span, index) => {
      // The current span lasts until now, whenever its last beat was.
      const end = index === spans.length - 1 && span.state === this.#state ? Math.max(span.to, now) : span.to
      return { ...span, from: Math.max(span.from, from), to: Math.min(end, to) }
    })
    return clipped.filter((span) => span.to > span.from)
  }

  mirror(spans: readonly CoverageSpan[]): Promise<void> {
    return this.#parts.writer.replaceCoverage(spans)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#state !== undefined && this.#state !== 'off' && this.#state !== 'update')
      await this.enter('off')
  }

  /** Writes are serialized, so that no entry is written twice. @returns false when an entry could not be written */
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
        // The entry stays in the queue, before later ones.
        return false
      }
      this.#unwritten = this.#unwritten.filter((one) => one !== entry)
    }
  }
}

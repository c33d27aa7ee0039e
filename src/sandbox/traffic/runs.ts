import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { messageOf } from '../domain/refusal.ts'
import type { ScenarioStep } from '../scenarios/stage.ts'

/** The state of one call that makes events; its deliveries stand in the log under `run`. */
export interface Run {
  readonly run: string
  /** Still making events. */
  readonly running: boolean
  /** Events made so far. */
  readonly events: number
  /** Deliveries that wait or are under way. */
  readonly pending: number
  /** Why it ended early, in English and as a stable code. */
  readonly error: string | null
  readonly reason: 'stopped' | 'failed' | null
}

type Kept = Omit<Run, 'run' | 'pending'>

/** As long as others may be kept waiting for the thread. */
const SLICE_MS = 10
/** Older ones are forgotten; the log still has their deliveries. */
const MOST_KEPT = 1_000

/** Makes the events of calls and scenarios, and tells how far they are. */
export class Runs {
  readonly #dispatcher: Dispatcher
  readonly #kept = new Map<string, Kept>()

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  get(run: string): Run | undefined {
    const kept = this.#kept.get(run)
    return kept && { run, ...kept, pending: this.#dispatcher.pendingOf(run) }
  }

  /** Dispatches events that have been made. @returns the run they stand under */
  submit(events: readonly SandboxEvent[]): string {
    const run = randomUUID()
    for (const event of events) this.#dispatcher.submit(event, { run })
    this.#keep(run, { running: false, events: events.length, error: null, reason: null })
    return run
  }

  /**
   * Takes the steps of a scenario one after the other and dispatches their events, no faster than the quickest receiver takes them.
   * @returns the run, and a promise for its end; it never rejects
   */
  play(steps: Iterable<ScenarioStep>): { readonly run: string; readonly ended: Promise<Run | undefined> } {
    const run = randomUUID()
    this.#keep(run, { running: true, events: 0, error: null, reason: null })
    return { run, ended: this.#play(run, steps) }
  }

  /** Ends the making of events; those made are delivered. */
  stop(run: string): void {
    const kept = this.#kept.get(run)
    if (kept?.running) this.#kept.set(run, { ...kept, running: false, error: 'stopped', reason: 'stopped' })
  }

  stopAll(): void {
    for (const run of this.#kept.keys()) this.stop(run)
  }

  async #play(run: string, steps: Iterable<ScenarioStep>): Promise<Run | undefined> {
    try {
      let since = performance.now()
      for (const { events, outage } of steps) {
        for (const event of events) this.#dispatcher.submit(event, { run, outage })
        this.#change(run, (kept) => ({ ...kept, events: kept.events + events.length }))
        if (performance.now() - since < SLICE_MS) continue
        await turn()
        await this.#dispatcher.room()
        if (!this.#kept.get(run)?.running) break
        since = performance.now()
      }
      this.#change(run, (kept) => ({ ...kept, running: false }))
    } catch (error) {
      const message = messageOf(error)
      this.#change(run, (kept) => ({ ...kept, running: false, error: message, reason: 'failed' }))
    }
    return this.get(run)
  }

  #change(run: string, how: (kept: Kept) => Kept): void {
    const kept = this.#kept.get(run)
    if (kept) this.#kept.set(run, how(kept))
  }

  #keep(run: string, kept: Kept): void {
    this.#kept.set(run, kept)
    if (this.#kept.size <= MOST_KEPT) return
    for (const [old, { running }] of this.#kept)
      if (!running) {
        this.#kept.delete(old)
        return
      }
  }
}

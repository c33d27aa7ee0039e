import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { SandboxRun, SandboxTraffic, SandboxTrafficSettings } from '#contract/sandbox.ts'
import { chance } from '../data/random.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { SandboxEvent } from '../domain/records.ts'
import { failureOf } from '../domain/refusal.ts'
import type { ScenarioStep } from '../scenarios/business.ts'
import type { World } from '../world/world.ts'

const ENDS = {
  stopped: 'stopped',
  restarted: 'started anew',
  time: 'the time is over',
  done: 'all events are made',
  reset: 'the sandbox was reset',
  closed: 'the sandbox was stopped',
} as const
type TrafficEnd = keyof typeof ENDS

const TICK_MS = 20
/** Most events that one tick makes up for after a pause of the process. */
const MOST_PER_TICK = 100

/** Weights of a working day: mostly invoices with the tax authority's answers, some of each other kind. */
export const USUAL_MIX: SandboxTrafficSettings['mix'] = Object.fromEntries(
  KINDS.map(({ kind, group }) => [kind, kind === 'factura.created' ? 30 : group === 'dgii' ? 8 : 2]),
)

const AT_FIRST = { made: 0, ended: null, reason: null, failure: null }

export class Traffic {
  readonly #world: World
  readonly #dispatcher: Dispatcher
  #timer: NodeJS.Timeout | undefined
  #state: SandboxTraffic = { running: false, settings: null, ...AT_FIRST }

  constructor(world: World, dispatcher: Dispatcher) {
    this.#world = world
    this.#dispatcher = dispatcher
  }

  state(): SandboxTraffic {
    return this.#state
  }

  start(settings: SandboxTrafficSettings): SandboxTraffic {
    this.stop('restarted')
    const drawn = drawing(settings)
    const began = performance.now()
    let owed = 0
    let last = began
    let busy = false
    this.#state = { running: true, settings, ...AT_FIRST }
    this.#timer = setInterval(() => {
      const now = performance.now()
      owed = Math.min(owed + ((now - last) * settings.rate) / 1_000, MOST_PER_TICK)
      last = now
      if (now - began > settings.seconds * 1_000) this.stop('time')
      if (busy) return
      busy = true
      void this.#dispatcher.room().then(() => {
        busy = false
        while (owed >= 1 && this.#state.running) owed -= this.#make(drawn, settings)
      })
    }, TICK_MS)
    return this.#state
  }

  stop(reason: TrafficEnd = 'stopped'): SandboxTraffic {
    return this.#end(reason, ENDS[reason])
  }

  #end(reason: SandboxTraffic['reason'], ended: string, failure: string | null = null): SandboxTraffic {
    clearInterval(this.#timer)
    if (this.#state.running) this.#state = { ...this.#state, running: false, ended, reason, failure }
    return this.#state
  }

  /** Makes the next chain of events and submits the kinds that are in the mix. @returns the number of submitted events, 1 after a failure */
  #make(drawn: (n: number) => Kind, { mix, count }: SandboxTrafficSettings): number {
    const { made } = this.#state
    try {
      const events = this.#world
        .live(drawn(made))
        .filter(({ kind }) => mix[kind])
        .slice(0, count - made)
      for (const event of events) this.#dispatcher.submit(event, { run: null })
      this.#state = { ...this.#state, made: made + events.length }
      if (made + events.length >= count) this.stop('done')
      return events.length
    } catch (error) {
      const { message, code } = failureOf(error)
      this.#end('failed', message, code)
      return 1
    }
  }
}

function drawing({ mix, seed }: SandboxTrafficSettings): (n: number) => Kind {
  const weights = KINDS.flatMap(({ kind }) => (mix[kind] ? [{ kind, weight: mix[kind] }] : []))
  const total = weights.reduce((sum, { weight }) => sum + weight, 0)
  return (n) => {
    let at = chance(seed, 'traffic', n) * total
    for (const { kind, weight } of weights) {
      at -= weight
      if (at < 0) return kind
    }
    return weights.at(-1)?.kind ?? 'factura.created'
  }
}

type Kept = Omit<SandboxRun, 'run' | 'pending'>
const AS_USUAL = { error: null, reason: null, failure: null }

/** Longest time in which a run keeps the thread. */
const SLICE_MS = 10
/** Runs kept in memory. The oldest ended run is dropped; the log still has its deliveries. */
const MOST_KEPT = 1_000

export class Runs {
  readonly #dispatcher: Dispatcher
  readonly #kept = new Map<string, Kept>()

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  get(run: string): SandboxRun | undefined {
    const kept = this.#kept.get(run)
    return kept && { run, ...kept, pending: this.#dispatcher.pendingOf(run) }
  }

  submit(events: readonly SandboxEvent[]): string {
    const run = randomUUID()
    for (const event of events) this.#dispatcher.submit(event, { run })
    this.#keep(run, { running: false, events: events.length, ...AS_USUAL })
    return run
  }

  /**
   * Plays a scenario no faster than the fastest receiver accepts its events.
   * @returns the run's id, and a promise of its end, which never rejects
   */
  play(steps: Iterable<ScenarioStep>): {
    readonly run: string
    readonly ended: Promise<SandboxRun | undefined>
  } {
    const run = randomUUID()
    this.#keep(run, { running: true, events: 0, ...AS_USUAL })
    return { run, ended: this.#play(run, steps) }
  }

  /** Stops a run from making events; those already made are still delivered. */
  stop(run: string): void {
    const kept = this.#kept.get(run)
    if (kept?.running) this.#kept.set(run, { ...kept, running: false, error: 'stopped', reason: 'stopped' })
  }

  stopAll(): void {
    for (const run of this.#kept.keys()) this.stop(run)
  }

  async #play(run: string, steps: Iterable<ScenarioStep>): Promise<SandboxRun | undefined> {
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
      const { message, code } = failureOf(error)
      const failed = { running: false, error: message, reason: 'failed', failure: code } as const
      this.#change(run, (kept) => ({ ...kept, ...failed }))
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

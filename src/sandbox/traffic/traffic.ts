import { KINDS, type Kind } from '#catalog/kinds.ts'
import { chance } from '../data/random.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { messageOf } from '../domain/refusal.ts'
import type { World } from '../world/world.ts'

export interface TrafficSettings {
  /** Events per second. */
  readonly rate: number
  /** Weight of each kind, with what must have come before it where that has a weight too; those not named do not come. */
  readonly mix: Readonly<Partial<Record<Kind, number>>>
  readonly seed: number
  /** Ends by itself after so many events, and after so many seconds. */
  readonly count: number
  readonly seconds: number
}

export interface TrafficState {
  readonly running: boolean
  readonly settings: TrafficSettings | null
  /** Events made since the start. */
  readonly made: number
  /** Why it ended, in English and as a stable code; null while it runs or when it never ran. */
  readonly ended: string | null
  readonly reason: TrafficEnd | 'failed' | null
}

/** Why the generator ended. */
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
/** After a pause of the process, what was missed is not caught up in one go. */
const MOST_PER_TICK = 100

/** A working day: mostly invoices with the tax authority's answers, now and then everything else. */
export const USUAL_MIX: TrafficSettings['mix'] = Object.fromEntries(
  KINDS.map(({ kind, group }) => [kind, kind === 'factura.created' ? 30 : group === 'dgii' ? 8 : 2]),
)

/** Makes events at a rate, until it is stopped. */
export class Traffic {
  readonly #world: World
  readonly #dispatcher: Dispatcher
  #timer: NodeJS.Timeout | undefined
  #state: TrafficState = { running: false, settings: null, made: 0, ended: null, reason: null }

  constructor(world: World, dispatcher: Dispatcher) {
    this.#world = world
    this.#dispatcher = dispatcher
  }

  state(): TrafficState {
    return this.#state
  }

  /** Starts, in place of what may be running. */
  start(settings: TrafficSettings): TrafficState {
    this.stop('restarted')
    const drawn = drawing(settings)
    const began = performance.now()
    let owed = 0
    let last = began
    let busy = false
    this.#state = { running: true, settings, made: 0, ended: null, reason: null }
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

  stop(reason: TrafficEnd = 'stopped'): TrafficState {
    return this.#end(reason, ENDS[reason])
  }

  #end(reason: TrafficState['reason'], ended: string): TrafficState {
    clearInterval(this.#timer)
    if (this.#state.running) this.#state = { ...this.#state, running: false, ended, reason }
    return this.#state
  }

  /** One more life, as far as its kinds are in the mix: an invoice is created before it is accepted. @returns how many events it had */
  #make(drawn: (n: number) => Kind, { mix, count }: TrafficSettings): number {
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
      this.#end('failed', messageOf(error))
      return 1
    }
  }
}

function drawing({ mix, seed }: TrafficSettings): (n: number) => Kind {
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

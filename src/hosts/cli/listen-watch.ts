import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryRow } from '#contract/delivery.ts'
import type { AttemptRow, ForwardLane } from '#contract/replay.ts'
import { AttemptFollower } from './attempt-follower.ts'
import type { ListenScreen } from './listen-screen.ts'
import { type Fate, neverForwarded } from './listen-text.ts'
import type { Reached } from './reach.ts'

/** It looks instead of subscribing: a subscriber makes the engine read every row again, and could be told too little under a burst. */
const LOOK_MS = 100
/** How long an event waits for the target's answer before its line is printed without it. */
const TOGETHER_MS = 1_000
/** More events than this do not wait: a burst must not be kept in memory. */
const MOST_WAITING = 2_000
const PAGE = 500
const LANES_MS = 1_000
const JUDGED = 'verdict:>=valid'

export interface WatchPlan {
  readonly filter: string
  /** The forward whose attempts are shown; null when nothing is forwarded. */
  readonly forward: string | null
  readonly whenDown: 'queue' | 'drop'
  /** Deliveries up to this id are left out. */
  readonly after: number
}

interface Waiting {
  readonly row: DeliveryRow
  /** By the clock of `performance`. */
  readonly until: number
}

/** Shows deliveries once they are judged, and what a forward's target answered. What it holds does not grow with their number. */
export class ListenWatch {
  readonly #call: Reached['call']
  readonly #plan: WatchPlan
  readonly #screen: ListenScreen
  readonly #say: (sentence: string) => void
  readonly #attempts: AttemptFollower | null
  readonly #waiting = new Map<number, Waiting>()
  /** Answered before its delivery was read here. */
  readonly #early = new Map<number, AttemptRow>()
  #after: number
  #lane: ForwardLane | undefined
  #lanesAt = 0

  constructor(call: Reached['call'], plan: WatchPlan, screen: ListenScreen, say: (sentence: string) => void) {
    this.#call = call
    this.#plan = plan
    this.#screen = screen
    this.#say = say
    this.#after = plan.after
    this.#attempts = plan.forward === null ? null : new AttemptFollower(call, { forward: plan.forward })
  }

  /** Shows what comes until `stop` resolves, then the rest of what has come. */
  async run(stop: Promise<void>): Promise<void> {
    let stopping = false
    const stopped = stop.then(() => {
      stopping = true
    })
    while (!stopping) {
      await this.#look()
      await Promise.race([pause(LOOK_MS), stopped])
    }
    await this.#look()
    for (const [id] of this.#waiting) await this.#showWaiting(id)
  }

  async #look(): Promise<void> {
    await this.#readEvents()
    await this.#readAttempts()
    await this.#readLane()
    const now = performance.now()
    for (const [id, { until }] of this.#waiting)
      if (until <= now || this.#waiting.size > MOST_WAITING) await this.#showWaiting(id)
  }

  async #readEvents(): Promise<void> {
    const { filter } = this.#plan
    // A filter asks for what analysis found, and analysis goes in order: up to the newest one judged, all are.
    const [newest] = (
      await this.#call('deliveries.scan', { filter: JUDGED, after: null, limit: 1, newest: true })
    ).rows
    const upto = newest?.id ?? 0
    // Another database took over: its ids begin anew.
    if (upto < this.#after && (await newestDelivery(this.#call)) < this.#after) this.#after = 0
    while (this.#after < upto) {
      const { rows } = await this.#call('deliveries.scan', { filter, after: this.#after, limit: PAGE })
      for (const row of rows) if (row.id <= upto) await this.#take(row)
      this.#after = rows.length < PAGE ? upto : Math.min(upto, rows.at(-1)?.id ?? upto)
      if (rows.length === PAGE) await this.#readAttempts()
    }
    // What the filter does not select was not forwarded for us to show.
    for (const id of this.#early.keys()) if (id <= this.#after) this.#early.delete(id)
  }

  async #take(row: DeliveryRow): Promise<void> {
    const why = neverForwarded(row)
    if (this.#attempts === null) await this.#screen.event(row, { type: 'printed' })
    else if (why !== null) await this.#screen.event(row, { type: 'never', why })
    else if (!this.#screen.together) await this.#screen.event(row, { type: 'waiting' })
    else {
      const early = this.#early.get(row.id)
      if (early === undefined) this.#waiting.set(row.id, { row, until: performance.now() + TOGETHER_MS })
      else await this.#screen.event(row, { type: 'attempt', attempt: early })
      this.#early.delete(row.id)
    }
  }

  async #readAttempts(): Promise<void> {
    for (let more = this.#attempts !== null; more; ) {
      const page = await this.#attempts?.ended()
      for (const attempt of page?.attempts ?? []) await this.#answered(attempt)
      more = page?.more ?? false
    }
  }

  async #answered(attempt: AttemptRow): Promise<void> {
    const id = attempt.deliveryId
    const waiting = this.#waiting.get(id)
    if (waiting) {
      this.#waiting.delete(id)
      await this.#screen.event(waiting.row, { type: 'attempt', attempt })
    } else if (this.#screen.together && id > this.#after) this.#early.set(id, attempt)
    else await this.#screen.attempt(attempt)
  }

  async #showWaiting(id: number): Promise<void> {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    const gone = this.#plan.whenDown === 'drop' && this.#lane?.state === 'down'
    const fate: Fate = { type: gone ? 'dropped' : 'waiting' }
    if (waiting) await this.#screen.event(waiting.row, fate)
  }

  /** Says when the target goes away and comes back: the events that wait for it say nothing of it. */
  async #readLane(): Promise<void> {
    if (this.#plan.forward === null || performance.now() < this.#lanesAt) return
    this.#lanesAt = performance.now() + LANES_MS
    const lane = await laneOf(this.#call, this.#plan.forward)
    const before = this.#lane
    this.#lane = lane
    if (!lane || before?.state === lane.state) return
    const what =
      this.#plan.whenDown === 'queue' ? 'What comes is kept for it, in order.' : 'What comes is dropped.'
    if (lane.state === 'down')
      this.#say(
        `${lane.target} cannot be reached${lane.lastError ? `: ${lane.lastError.message}` : '.'} ${what}`,
      )
    else if (lane.state === 'refused')
      this.#say(lane.lastError?.message ?? `Nothing is sent to ${lane.target}: it is not allowed.`)
    else if (lane.state === 'stalled') this.#say(`Forwarding waits: ${lane.stall?.message}`)
    else if (before?.state === 'stalled') this.#say('Forwarding goes on.')
    else if (before?.state === 'down') this.#say(`${lane.target} can be reached again.`)
  }
}

/** The queue of a forward that has one target; undefined when it is not there any more. */
export async function laneOf(call: Reached['call'], forward: string): Promise<ForwardLane | undefined> {
  const { forwards } = await call('forwards.list', {})
  return forwards.find(({ name }) => name === forward)?.lanes[0]
}

/** Highest id of a delivery; 0 when there are none. */
export async function newestDelivery(call: Reached['call']): Promise<number> {
  const { rows } = await call('deliveries.scan', { filter: '', after: null, limit: 1, newest: true })
  return rows[0]?.id ?? 0
}

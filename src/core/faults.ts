import type { DeliveryRow } from '#contract/delivery.ts'
import { badParam, refused } from '#contract/errors.ts'
import type { Fault, FaultEffect, FaultRule } from '#contract/faults.ts'
import { matches } from './filter/matches.ts'
import { compileOpened, type Opened } from './filter/opened.ts'
import { readFilter } from './filter/read.ts'
import { type Filter, mentions } from './filter/tree.ts'
import { Listeners } from './listeners.ts'
import type { Clock } from './ports.ts'

export interface FaultCandidate {
  readonly endpoint: string
  /** @param judged includes the results of analysis; requested only when a filter needs them, since analysis is costly */
  row(judged: boolean): DeliveryRow
  opened(): Opened
}

interface Held {
  readonly rule: FaultRule
  readonly id: number
  readonly filter: Filter
  readonly judging: boolean
  readonly draw: () => number
  matched: number
  applied: number
}

/** Timers beyond 24 days fire at once, and a changed system clock must be noticed. */
const CHECK_MS = 60_000

export class FaultBook {
  readonly #clock: Clock
  readonly #changed = new Listeners()
  readonly onChange = this.#changed.add
  #held: Held[] = []
  #lastId = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  list(): readonly Fault[] {
    this.#expire()
    return this.#held.map(({ rule, id, matched, applied }) => ({ ...rule, id, matched, applied }))
  }

  /** Cheap: called for every delivery. */
  active(): boolean {
    return this.#held.length > 0
  }

  /**
   * Adds a rule. With the `id` of an ended rule, restores it at its old position.
   * @throws AcuseError `bad-filter` for a filter that cannot be decided from one delivery alone, `bad-params`, `conflict`
   */
  add({ id: former, ...rule }: FaultRule & { readonly id?: number }): readonly Fault[] {
    const filter = readFilter(rule.filter)
    if (!decidable(filter)) throw refused('bad-filter', 'fault-filter', { path: 'filter' })
    if (rule.until !== null && rule.until <= this.#clock.now())
      throw badParam('until', 'until: this time is past, so the rule would never be in force.')
    const id = this.#idFor(former)
    const counts = { matched: 0, applied: 0 }
    const held = { rule, id, filter, judging: needsJudging(filter), ...counts, draw: seeded(rule.seed) }
    this.#become([...this.#held, held].toSorted((a, b) => a.id - b.id))
    return this.list()
  }

  #idFor(former: number | undefined): number {
    if (former === undefined) return ++this.#lastId
    if (former > this.#lastId)
      throw badParam('id', `id: there never was a fault rule ${former}; leave it out for a new one.`)
    if (this.#held.some(({ id }) => id === former))
      throw refused('conflict', 'fault-in-force', { id: former })
    return former
  }

  /** @throws AcuseError `not-found` */
  remove(id: number): readonly Fault[] {
    this.#expire()
    if (!this.#held.some((held) => held.id === id)) throw refused('not-found', 'no-fault', { id })
    this.#become(this.#held.filter((held) => held.id !== id))
    return this.list()
  }

  clear(): readonly Fault[] {
    this.#become([])
    return []
  }

  /** Ends every rule without notifying listeners, since the host is closing. */
  close(): void {
    this.#changed.clear()
    this.clear()
  }

  /** The effect of the first rule whose conditions and probability apply; null for none. */
  decide(candidate: FaultCandidate): FaultEffect | null {
    this.#expire()
    let row: DeliveryRow | undefined
    let judged = false
    let opened: Opened | undefined
    for (const held of this.#held) {
      const { rule } = held
      if (rule.endpoint !== null && rule.endpoint !== candidate.endpoint) continue
      if (row === undefined || (held.judging && !judged)) {
        judged = held.judging
        row = candidate.row(judged)
      }
      const holds = matches(held.filter, row, (leaf) => {
        opened ??= candidate.opened()
        return compileOpened(leaf)(opened)
      })
      if (holds !== true) continue
      held.matched++
      const taken = held.draw() < rule.probability
      if (taken) held.applied++
      if (held.matched === rule.next) this.#become(this.#held.filter((other) => other !== held))
      else this.#changed.tell()
      if (taken) return rule.effect
    }
    return null
  }

  #expire(): void {
    const now = this.#clock.now()
    const inForce = ({ rule }: Held) => rule.until === null || now < rule.until
    if (!this.#held.every(inForce)) this.#become(this.#held.filter(inForce))
  }

  #become(held: Held[]): void {
    this.#held = held
    this.#await()
    this.#changed.tell()
  }

  #await(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const ends = this.#held.flatMap(({ rule }) => rule.until ?? [])
    if (ends.length === 0) return
    const wait = Math.max(0, Math.min(...ends) - this.#clock.now())
    this.#timer = setTimeout(
      () => {
        this.#expire()
        this.#await()
      },
      Math.min(wait, CHECK_MS),
    )
  }
}

/** Facts known before analysis. */
const EARLY: ReadonlySet<string> = new Set(['rejected', 'malformed', 'replay'])

const decidable = (filter: Filter): boolean =>
  !mentions(filter, (leaf) => {
    if (leaf.type === 'is') return !leaf.facts.every((fact) => EARLY.has(fact))
    if (leaf.type === 'amount') return leaf.of === 'took'
    if (leaf.type === 'time') return leaf.of === 'timestamp'
    if (leaf.type === 'word') return leaf.of === 'party'
    return ['text', 'finding', 'has', 'tag'].includes(leaf.type)
  })

const needsJudging = (filter: Filter): boolean =>
  mentions(filter, (leaf) => {
    if (leaf.type === 'amount') return leaf.of === 'status'
    if (leaf.type === 'word') return leaf.of === 'number'
    return leaf.type === 'kind' || leaf.type === 'group' || leaf.type === 'verdict' || leaf.type === 'doc'
  })

/** Mulberry32: a deterministic sequence of numbers from 0 to 1 per seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

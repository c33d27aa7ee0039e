import type { DeliveryRow } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Fault, FaultEffect, FaultRule } from '#contract/faults.ts'
import { matches } from './filter/matches.ts'
import { readFilter } from './filter/read.ts'
import type { Filter } from './filter/tree.ts'
import type { Clock } from './ports.ts'

interface Held {
  readonly rule: FaultRule
  readonly id: number
  readonly filter: Filter
  readonly draw: () => number
  matched: number
  applied: number
}

/** The fault rules of this process and the deliveries they met. */
export class FaultBook {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #held: Held[] = []
  #lastId = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Those in force; a rule that has met its last delivery or its end is none. */
  list(): readonly Fault[] {
    this.#expire()
    return this.#held.map(({ rule, id, matched, applied }) => ({ ...rule, id, matched, applied }))
  }

  /** Cheap; asked at every delivery. */
  active(): boolean {
    return this.#held.length > 0
  }

  /** @throws AcuseError `bad-filter` for a filter that cannot be decided from one delivery alone */
  add(rule: FaultRule): readonly Fault[] {
    const filter = readFilter(rule.filter)
    if (!decidable(filter))
      throw new AcuseError(
        'bad-filter',
        'A fault rule decides from one delivery alone, before it is answered: free text and is:duplicate, late, out-of-order and pinned cannot be told by then.',
        { path: 'filter' },
      )
    this.#held = [
      ...this.#held,
      { rule, id: ++this.#lastId, filter, draw: seeded(rule.seed), matched: 0, applied: 0 },
    ]
    this.#tell()
    return this.list()
  }

  /** @throws AcuseError `not-found` */
  remove(id: number): readonly Fault[] {
    this.#expire()
    if (!this.#held.some((held) => held.id === id))
      throw new AcuseError('not-found', `There is no fault rule ${id}; it may have ended.`, { id })
    this.#held = this.#held.filter((held) => held.id !== id)
    this.#tell()
    return this.list()
  }

  clear(): readonly Fault[] {
    this.#held = []
    this.#tell()
    return []
  }

  /** Tells when `list` gives others. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /**
   * The effect that this delivery is to meet; null for none. The first rule that its conditions and its probability let through is taken.
   * @param row the delivery as it would be listed, judged where that was possible; called only when some rule is in force
   */
  decide(row: () => DeliveryRow): FaultEffect | null {
    this.#expire()
    if (this.#held.length === 0) return null
    const delivery = row()
    for (const held of this.#held) {
      const { rule } = held
      if (rule.endpoint !== null && rule.endpoint !== delivery.endpoint) continue
      if (matches(held.filter, delivery) !== true) continue
      held.matched++
      const taken = held.draw() < rule.probability
      if (taken) held.applied++
      this.#tell()
      if (taken) return rule.effect
    }
    return null
  }

  #expire(): void {
    const now = this.#clock.now()
    const left = this.#held.filter(
      ({ rule, matched }) =>
        (rule.next === null || matched < rule.next) && (rule.until === null || now < rule.until),
    )
    if (left.length === this.#held.length) return
    this.#held = left
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

function decidable(filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.every(decidable)
    case 'or':
      return filter.any.every(decidable)
    case 'not':
      return decidable(filter.not)
    case 'text':
      return false
    case 'is':
      return filter.facts.every((fact) => fact === 'rejected' || fact === 'malformed' || fact === 'replay')
    default:
      return true
  }
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

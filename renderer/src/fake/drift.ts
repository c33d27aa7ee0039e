import { KINDS, type Kind } from '#catalog/kinds.ts'
import type { CommandName, Params, Result } from '#contract/commands.ts'
import type { DriftEvent, DriftFact } from '#contract/drift.ts'
import { AcuseError } from '#contract/errors.ts'
import { LEARNING_DELIVERIES } from '#contract/values.ts'
import { analyse } from '#core/checks/analyse.ts'
import { observe } from '#core/drift/observe.ts'
import { KindProfile, type ProfileChanges } from '#core/drift/profile.ts'
import { profileOf } from '#core/drift/shown.ts'
import type { Made } from './deliveries.ts'

/** Bodies that are looked at; the window's tests need no more. */
const OBSERVED = 600

type Handlers = { readonly [C in CommandName & `drift.${string}`]: (params: Params<C>) => Result<C> }

/** What the oldest deliveries of a fake host teach, by the real rules. */
export class FakeDrift {
  readonly #delivery: (id: number) => Made
  readonly #count: () => number
  readonly #forgotten = new Map<Kind, number>()
  #kinds: ReadonlyMap<Kind, ProfileChanges> | undefined
  #events: readonly DriftEvent[] = []

  constructor(delivery: (id: number) => Made, count: () => number) {
    this.#delivery = delivery
    this.#count = count
  }

  facts(id: number): readonly DriftFact[] {
    this.#observed()
    return this.#events.filter(({ deliveryId }) => deliveryId === id)
  }

  readonly handlers: Handlers = {
    'drift.list': ({ since = 0 }) => {
      const observed = this.#observed()
      const kinds = KINDS.flatMap(({ kind }) => {
        if (!observed.has(kind)) return []
        const { deliveries, learning, fields, unrecorded } = this.#profile(kind)
        const events = this.#events.filter((event) => event.kind === kind)
        return {
          ...{ kind, deliveries, learning, unrecorded, fields: fields.length },
          missing: Math.max(0, LEARNING_DELIVERIES - deliveries),
          undocumented: fields.filter(({ documented }) => !documented).length,
          events: events.length,
          fresh: events.filter(({ at }) => at > since).length,
          lastEventAt: events[0]?.at ?? null,
        }
      })
      return { kinds }
    },
    'drift.profile': ({ kind }) => {
      const spec = KINDS.find((one) => one.kind === kind)
      if (!spec) throw new AcuseError('bad-params', `kind: "${kind}" is none of the 28 kinds.`)
      return this.#profile(spec.kind)
    },
    'drift.events': ({ kind, from, limit }) => {
      this.#observed()
      const events = this.#events.filter((event) => kind === undefined || event.kind === kind)
      return { events: events.slice(from, from + limit), from, total: events.length }
    },
    'drift.reset': ({ kind }) => {
      const kinds = KINDS.map((one) => one.kind).filter((one) => kind === undefined || one === kind)
      for (const one of kinds) this.#forgotten.set(one, this.#count())
      this.#kinds = undefined
      return { kinds: kinds.length }
    },
  }

  #profile(kind: Kind): Result<'drift.profile'> {
    const changes = this.#observed().get(kind)
    return profileOf(
      kind,
      changes?.added ?? [],
      changes?.counts ?? new Float64Array(),
      changes?.unrecorded ?? 0,
    )
  }

  #observed(): ReadonlyMap<Kind, ProfileChanges> {
    if (this.#kinds) return this.#kinds
    const profiles = new Map<Kind, KindProfile>()
    const events: DriftEvent[] = []
    for (let id = 1; id <= Math.min(OBSERVED, this.#count()); id++) {
      const { row, body } = this.#delivery(id)
      if (row.rejected || row.malformed) continue
      analyse({ method: 'POST', contentType: null, body: { bytes: body } }, (kind, tree) => {
        if (id <= (this.#forgotten.get(kind) ?? 0)) return
        const profile = profiles.get(kind) ?? new KindProfile(kind)
        profiles.set(kind, profile)
        for (const fact of observe(profile, tree, id, row.receivedAt))
          events.unshift({ ...fact, kind, deliveryId: id, at: row.receivedAt })
      })
    }
    const taken = [...profiles].flatMap(([kind, profile]) => {
      const changes = profile.takeChanges()
      return changes ? [[kind, changes] as const] : []
    })
    this.#events = events
    this.#kinds = new Map(taken)
    return this.#kinds
  }
}

import type { Kind } from '#catalog/kinds.ts'
import type { DriftFact, DriftProfile } from '#contract/drift.ts'
import { observe } from '#core/drift/observe.ts'
import { KindProfile, type PackedCounts, type Slot } from '#core/drift/profile.ts'
import { profileOf } from '#core/drift/shown.ts'
import { scanJson } from '#core/json/scan.ts'

/** What storage keeps of a profile, in memory. */
export class Kept {
  readonly kind: Kind
  readonly #slots = new Map<number, Slot>()
  #counts: PackedCounts = new Float64Array()
  #unrecorded = 0
  #profile: KindProfile
  #id = 0

  constructor(kind: Kind = 'factura.created') {
    this.kind = kind
    this.#profile = new KindProfile(kind)
  }

  /** Teaches one body. @returns what it showed first */
  see(body: unknown): readonly DriftFact[] {
    const tree = scanJson(typeof body === 'string' ? body : JSON.stringify(body))
    if ('problem' in tree) throw new Error(tree.problem)
    this.#id++
    return observe(this.#profile, tree, this.#id, this.#id * 1_000)
  }

  write(): void {
    const changes = this.#profile.takeChanges()
    if (!changes) return
    for (const slot of changes.added) this.#slots.set(slot.slot, slot)
    for (const slot of changes.removed) this.#slots.delete(slot)
    this.#counts = changes.counts.slice()
    this.#unrecorded = changes.unrecorded
  }

  /** The process ends after a commit, and another begins. */
  restart(): void {
    this.write()
    this.#profile = new KindProfile(this.kind, this.#inOrder(), this.#counts, this.#unrecorded)
  }

  shown(): DriftProfile {
    this.write()
    return profileOf(this.kind, this.#inOrder(), this.#counts, this.#unrecorded)
  }

  #inOrder(): readonly Slot[] {
    return [...this.#slots.values()].sort((a, b) => a.slot - b.slot)
  }
}

export const countsOf = ({ deliveries, fields }: DriftProfile): unknown => ({
  deliveries,
  fields: fields
    .map(({ place, documented, n, of, shapes, values, manyValues }) => ({
      place,
      documented,
      n,
      of,
      manyValues,
      shapes: shapes.map((shape) => `${shape.type} ${shape.format} ${shape.n}`).sort(),
      values: values.map(({ value, n: count }) => `${value} ${count}`).sort(),
    }))
    .sort((a, b) => (a.place < b.place ? -1 : 1)),
})

import type { Kind } from '#catalog/kinds.ts'
import type { DriftFact } from '#contract/drift.ts'
import { observe } from '#core/drift/observe.ts'
import { KindProfile } from '#core/drift/profile.ts'
import type { JsonTree } from '#core/json/tree.ts'
import { kindNumber, observedOf, packShapes, packSlotCounts, SLOT_COLUMNS } from '../sql/columns.ts'
import { Queries, raw } from '../sql/connection.ts'

interface Found extends DriftFact {
  readonly id: number
  readonly at: number
  readonly kind: Kind
}

interface Observed {
  readonly profile: KindProfile
  /** Only deliveries with a higher id change the profile. */
  readonly learnsFrom: number
}

/** Profiles of what each kind contains. In memory, a delivery costs microseconds; `write` saves the profiles once per transaction. */
export class ObservedKinds extends Queries {
  readonly #kinds = new Map<Kind, Observed>()
  readonly #touched = new Set<Kind>()
  #found: Found[] = []

  /** Adds a delivery to the profile of its kind. @param at its arrival, microseconds since the epoch */
  see(id: number, at: number, kind: Kind, tree: JsonTree): void {
    const { profile, learnsFrom } = this.#observed(kind)
    if (id <= learnsFrom) return
    this.#touched.add(kind)
    for (const fact of observe(profile, tree, id, at)) this.#found.push({ ...fact, id, at, kind })
  }

  /** Writes the changes; call it at the end of every transaction. */
  write(): void {
    for (const kind of this.#touched) this.#write(kind)
    this.#touched.clear()
    for (const { id, at, kind, code, pointer, place, was, now, seen, since } of this.#found)
      this.db.insert('INTO drift', {
        deliveryId: id,
        kindNo: kindNumber(kind),
        at,
        code,
        pointer,
        place,
        seen,
        since,
        was: packShapes(was),
        now: now && packShapes([now]),
      })
    this.#found = []
  }

  /** Kinds with a drift that is not yet written. */
  get drifted(): readonly Kind[] {
    return [...new Set(this.#found.map(({ kind }) => kind))]
  }

  /** Call after a rollback: drops the profiles, so that they are read from the database again. */
  rolledBack(): void {
    this.#kinds.clear()
    this.#touched.clear()
    this.#found = []
  }

  /** Resets a kind, within a transaction. Deliveries up to `upto` no longer count. @returns ids of deliveries that had shown a drift */
  forgetKind(kind: Kind, upto: number): readonly number[] {
    const number = kindNumber(kind)
    const marked = this.db.numbers`SELECT DISTINCT delivery_id FROM drift WHERE kind_no = ${number}`
    this.#kinds.delete(kind)
    this.#touched.delete(kind)
    for (const table of ['observed', 'observed_count', 'drift'])
      this.db.run`DELETE FROM ${raw(table)} WHERE kind_no = ${number}`
    this.db.run`INSERT INTO observed_from (kind, learns_from) VALUES (${kind}, ${upto})
      ON CONFLICT (kind) DO UPDATE SET learns_from = excluded.learns_from`
    return marked
  }

  #observed(kind: Kind): Observed {
    const known = this.#kinds.get(kind)
    if (known) return known
    const learnsFrom = this.db.number`SELECT learns_from FROM observed_from WHERE kind = ${kind}`
    const observed = { profile: new KindProfile(kind, ...observedOf(this.db, kind)), learnsFrom }
    this.#kinds.set(kind, observed)
    return observed
  }

  #write(kind: Kind): void {
    const changes = this.#kinds.get(kind)?.profile.takeChanges()
    if (!changes) return
    const number = kindNumber(kind)
    const insert = this.db.get(
      `INSERT INTO observed (kind_no, ${SLOT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const { slot, place, type, format, value, firstId, firstAt } of changes.added)
      insert.run(number, slot, place, type, format, value, firstId, firstAt)
    for (const slot of changes.removed)
      this.db.run`DELETE FROM observed WHERE kind_no = ${number} AND slot = ${slot}`
    // Not OR REPLACE, which would delete the whole row and then insert it.
    this.db.run`INSERT INTO observed_count (kind_no, counts, unrecorded)
      VALUES (${number}, ${packSlotCounts(changes.counts)}, ${changes.unrecorded})
      ON CONFLICT (kind_no) DO UPDATE SET counts = excluded.counts, unrecorded = excluded.unrecorded`
  }
}

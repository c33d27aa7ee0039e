import { refused } from '#contract/errors.ts'
import type { Forward } from '#contract/replay.ts'
import type { ForwardLaneRecord } from '#core/replay/ports.ts'
import { columns, Queries, type Statements } from '../sql/connection.ts'
import type { Lanes } from './lanes.ts'

interface Known {
  readonly id: number
  readonly forward: Forward
}

/** The row of a removed forward stays without settings while attempts refer to it; a new forward of that name gets them back. */
export class Forwards extends Queries {
  readonly #lanes: Lanes
  #known: readonly Known[] | undefined

  constructor(statements: Statements, lanes: Lanes) {
    super(statements)
    this.#lanes = lanes
  }

  list(): readonly Forward[] {
    return this.#all().map(({ forward }) => forward)
  }

  lanes(): readonly ForwardLaneRecord[] {
    return this.db
      .all`SELECT l.lane, f.name AS forward, l.target, l.fed_upto FROM forward_lane l JOIN forward f ON f.id = l.forward ORDER BY l.lane`.map(
      (row) => ({ ...columns(row, Number, 'lane', 'fedUpto'), ...columns(row, String, 'forward', 'target') }),
    )
  }

  /** The id by which attempts refer to a forward, even to a removed one. */
  numberOf(name: string): number {
    const known = this.#known?.find(({ forward }) => forward.name === name)
    return known ? known.id : this.#row(name)
  }

  /** Remaining targets keep their queues; a forward that was off skips missed arrivals. @throws AcuseError `not-found`, `conflict` */
  save(previousName: string | undefined, forward: Forward, fedUpto: number): void {
    const present = this.#find(previousName)
    if (previousName !== undefined && !present)
      throw refused('not-found', 'no-forward', { path: 'name', name: previousName })
    const taken = this.#find(forward.name)
    if (taken && taken.id !== present?.id)
      throw refused('conflict', 'forward-name-taken', { path: 'name', name: forward.name })
    const id = present?.id ?? this.#row(forward.name)
    if (present && present.forward.name !== forward.name) this.#rename(id, forward.name)
    this.db.run`UPDATE forward SET settings = ${JSON.stringify(forward)} WHERE id = ${id}`
    if (present && !present.forward.enabled && forward.enabled)
      this.db.run`UPDATE forward_lane SET fed_upto = max(fed_upto, ${fedUpto}) WHERE forward = ${id}`
    this.#setTargets(id, forward.targets, fedUpto)
    this.#known = undefined
  }

  /** @throws AcuseError `not-found` */
  remove(name: string): void {
    const present = this.#find(name)
    if (!present) throw refused('not-found', 'no-forward', { path: 'name', name })
    this.#setTargets(present.id, [], 0)
    this.db.run`UPDATE forward SET settings = NULL WHERE id = ${present.id}`
    this.db.run`DELETE FROM forward WHERE id = ${present.id} AND NOT EXISTS (SELECT 1 FROM attempt
        WHERE attempt.forward = forward.id)`
    this.#known = undefined
  }

  removeTemporary(): void {
    for (const { name, temporary } of this.list()) if (temporary) this.remove(name)
  }

  /** The last id that was considered for a lane; undefined when there is no such lane. */
  fedUpto(lane: number): number | undefined {
    return this.db.numbers`SELECT fed_upto FROM forward_lane WHERE lane = ${lane}`[0]
  }

  fed(lane: number, upto: number): void {
    this.db.run`UPDATE forward_lane SET fed_upto = ${upto} WHERE lane = ${lane}`
  }

  forget(): void {
    this.#known = undefined
  }

  #setTargets(id: number, targets: readonly string[], fedUpto: number): void {
    const present = this.db.all`SELECT lane, target FROM forward_lane WHERE forward = ${id}`
    for (const { lane, target } of present) {
      if (targets.includes(String(target))) continue
      this.#lanes.remove(Number(lane))
      this.db.run`DELETE FROM forward_lane WHERE lane = ${lane ?? 0}`
    }
    const kept = new Set(present.map(({ target }) => String(target)))
    for (const target of new Set(targets.filter((wanted) => !kept.has(wanted)))) {
      this.db.insert('INTO forward_lane', { lane: this.#lanes.create(), forward: id, target, fedUpto })
    }
  }

  /** Renames a forward. A removed forward of the new name is merged into it, with its attempts. */
  #rename(id: number, name: string): void {
    for (const former of this.db.numbers`SELECT id FROM forward WHERE name = ${name} AND id <> ${id}`) {
      this.db.run`UPDATE attempt SET forward = ${id} WHERE forward = ${former}`
      this.db.run`DELETE FROM forward WHERE id = ${former}`
    }
    this.db.run`UPDATE forward SET name = ${name} WHERE id = ${id}`
  }

  #row(name: string): number {
    const [found] = this.db.numbers`SELECT id FROM forward WHERE name = ${name}`
    return found ?? Number(this.db.insert('INTO forward', { name }).lastInsertRowid)
  }

  #find(name: string | undefined): Known | undefined {
    return this.#all().find(({ forward }) => forward.name === name)
  }

  #all(): readonly Known[] {
    this.#known ??= this.db.all`SELECT id, settings FROM forward WHERE settings IS NOT NULL ORDER BY id`
      // `save` wrote this JSON.
      .map(({ id, settings }) => ({ id: Number(id), forward: JSON.parse(String(settings)) as Forward }))
    return this.#known
  }
}

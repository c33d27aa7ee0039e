import { AcuseError } from '#contract/errors.ts'
import type { Forward } from '#contract/replay.ts'
import type { ForwardLaneRecord } from '#core/replay/ports.ts'
import type { Statements } from '../sql/connection.ts'
import type { Lanes } from './lanes.ts'

interface Known {
  readonly id: number
  readonly forward: Forward
}

/**
 * The forwards and their lanes. The row of one that was removed stays, without settings, as long as attempts were made for it: it holds
 * their forward's name, and takes them up again when a forward of that name is made anew.
 */
export class Forwards {
  readonly #statements: Statements
  readonly #lanes: Lanes
  #known: readonly Known[] | undefined

  constructor(statements: Statements, lanes: Lanes) {
    this.#statements = statements
    this.#lanes = lanes
  }

  /** In the order in which they were made. */
  list(): readonly Forward[] {
    return this.#all().map(({ forward }) => forward)
  }

  lanes(): readonly ForwardLaneRecord[] {
    return this.#statements
      .get(
        `SELECT l.lane, f.name, l.target, l.fed_upto FROM forward_lane l JOIN forward f ON f.id = l.forward ORDER BY l.lane`,
      )
      .all()
      .map((row) => ({
        lane: Number(row.lane),
        forward: String(row.name),
        target: String(row.target),
        fedUpto: Number(row.fed_upto),
      }))
  }

  /** The number by which attempts name a forward, also one that is gone by now. */
  numberOf(name: string): number {
    const known = this.#known?.find(({ forward }) => forward.name === name)
    return known ? known.id : this.#row(name)
  }

  /**
   * Makes or changes one. Lanes that stay keep their queue; one that was off does not send what arrived meanwhile.
   * @throws AcuseError `not-found` for a previous name that is none, `conflict` for a name that is taken
   */
  save(previousName: string | undefined, forward: Forward, fedUpto: number): void {
    const present = this.#find(previousName)
    if (previousName !== undefined && !present)
      throw new AcuseError('not-found', `There is no forward named "${previousName}".`, { path: 'name' })
    const taken = this.#find(forward.name)
    if (taken && taken.id !== present?.id)
      throw new AcuseError(
        'conflict',
        `There is already a forward named "${forward.name}"; choose another name.`,
        { path: 'name' },
      )
    const id = present?.id ?? this.#row(forward.name)
    if (present && present.forward.name !== forward.name) this.#rename(id, forward.name)
    this.#statements.get('UPDATE forward SET settings = ? WHERE id = ?').run(JSON.stringify(forward), id)
    if (present && !present.forward.enabled && forward.enabled)
      this.#statements
        .get('UPDATE forward_lane SET fed_upto = max(fed_upto, ?) WHERE forward = ?')
        .run(fedUpto, id)
    this.#setTargets(id, forward.targets, fedUpto)
    this.#known = undefined
  }

  /** @throws AcuseError `not-found` */
  remove(name: string): void {
    const present = this.#find(name)
    if (!present) throw new AcuseError('not-found', `There is no forward named "${name}".`, { path: 'name' })
    this.#setTargets(present.id, [], 0)
    this.#statements.get('UPDATE forward SET settings = NULL WHERE id = ?').run(present.id)
    this.#statements
      .get(
        'DELETE FROM forward WHERE id = ? AND NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.forward = forward.id)',
      )
      .run(present.id)
    this.#known = undefined
  }

  /** Those that were to end with the process that made them. */
  removeTemporary(): void {
    for (const { name, temporary } of this.list()) if (temporary) this.remove(name)
  }

  /** What has been fed into a lane; undefined when there is no such lane. */
  fedUpto(lane: number): number | undefined {
    const row = this.#statements.get('SELECT fed_upto FROM forward_lane WHERE lane = ?').get(lane)
    return row && Number(row.fed_upto)
  }

  fed(lane: number, upto: number): void {
    this.#statements.get('UPDATE forward_lane SET fed_upto = ? WHERE lane = ?').run(upto, lane)
  }

  /** The transaction is rolled back. */
  forget(): void {
    this.#known = undefined
  }

  #setTargets(id: number, targets: readonly string[], fedUpto: number): void {
    const present = this.#statements.get('SELECT lane, target FROM forward_lane WHERE forward = ?').all(id)
    for (const { lane, target } of present) {
      if (targets.includes(String(target))) continue
      this.#lanes.remove(Number(lane))
      this.#statements.get('DELETE FROM forward_lane WHERE lane = ?').run(lane ?? 0)
    }
    const kept = new Set(present.map(({ target }) => String(target)))
    for (const target of new Set(targets.filter((wanted) => !kept.has(wanted))))
      this.#statements
        .get('INSERT INTO forward_lane (lane, forward, target, fed_upto) VALUES (?, ?, ?, ?)')
        .run(this.#lanes.create(), id, target, fedUpto)
  }

  /** A removed forward that had the new name gives it up, with its attempts. */
  #rename(id: number, name: string): void {
    const former = this.#statements.get('SELECT id FROM forward WHERE name = ? AND id <> ?').get(name, id)
    if (former) {
      this.#statements.get('UPDATE attempt SET forward = ? WHERE forward = ?').run(id, Number(former.id))
      this.#statements.get('DELETE FROM forward WHERE id = ?').run(Number(former.id))
    }
    this.#statements.get('UPDATE forward SET name = ? WHERE id = ?').run(name, id)
  }

  #row(name: string): number {
    const found = this.#statements.get('SELECT id FROM forward WHERE name = ?').get(name)
    if (found) return Number(found.id)
    return Number(this.#statements.get('INSERT INTO forward (name) VALUES (?)').run(name).lastInsertRowid)
  }

  #find(name: string | undefined): Known | undefined {
    return this.#all().find(({ forward }) => forward.name === name)
  }

  #all(): readonly Known[] {
    this.#known ??= this.#statements
      .get('SELECT id, settings FROM forward WHERE settings IS NOT NULL ORDER BY id')
      .all()
      // Written by this very class.
      .map(({ id, settings }) => ({ id: Number(id), forward: JSON.parse(String(settings)) as Forward }))
    return this.#known
  }
}

import type { ItemMapping } from '#contract/connection.ts'
import { AcuseError } from '#contract/errors.ts'
import type { Sweep, SweepProblem, SweepRange } from '#contract/reconcile.ts'
import { SWEEP_STATES, SYNC_ROUTES } from '#contract/values.ts'
import type { NewSweep, SweepChange, SweepPage } from '#core/reconcile/ports.ts'
import { numberOrNull, type SqlRow, type Statements, textOrNull } from '../sql/connection.ts'

/** Sweeps themselves: range, state, walk and what was counted. */
export class Sweeps {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  add({ connection, range, startedAt, reading, walk }: NewSweep): Sweep {
    const { lastInsertRowid } = this.#statements
      .get(
        `INSERT INTO sweep (connection, route, range, corrections, state, walk, started_at) VALUES (?, ?, ?, ?, 'running', ?, ?)`,
      )
      .run(
        connection,
        range.route,
        JSON.stringify(range),
        JSON.stringify(reading),
        JSON.stringify(walk ?? null),
        startedAt,
      )
    return this.need(Number(lastInsertRowid))
  }

  /** @param documents that had not come before */
  saved(id: number, page: SweepPage, documents: number): void {
    this.#statements
      .get(
        `UPDATE sweep SET walk = ?, pages = pages + 1, requests = requests + ?, retries = retries + ?, items = items + ?,
         documents = documents + ?, reached = coalesce(?, reached), mapping = ? WHERE id = ?`,
      )
      .run(
        JSON.stringify(page.walk ?? null),
        page.requests,
        page.retries,
        page.items.length,
        documents,
        page.reached,
        JSON.stringify(page.mapping),
        id,
      )
  }

  change(id: number, { state, problems, endedAt, walk, requests = 0, retries = 0 }: SweepChange): Sweep {
    const set = (sql: string, value: string | number | null) =>
      this.#statements.get(`UPDATE sweep SET ${sql} WHERE id = ?`).run(value, id)
    this.need(id)
    if (state !== undefined) set('state = ?', state)
    if (problems !== undefined) set('problems = ?', JSON.stringify(problems))
    if (endedAt !== undefined) set('ended_at = ?', endedAt)
    if (walk !== undefined) set('walk = ?', JSON.stringify(walk))
    if (requests !== 0) set('requests = requests + ?', requests)
    if (retries !== 0) set('retries = retries + ?', retries)
    return this.need(id)
  }

  list(connection?: string): Sweep[] {
    const where = connection === undefined ? 'TRUE' : 'connection = ?'
    return this.#statements
      .get(`SELECT * FROM sweep WHERE ${where} ORDER BY id DESC`)
      .all(...(connection === undefined ? [] : [connection]))
      .map(toSweep)
  }

  find(id: number): Sweep | undefined {
    const row = this.#statements.get('SELECT * FROM sweep WHERE id = ?').get(id)
    return row && toSweep(row)
  }

  /** @throws AcuseError `not-found` */
  need(id: number): Sweep {
    const sweep = this.find(id)
    if (!sweep) throw new AcuseError('not-found', `There is no sweep ${id}.`, { id })
    return sweep
  }

  walk(id: number): unknown {
    this.need(id)
    return JSON.parse(String(this.#statements.get('SELECT walk FROM sweep WHERE id = ?').get(id)?.walk))
  }

  /** How its items were read, as JSON: two are the same when their texts are. */
  reading(id: number): string {
    return String(this.#statements.get('SELECT corrections FROM sweep WHERE id = ?').get(id)?.corrections)
  }

  reread(id: number, reading: string, mapping: ItemMapping | null, documents: number): void {
    this.#statements
      .get('UPDATE sweep SET corrections = ?, mapping = ?, documents = ? WHERE id = ?')
      .run(reading, JSON.stringify(mapping), documents, id)
  }

  remove(id: number): number {
    return Number(this.#statements.get('DELETE FROM sweep WHERE id = ?').run(id).changes)
  }

  recover(): number[] {
    return this.#statements
      .get("UPDATE sweep SET state = 'paused' WHERE state = 'running' RETURNING id")
      .all()
      .map(({ id }) => Number(id))
  }

  /** The latest sweep of the connection over the other route that brought this document. */
  otherWith(sweep: Sweep, key: string): number | undefined {
    const row = this.#statements
      .get(
        `SELECT i.id FROM sweep_item i JOIN sweep s ON s.id = i.id / 4294967296
         WHERE i.key = ? AND s.connection = ? AND s.route <> ? ORDER BY i.id DESC LIMIT 1`,
      )
      .get(key, sweep.connection, sweep.range.route)
    return row && Number(row.id)
  }
}

function toSweep(row: SqlRow): Sweep {
  const range = JSON.parse(String(row.range)) as SweepRange
  return {
    id: Number(row.id),
    connection: String(row.connection),
    range: { ...range, route: SYNC_ROUTES.find((route) => route === row.route) ?? 'accounting' },
    state: SWEEP_STATES.find((state) => state === row.state) ?? 'failed',
    problems: JSON.parse(String(row.problems)) as SweepProblem[],
    startedAt: Number(row.started_at),
    endedAt: numberOrNull(row.ended_at),
    requests: Number(row.requests),
    retries: Number(row.retries),
    pages: Number(row.pages),
    items: Number(row.items),
    documents: Number(row.documents),
    reached: textOrNull(row.reached),
    mapping: row.mapping === null ? null : (JSON.parse(String(row.mapping)) as ItemMapping | null),
  }
}

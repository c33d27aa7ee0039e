import type { ItemMapping } from '#contract/connection.ts'
import { refused } from '#contract/errors.ts'
import type { Sweep, SweepProblem, SweepRange } from '#contract/reconcile.ts'
import { SWEEP_STATES, SYNC_ROUTES } from '#contract/values.ts'
import type { NewSweep, SweepChange, SweepPage } from '#core/reconcile/ports.ts'
import { columns, numberOrNull, Queries, type SqlRow, sql, textOrNull } from '../sql/connection.ts'

export class Sweeps extends Queries {
  add({ connection, range, startedAt, reading, walk }: NewSweep): Sweep {
    const { lastInsertRowid } = this.db.insert('INTO sweep', {
      connection,
      route: range.route,
      range: JSON.stringify(range),
      corrections: JSON.stringify(reading),
      state: 'running',
      walk: JSON.stringify(walk ?? null),
      startedAt,
    })
    return this.need(Number(lastInsertRowid))
  }

  /** @param documents number of new documents */
  saved(id: number, page: SweepPage, documents: number): void {
    const { walk = null, requests, retries, items, reached, mapping } = page
    this.db
      .run`UPDATE sweep SET walk = ${JSON.stringify(walk)}, pages = pages + 1, requests = requests + ${requests},
      retries = retries + ${retries}, items = items + ${items.length}, documents = documents + ${documents},
      reached = coalesce(${reached}, reached), mapping = ${JSON.stringify(mapping)} WHERE id = ${id}`
  }

  change(id: number, { state, problems, endedAt, walk, requests = 0, retries = 0 }: SweepChange): Sweep {
    const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value))
    this.db.update('sweep', { state, problems: json(problems), endedAt, walk: json(walk) }, sql`id = ${id}`)
    this.db
      .run`UPDATE sweep SET requests = requests + ${requests}, retries = retries + ${retries} WHERE id = ${id}`
    return this.need(id)
  }

  list(connection?: string): Sweep[] {
    const where = connection === undefined ? sql`TRUE` : sql`connection = ${connection}`
    return this.db.all`SELECT * FROM sweep WHERE ${where} ORDER BY id DESC`.map(toSweep)
  }

  find(id: number): Sweep | undefined {
    const row = this.db.one`SELECT * FROM sweep WHERE id = ${id}`
    return row && toSweep(row)
  }

  /** @throws AcuseError `not-found` */
  need(id: number): Sweep {
    const sweep = this.find(id)
    if (!sweep) throw refused('not-found', 'no-sweep', { id })
    return sweep
  }

  walk(id: number): unknown {
    this.need(id)
    return JSON.parse(String(this.db.value`SELECT walk FROM sweep WHERE id = ${id}`))
  }

  /** How the sweep's items were parsed, as JSON; equal texts mean the same parsing. */
  reading(id: number): string {
    return String(this.db.value`SELECT corrections FROM sweep WHERE id = ${id}`)
  }

  reread(id: number, reading: string, mapping: ItemMapping | null, documents: number): void {
    const row = { corrections: reading, mapping: JSON.stringify(mapping), documents }
    this.db.update('sweep', row, sql`id = ${id}`)
  }

  compared(id: number, counts: NonNullable<Sweep['counts']>): void {
    this.db.update('sweep', { counts: JSON.stringify(counts) }, sql`id = ${id}`)
  }

  remove(id: number): number {
    return Number(this.db.run`DELETE FROM sweep WHERE id = ${id}`.changes)
  }

  recover(): number[] {
    return this.db
      .numbers`UPDATE sweep SET state = 'paused', problems = '[]' WHERE state = 'running' RETURNING id`
  }

  /** The document's item in the connection's latest sweep over the other route that has it. */
  otherWith(sweep: Sweep, key: string): number | undefined {
    return this.db.numbers`SELECT i.id FROM sweep_item i JOIN sweep s ON s.id = i.id / 4294967296
      WHERE i.key = ${key} AND s.connection = ${sweep.connection}
      AND s.route <> ${sweep.range.route} ORDER BY i.id DESC LIMIT 1`[0]
  }
}

function toSweep(row: SqlRow): Sweep {
  const range = JSON.parse(String(row.range)) as SweepRange
  return {
    ...columns(row, Number, 'id', 'startedAt', 'requests', 'retries', 'pages', 'items', 'documents'),
    connection: String(row.connection),
    range: { ...range, route: SYNC_ROUTES.find((route) => route === row.route) ?? 'accounting' },
    state: SWEEP_STATES.find((state) => state === row.state) ?? 'failed',
    problems: JSON.parse(String(row.problems)) as SweepProblem[],
    endedAt: numberOrNull(row.ended_at),
    reached: textOrNull(row.reached),
    imported: row.imported === 1,
    mapping: row.mapping === null ? null : (JSON.parse(String(row.mapping)) as ItemMapping | null),
    ...(row.counts !== null && { counts: JSON.parse(String(row.counts)) as NonNullable<Sweep['counts']> }),
  }
}

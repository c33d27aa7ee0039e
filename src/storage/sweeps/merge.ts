import type { Connection } from '#contract/connection.ts'
import { AcuseError } from '#contract/errors.ts'
import { sweep as sweepSchema } from '#contract/reconcile.ts'
import { scanJson } from '#core/json/scan.ts'
import type { ItemReading } from '#core/reconcile/item.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import { asBuffer } from '../body/stored-body.ts'
import { failureOf } from '../disk/files.ts'
import { Queries, type Statements, sql } from '../sql/connection.ts'
import { firstItem, Items, itemColumns, lastItem } from './items.ts'
import { Sweeps } from './sweeps.ts'

/** How a sweep of a session file was merged. `ours`: its id here; 0 when it was left out. */
export interface MergedSweep {
  readonly ours: number
  readonly as: 'taken' | 'known' | 'leftOut'
  /** Whether some of its items cannot be read. */
  readonly torn: boolean
}

const AT_ONCE = 500
/** A larger item is not read into memory. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Takes sweeps over from a session file, which may come from anyone: only what the contract allows enters, and the compared columns are
 * made from the items' bytes. A sweep is known when one over the same route began in the same millisecond. An item keeps its place in its
 * sweep, as masking could change its key.
 */
export class SweepMerge extends Queries {
  readonly #into: Statements
  readonly #items: Items
  readonly #sweeps: Sweeps

  /** @param from the file's */
  constructor(from: Statements, into: Statements) {
    super(from)
    this.#into = into
    this.#items = new Items(into)
    this.#sweeps = new Sweeps(from)
  }

  /** The connection that has sweeps of this one of the file here already. */
  knownConnection(name: string): string | null {
    for (const row of this.db.all`SELECT started_at, route FROM sweep WHERE connection = ${name}`) {
      const found = this.#known(Number(row.started_at), String(row.route))
      if (found !== undefined)
        return String(this.#into.value`SELECT connection FROM sweep WHERE id = ${found}`)
    }
    return null
  }

  ids(): readonly number[] {
    return this.#safely(() => this.db.numbers`SELECT id FROM sweep ORDER BY id`) ?? []
  }

  /** Merges a sweep in steps. @param connections those here, by their names in the file @param links ids here of its rebuilt deliveries */
  *sweep(
    id: number,
    connections: ReadonlyMap<string, Connection>,
    links: ReadonlyMap<number, number>,
    atomic: <T>(work: () => T) => T,
  ): Generator<void, MergedSweep> {
    const found = this.#safely(() => sweepSchema.safeParse(this.#sweeps.find(id)))
    const connection = found?.success ? connections.get(found.data.connection) : undefined
    if (!found?.success || !connection) return { ours: 0, as: 'leftOut', torn: false }
    const { connection: theirs, range, state, problems, mapping, counts: _, ...rest } = found.data
    const known = this.#known(rest.startedAt, range.route)
    const reading: ItemReading = { corrections: connection.mapping, zone: connection.zone }
    const ours =
      known ??
      atomic(() =>
        Number(
          this.#into.insert('INTO sweep', {
            ...{ ...rest, id: null, connection: connection.name, route: range.route, walk: 'null' },
            range: JSON.stringify(range),
            corrections: JSON.stringify(reading),
            // It cannot continue here: the walk is not in the file.
            state: state === 'running' || state === 'paused' ? 'cancelled' : state,
            problems: JSON.stringify(problems),
            mapping: JSON.stringify(mapping),
            imported: 1,
          }).lastInsertRowid,
        ),
      )
    let [added, torn] = [0, false]
    for (let after = firstItem(id) - 1; ; ) {
      const ids = this.#safely(
        () => this.db.numbers`SELECT id FROM sweep_item WHERE id > ${after} AND id <= ${lastItem(id)}
          ORDER BY id LIMIT ${AT_ONCE}`,
      )
      const merged = atomic(() => ids?.map((item) => this.#item(item, id, ours, reading)) ?? [undefined])
      added += merged.filter((one) => one === true).length
      torn ||= merged.includes(undefined)
      yield
      if (!ids || ids.length < AT_ONCE) break
      after = ids.at(-1) ?? after
    }
    // It proves no longer that the service lacks a document, and cannot continue here.
    if (known === undefined && torn)
      atomic(() => this.#into.update('sweep', { state: 'cancelled' }, sql`id = ${ours}`))
    atomic(() => this.#safely(() => this.#about(id, ours, { theirs, ours: connection.name }, links)))
    return { ours, as: known === undefined || added > 0 ? 'taken' : 'known', torn }
  }

  /** @returns whether it is new; undefined when it cannot be read */
  #item(theirs: number, sweep: number, ours: number, reading: ItemReading): boolean | undefined {
    const id = firstItem(ours) + (theirs - firstItem(sweep))
    if (this.#items.row(id)) return false
    return this.#safely(() => {
      const row = this.db
        .one`SELECT i.first_returned_at, r.bytes FROM sweep_item i JOIN sweep_raw r ON r.id = i.id
          WHERE i.id = ${theirs} AND octet_length(r.bytes) <= ${MOST_BYTES}`
      const bytes = asBuffer(row?.bytes)
      const tree = scanJson(bytes.toString())
      if (!row || 'problem' in tree) return undefined
      const item = readSweepItem(tree, 0, reading)
      if (this.#items.find(ours, item.key) !== undefined) return false
      const firstReturnedAt = Number(row.first_returned_at)
      this.#into.insert('INTO sweep_item', { id, firstReturnedAt, ...itemColumns(item) })
      this.#into.insert('INTO sweep_raw', { id, bytes })
      return true
    })
  }

  /** Notes on documents, and events that were rebuilt; what is here stays. */
  #about(
    sweep: number,
    ours: number,
    connection: { readonly theirs: string; readonly ours: string },
    links: ReadonlyMap<number, number>,
  ): void {
    for (const row of this.db
      .all`SELECT key, note, ignored FROM annotation WHERE connection = ${connection.theirs}`)
      this.#into.insert('OR IGNORE INTO annotation', { ...row, connection: connection.ours })
    for (const row of this.db.all`SELECT * FROM rebuilt WHERE sweep = ${sweep}`) {
      const delivery_id = links.get(Number(row.delivery_id))
      if (delivery_id !== undefined)
        this.#into.insert('OR IGNORE INTO rebuilt', {
          ...row,
          ...{ delivery_id, connection: connection.ours, sweep: ours },
        })
    }
  }

  #known(startedAt: number, route: string): number | undefined {
    return this.#into.numbers`SELECT id FROM sweep WHERE started_at = ${startedAt} AND route = ${route}`[0]
  }

  /** @returns undefined for a damaged row, or one that the tables refuse */
  #safely<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof AcuseError || failureOf(error) === 'unavailable') throw error
      return undefined
    }
  }
}

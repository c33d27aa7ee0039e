import { type Kind, kindSpec } from '#catalog/kinds.ts'
import type { DocumentRow, Sweep } from '#contract/reconcile.ts'
import type { Taken } from '#core/reconcile/documents.ts'
import type { RebuiltRecord } from '#core/reconcile/ports.ts'
import { columns, Queries, raw, textOrNull } from '../sql/connection.ts'

export type Noted = Pick<DocumentRow, 'note' | 'ignored' | 'recovered'>

/** The user's notes and the recoveries of documents, shared by all sweeps of a connection. Needs replays.db attached, for `attempt`. */
export class Notes extends Queries {
  annotate(
    connection: string,
    keys: readonly string[],
    { note, ignored }: { readonly note?: string | null; readonly ignored?: string | null },
  ): number {
    let changed = 0
    for (const key of keys) {
      const present = this.#annotation(connection, key)
      const next = {
        note: note === undefined ? present.note : note,
        ignored: ignored === undefined ? present.ignored : ignored,
      }
      if (next.note === present.note && next.ignored === present.ignored) continue
      changed += 1
      if (next.note === null && next.ignored === null)
        this.db.run`DELETE FROM annotation WHERE connection = ${connection} AND key = ${key}`
      else this.db.insert('OR REPLACE INTO annotation', { connection, key, ...next })
    }
    return changed
  }

  of(connection: string, key: string): Noted {
    return { ...this.#annotation(connection, key), recovered: this.#recovered(connection, key) }
  }

  ignored(connection: string): string[] {
    return this.db.texts`SELECT key FROM annotation WHERE connection = ${connection} AND ignored IS NOT NULL`
  }

  notes(connection: string): Map<string, string> {
    const rows = this.db
      .all`SELECT key, note FROM annotation WHERE connection = ${connection} AND note IS NOT NULL`
    return new Map(rows.map(({ key, note }) => [String(key), String(note)]))
  }

  /** Rebuilt kinds whose synthetic delivery a target has accepted, by document key. */
  taken(connection: string): Taken {
    const rows = this.db.each`SELECT DISTINCT r.key, r.kind FROM rebuilt r WHERE r.connection = ${connection}
         AND EXISTS (SELECT 1 FROM attempt t WHERE t.delivery_id = r.delivery_id AND t.ok = 1)`
    const taken = new Map<string, Set<Kind>>()
    for (const { key, kind } of rows) {
      const known = kindSpec(String(kind))?.kind
      if (known) taken.set(String(key), (taken.get(String(key)) ?? new Set<Kind>()).add(known))
    }
    return taken
  }

  addRebuilt(sweep: number, connection: string, records: readonly RebuiltRecord[]): void {
    for (const { key, kind, rule, deliveryId } of records) {
      this.db.insert('OR REPLACE INTO rebuilt', { deliveryId, connection, key, kind, rule, sweep })
    }
  }

  /** Rebuilt kinds of a document whose deliveries still exist. */
  rebuiltKinds(connection: string, key: string): Set<Kind> {
    const rows = this.db
      .all`SELECT DISTINCT r.kind FROM rebuilt r WHERE r.connection = ${connection} AND r.key = ${key}
         AND EXISTS (SELECT 1 FROM delivery d WHERE d.id = r.delivery_id)`
    return new Set(rows.flatMap(({ kind }) => kindSpec(String(kind))?.kind ?? []))
  }

  rebuiltIds(sweep: number, after: number, limit: number): number[] {
    return this.db
      .numbers`SELECT r.delivery_id AS id FROM rebuilt r WHERE r.sweep = ${sweep} AND r.delivery_id > ${after}
         AND EXISTS (SELECT 1 FROM delivery d WHERE d.id = r.delivery_id) ORDER BY r.delivery_id LIMIT ${limit}`
  }

  rename(previous: string, name: string): void {
    for (const table of ['sweep', 'rebuilt'])
      this.db.run`UPDATE ${raw(table)} SET connection = ${name} WHERE connection = ${previous}`
    this.db.run`UPDATE OR REPLACE annotation SET connection = ${name} WHERE connection = ${previous}`
  }

  #annotation(connection: string, key: string): { note: string | null; ignored: string | null } {
    const row = this.db
      .one`SELECT note, ignored FROM annotation WHERE connection = ${connection} AND key = ${key}`
    return columns(row ?? {}, textOrNull, 'note', 'ignored')
  }

  #recovered(connection: string, key: string): Noted['recovered'] {
    const row = this.db.one`SELECT t.started_at AS at, t.status FROM rebuilt r
        JOIN attempt t ON t.delivery_id = r.delivery_id WHERE r.connection = ${connection}
        AND r.key = ${key} AND t.ok = 1 AND t.status IS NOT NULL ORDER BY t.id DESC LIMIT 1`
    return row ? columns(row, Number, 'at', 'status') : null
  }
}

/** Documents of which the latest sweep of each connection missed an event, for the filter `is:missed`. */
export class Missed extends Queries {
  /** Stores the result of a comparison, unless a later sweep of the connection decides. Treasury lists debts only, so it does not count. */
  take(sweep: Sweep, sweeps: readonly Sweep[], owing: ReadonlySet<string>): void {
    const latest = sweeps.find(saysWhatWasMissed)
    if (latest?.id !== sweep.id) return
    const { connection } = sweep
    const known = new Set(
      this.db.texts`SELECT key FROM missed WHERE connection = ${connection} AND sweep = ${sweep.id}`,
    )
    if (known.size === owing.size && [...owing].every((key) => known.has(key))) return
    this.db.run`DELETE FROM missed WHERE connection = ${connection}`
    const add = this.db.get('INSERT INTO missed (key, connection, sweep) VALUES (?, ?, ?)')
    for (const key of owing) add.run(key, connection, sweep.id)
  }

  forget(sweep: number): void {
    this.db.run`DELETE FROM missed WHERE sweep = ${sweep}`
  }

  rename(previous: string, name: string): void {
    this.db.run`UPDATE OR REPLACE missed SET connection = ${name} WHERE connection = ${previous}`
  }
}

/** An incomplete sweep counts too: it is certain about the range that it reached. */
const saysWhatWasMissed = ({ state, range }: Sweep): boolean =>
  range.route === 'accounting' && (state === 'complete' || state === 'incomplete')

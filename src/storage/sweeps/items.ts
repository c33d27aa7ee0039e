import type { ItemMapping } from '#contract/connection.ts'
import { scanJson } from '#core/json/scan.ts'
import { fingerprintOf } from '#core/reconcile/fingerprint.ts'
import { type ItemReading, joinMappings, mappingOf } from '#core/reconcile/item.ts'
import type { SweepItem } from '#core/reconcile/ports.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import { asBuffer } from '../body/stored-body.ts'
import { numberOrNull, Queries, raw, type Sql, type SqlRow, sql, textOrNull } from '../sql/connection.ts'

/** Range of item ids per sweep: they begin at the sweep's number times this. */
const PER_SWEEP = 2 ** 32
const REREAD_AT_ONCE = 500

export const firstItem = (sweep: number): number => sweep * PER_SWEEP
export const lastItem = (sweep: number): number => (sweep + 1) * PER_SWEEP - 1
export const inSweep = (id: string, sweep: number): Sql =>
  sql`${raw(id)} BETWEEN ${firstItem(sweep)} AND ${lastItem(sweep)}`

/** Items of sweeps: their compared columns, and their bytes. */
export class Items extends Queries {
  /** @returns number of documents that are new in this sweep */
  put(sweep: number, connection: string, items: readonly SweepItem[], at: number): number {
    let next = this.#highest(sweep) + 1
    const before = next
    for (const item of items) {
      const known = this.find(sweep, item.key)
      if (known !== undefined) {
        this.db.update('sweep_item', itemColumns(item), sql`id = ${known}`)
        this.db.run`UPDATE sweep_raw SET bytes = ${item.raw} WHERE id = ${known}`
        continue
      }
      const firstReturnedAt = this.#firstReturned(connection, item.key, at)
      this.db.insert('INTO sweep_item', { id: next, firstReturnedAt, ...itemColumns(item) })
      this.db.run`INSERT INTO sweep_raw (id, bytes) VALUES (${next}, ${item.raw})`
      next += 1
    }
    return next - before
  }

  find(sweep: number, key: string): number | undefined {
    return this.db.numbers`SELECT id FROM sweep_item WHERE key = ${key} AND ${inSweep('id', sweep)}`[0]
  }

  /** Number of items of a sweep without an id and a number. */
  nameless(sweep: number): number {
    return this.db.number`SELECT count(*) AS n FROM sweep_item
         WHERE ${inSweep('id', sweep)} AND coalesce(document_id, '') = '' AND coalesce(number, '') = ''`
  }

  row(id: number): SqlRow | undefined {
    return this.db.one`SELECT * FROM sweep_item WHERE id = ${id}`
  }

  raw(id: number): Buffer | undefined {
    const row = this.db.one`SELECT bytes FROM sweep_raw WHERE id = ${id}`
    return row && asBuffer(row.bytes)
  }

  remove(sweep: number): void {
    for (const table of ['sweep_item', 'sweep_raw'])
      this.db.run`DELETE FROM ${raw(table)} WHERE ${inSweep('id', sweep)}`
  }

  /** Parses every item again. @returns where the values were found, and the number of documents now */
  reread(sweep: number, reading: ItemReading) {
    let mapping: ItemMapping | null = null
    const seen = new Map<string, number>()
    let after = firstItem(sweep) - 1
    for (;;) {
      const rows = this.db
        .all`SELECT id, bytes FROM sweep_raw WHERE id > ${after} AND id <= ${lastItem(sweep)} ORDER BY id
          LIMIT ${REREAD_AT_ONCE}`
      for (const row of rows) {
        const id = Number(row.id)
        const tree = scanJson(asBuffer(row.bytes).toString('utf8'))
        if ('problem' in tree) continue
        const item = readSweepItem(tree, 0, reading)
        mapping = joinMappings(mapping, mappingOf(tree, 0, reading.corrections))
        this.db.update('sweep_item', itemColumns(item), sql`id = ${id}`)
        // When two items turn out to be one document, the later one has the service's latest values.
        const other = seen.get(item.key)
        if (other !== undefined) this.#drop(other)
        seen.set(item.key, id)
      }
      const last = rows.at(-1)
      if (!last) return { mapping, documents: seen.size }
      after = Number(last.id)
    }
  }

  #drop(id: number): void {
    this.db.run`DELETE FROM sweep_item WHERE id = ${id}`
    this.db.run`DELETE FROM sweep_raw WHERE id = ${id}`
  }

  #highest(sweep: number): number {
    const highest = this.db.value`SELECT max(id) FROM sweep_item WHERE ${inSweep('id', sweep)}`
    return numberOrNull(highest) ?? firstItem(sweep) - 1
  }

  /** When a sweep of the connection first returned the document. */
  #firstReturned(connection: string, key: string, at: number): number {
    const first = this.db.value`SELECT min(i.first_returned_at) FROM sweep_item i
      JOIN sweep s ON s.id = i.id / ${raw(PER_SWEEP)} WHERE i.key = ${key} AND s.connection = ${connection}`
    return Math.min(numberOrNull(first) ?? at, at)
  }
}

export const itemColumns = ({ key, document, party, total, currency }: SweepItem) => ({
  key: stored(key),
  issuedAt: document.issuedAt,
  documentType: document.documentType,
  statusId: document.statusId,
  voided: document.voided === null ? null : Number(document.voided),
  documentId: stored(document.documentId),
  number: stored(document.number),
  party: stored(party),
  total: stored(total),
  currency: stored(currency),
  fingerprint: fingerprintOf(document.accounting),
})

/** Makes a text storable in SQLite: no NUL, no lone surrogates. */
function stored<T extends string | null>(text: T): T
function stored(text: string | null): string | null {
  return text === null || (text.isWellFormed() && !text.includes('\0'))
    ? text
    : text.toWellFormed().replaceAll('\0', ' ')
}

export const searchedOf = (row: SqlRow): string =>
  [row.key, row.number, row.party].map((value) => textOrNull(value) ?? '').join('\n')

import type { ItemMapping } from '#contract/connection.ts'
import { scanJson } from '#core/json/scan.ts'
import { fingerprintOf } from '#core/reconcile/fingerprint.ts'
import { type ItemReading, joinMappings, mappingOf } from '#core/reconcile/item.ts'
import type { SweepItem } from '#core/reconcile/ports.ts'
import { readSweepItem } from '#core/reconcile/sweep-item.ts'
import { asBuffer } from '../body/stored-body.ts'
import { type SqlRow, type Statements, textOrNull } from '../sql/connection.ts'

/** Ids of a sweep's items lie between its number times this and the next one's. */
const PER_SWEEP = 2 ** 32
const REREAD_AT_ONCE = 500

export const firstItem = (sweep: number): number => sweep * PER_SWEEP
export const lastItem = (sweep: number): number => (sweep + 1) * PER_SWEEP - 1

const COLUMNS =
  'key, issued_at, document_type, status_id, voided, document_id, number, party, total, currency, fingerprint'
const INSERT = `INSERT INTO sweep_item (id, first_returned_at, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
const UPDATE = `UPDATE sweep_item SET (${COLUMNS}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`

/** Items of sweeps: what is compared of them, and their bytes. */
export class Items {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** @returns documents that had not come in this sweep before */
  put(sweep: number, connection: string, items: readonly SweepItem[], at: number): number {
    let next = this.#highest(sweep) + 1
    const before = next
    for (const item of items) {
      const known = this.find(sweep, item.key)
      if (known !== undefined) {
        this.#statements.get(UPDATE).run(...valuesOf(item), known)
        this.#statements.get('UPDATE sweep_raw SET bytes = ? WHERE id = ?').run(item.raw, known)
        continue
      }
      this.#statements.get(INSERT).run(next, this.#firstReturned(connection, item.key, at), ...valuesOf(item))
      this.#statements.get('INSERT INTO sweep_raw (id, bytes) VALUES (?, ?)').run(next, item.raw)
      next += 1
    }
    return next - before
  }

  find(sweep: number, key: string): number | undefined {
    const row = this.#statements
      .get('SELECT id FROM sweep_item WHERE key = ? AND id BETWEEN ? AND ?')
      .get(key, firstItem(sweep), lastItem(sweep))
    return row && Number(row.id)
  }

  /** Items that name no document, wherever their sweep was interrupted. */
  nameless(sweep: number): number {
    const row = this.#statements
      .get(
        `SELECT count(*) AS n FROM sweep_item
         WHERE id BETWEEN ? AND ? AND coalesce(document_id, '') = '' AND coalesce(number, '') = ''`,
      )
      .get(firstItem(sweep), lastItem(sweep))
    return Number(row?.n)
  }

  row(id: number): SqlRow | undefined {
    return this.#statements.get('SELECT * FROM sweep_item WHERE id = ?').get(id)
  }

  raw(id: number): Buffer | undefined {
    const row = this.#statements.get('SELECT bytes FROM sweep_raw WHERE id = ?').get(id)
    return row && asBuffer(row.bytes)
  }

  remove(sweep: number): void {
    for (const table of ['sweep_item', 'sweep_raw'])
      this.#statements
        .get(`DELETE FROM ${table} WHERE id BETWEEN ? AND ?`)
        .run(firstItem(sweep), lastItem(sweep))
  }

  /**
   * Reads every item anew from its bytes, as another reading wants it.
   * @returns where the values were found, and how many documents there are now
   */
  reread(
    sweep: number,
    reading: ItemReading,
  ): { readonly mapping: ItemMapping | null; readonly documents: number } {
    let mapping: ItemMapping | null = null
    const seen = new Map<string, number>()
    let after = firstItem(sweep) - 1
    for (;;) {
      const rows = this.#statements
        .get(`SELECT id, bytes FROM sweep_raw WHERE id > ? AND id <= ? ORDER BY id LIMIT ${REREAD_AT_ONCE}`)
        .all(after, lastItem(sweep))
      for (const row of rows) {
        const id = Number(row.id)
        const tree = scanJson(asBuffer(row.bytes).toString('utf8'))
        if ('problem' in tree) continue
        const item = readSweepItem(tree, 0, reading)
        mapping = joinMappings(mapping, mappingOf(tree, 0, reading.corrections))
        this.#statements.get(UPDATE).run(...valuesOf(item), id)
        // Two that turn out to be one document: the later one is what the service said last.
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
    this.#statements.get('DELETE FROM sweep_item WHERE id = ?').run(id)
    this.#statements.get('DELETE FROM sweep_raw WHERE id = ?').run(id)
  }

  #highest(sweep: number): number {
    const row = this.#statements
      .get('SELECT max(id) AS id FROM sweep_item WHERE id BETWEEN ? AND ?')
      .get(firstItem(sweep), lastItem(sweep))
    return typeof row?.id === 'number' ? row.id : firstItem(sweep) - 1
  }

  /** When any sweep of the connection first brought the document. */
  #firstReturned(connection: string, key: string, at: number): number {
    const row = this.#statements
      .get(
        `SELECT min(i.first_returned_at) AS at FROM sweep_item i JOIN sweep s ON s.id = i.id / ${PER_SWEEP}
         WHERE i.key = ? AND s.connection = ?`,
      )
      .get(key, connection)
    return typeof row?.at === 'number' ? Math.min(row.at, at) : at
  }
}

function valuesOf({ key, document, party, total, currency }: SweepItem) {
  const { issuedAt, documentType, statusId, voided, documentId, number, accounting } = document
  return [
    stored(key),
    issuedAt,
    documentType,
    statusId,
    voided === null ? null : Number(voided),
    stored(documentId),
    stored(number),
    stored(party),
    stored(total),
    stored(currency),
    fingerprintOf(accounting),
  ] as const
}

/** As SQLite can hold it: no NUL, no half characters. */
function stored<T extends string | null>(text: T): T
function stored(text: string | null): string | null {
  return text === null || (text.isWellFormed() && !text.includes('\0'))
    ? text
    : text.toWellFormed().replaceAll('\0', ' ')
}

/** Name or Number of an item, for searching it. */
export const searchedOf = (row: SqlRow): string =>
  [row.key, row.number, row.party].map((value) => textOrNull(value) ?? '').join('\n')

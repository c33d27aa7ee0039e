import { GROUPS } from '#catalog/kinds.ts'
import { ROLLUP_WIDTHS } from '../schema/derived.ts'
import {
  eachCount,
  GROUP_COLUMNS,
  kindNumber,
  kindOfNumber,
  packCounts,
  VERDICT_COLUMNS,
} from '../sql/columns.ts'
import { Queries, raw } from '../sql/connection.ts'

export interface Counted {
  /** Minute of arrival, since the epoch. */
  readonly minute: number
  readonly endpoint: string
  readonly kindNo: number
  readonly verdict: number
}

interface Tally extends Counted {
  n: number
}

const COLUMNS = [...VERDICT_COLUMNS, ...GROUP_COLUMNS]
const ADD_TOTAL = `INSERT INTO rollup_total (width, at, ${COLUMNS.join(', ')}) VALUES (?, ?${', ?'.repeat(COLUMNS.length)})
  ON CONFLICT (width, at) DO UPDATE SET ${COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}`

/** Updates the rollups. It writes counts once per transaction, since the deliveries of a busy batch fall into one or two minutes. */
export class Rollup extends Queries {
  readonly #gathered = new Map<string, Tally>()
  /** Cache of `rollup_sort`: ids by kind, verdict and endpoint. */
  readonly #sorts = new Map<string, number>()

  /** @param by 1 to add a delivery, -1 to remove one */
  count(counted: Counted, by: 1 | -1): void {
    const key = `${counted.minute} ${counted.kindNo} ${counted.verdict} ${counted.endpoint}`
    const known = this.#gathered.get(key)
    if (known) known.n += by
    else this.#gathered.set(key, { ...counted, n: by })
  }

  /** Subtracts a deleted delivery from the counts. Call it before deleting its row in `analysis`. */
  forget(id: number): void {
    const row = this.db.one`SELECT minute, endpoint, kind, verdict FROM analysis WHERE delivery_id = ${id}`
    if (!row) return
    this.count(
      {
        minute: Number(row.minute),
        endpoint: String(row.endpoint),
        kindNo: kindNumber(typeof row.kind === 'string' ? row.kind : null),
        verdict: Number(row.verdict),
      },
      -1,
    )
  }

  /** Writes the gathered counts; call it at the end of every transaction that counted. */
  write(): void {
    if (this.#gathered.size === 0) return
    const tallies = [...this.#gathered.values()].filter(({ n }) => n !== 0)
    this.#gathered.clear()
    for (const width of ROLLUP_WIDTHS) this.#writeWidth(width, tallies)
  }

  rolledBack(): void {
    this.#gathered.clear()
    this.#sorts.clear()
  }

  #writeWidth(width: number, tallies: readonly Tally[]): void {
    const stretches = Map.groupBy(tallies, ({ minute }) => minute - (((minute % width) + width) % width))
    for (const [at, some] of stretches) {
      this.#writeCounts(width, at, some)
      this.#writeTotal(width, at, some)
    }
  }

  #writeCounts(width: number, at: number, tallies: readonly Tally[]): void {
    const counts = new Map<number, number>()
    const known = this.db.value`SELECT counts FROM rollup WHERE width = ${width} AND at = ${at}`
    eachCount(known, (sort, n) => counts.set(sort, n))
    for (const tally of tallies) {
      const sort = this.#sortOf(tally)
      const n = (counts.get(sort) ?? 0) + tally.n
      if (n > 0) counts.set(sort, n)
      else counts.delete(sort)
    }
    if (counts.size > 0)
      this.db.run`INSERT INTO rollup (width, at, counts) VALUES (${width}, ${at}, ${packCounts(counts)})
        ON CONFLICT (width, at) DO UPDATE SET counts = excluded.counts`
    else this.db.run`DELETE FROM rollup WHERE width = ${width} AND at = ${at}`
  }

  #writeTotal(width: number, at: number, tallies: readonly Tally[]): void {
    const total = COLUMNS.map(() => 0)
    for (const { kindNo, verdict, n } of tallies) {
      const place = GROUPS.findIndex(({ slug }) => slug === kindOfNumber(kindNo)?.group)
      const group = VERDICT_COLUMNS.length + (place < 0 ? GROUPS.length : place)
      total[verdict] = (total[verdict] ?? 0) + n
      total[group] = (total[group] ?? 0) + n
    }
    this.db.get(ADD_TOTAL).run(width, at, ...total)
    if (total.some((n) => n < 0))
      this.db
        .run`DELETE FROM rollup_total WHERE width = ${width} AND at = ${at} AND ${raw(VERDICT_COLUMNS.join(' + '))} <= 0`
  }

  #sortOf({ endpoint, kindNo, verdict }: Tally): number {
    const key = `${kindNo} ${verdict} ${endpoint}`
    const known = this.#sorts.get(key)
    if (known !== undefined) return known
    this.db.insert('OR IGNORE INTO rollup_sort', { endpoint, kindNo, verdict })
    const id = this.db
      .number`SELECT id FROM rollup_sort WHERE endpoint = ${endpoint} AND kind_no = ${kindNo} AND verdict = ${verdict}`
    this.#sorts.set(key, id)
    return id
  }
}

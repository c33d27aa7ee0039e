import type { TimelineBy } from '#contract/timeline.ts'
import type { TimelineQuery } from '#core/ports.ts'
import type { Statements } from '../sql/connection.ts'
import { boundedText } from './lean.ts'
import { MarksCache } from './marks.ts'
import type { Selection } from './selection.ts'
import { KEY_SQL, KEYS } from './timeline-keys.ts'

/** Filters whose counts by the minute are kept; a month of minutes is about two megabytes. */
const REMEMBERED = 6

/** Counts by minute and key of one filter, up to an id. */
interface Tally {
  upto: number
  readonly minutes: Map<number, number[]>
}

/** Ids looked through at once; fewer where deliveries may have to be opened. */
const WINDOW = 20_000
const OPENED_WINDOW = 500
/** What compiled filters call for a delivery that has to be opened (HOLDS in columns.ts). */
const OPENS = 'acuse_holds('
/** The time that one question may take. */
const MOST_MS = 40

/**
 * Counts by the minute for filters that the rollups cannot answer, such as words. Each is made by one pass over its members, as its exact
 * total is, and then follows what arrives; so any stretch of it is drawn without another pass.
 */
export class FilterTallies {
  readonly #statements: Statements
  readonly #kept = new MarksCache<Tally>(REMEMBERED)

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** Adds the members up to `settled` that arrived in the stretch. @returns whether that is all of them */
  add(
    selection: Selection,
    { from, to, bucketMs, by }: TimelineQuery,
    settled: number,
    bars: { add(bucket: number, key: number, n: number): void },
  ): boolean {
    const make = (): Tally => ({ upto: 0, minutes: new Map() })
    // Pins come and go anywhere in the set, so nothing about it can be remembered.
    const tally = selection.changesAnywhere ? make() : this.#kept.get(`${by} ${selection.key}`, make)
    this.#approach(selection, by, tally, settled)
    const [first, past, step] = [from / 60_000, to / 60_000, bucketMs / 60_000]
    for (const [minute, counts] of tally.minutes) {
      if (minute < first || minute >= past) continue
      const bucket = Math.floor((minute - first) / step)
      for (const [key, n] of counts.entries()) if (n > 0) bars.add(bucket, key, n)
    }
    return tally.upto >= settled
  }

  /** What takes long is looked through a little with every question: other reads wait meanwhile. */
  #approach(selection: Selection, by: TimelineBy, tally: Tally, settled: number): void {
    const began = performance.now()
    // What is not remembered has to be counted whole.
    const whole = selection.changesAnywhere && !selection.scanned
    const window = whole ? settled : selection.where.includes(OPENS) ? OPENED_WINDOW : WINDOW
    while (tally.upto < settled && performance.now() - began < MOST_MS)
      this.#extend(selection, by, tally, Math.min(settled, tally.upto + window))
  }

  reset(): void {
    this.#kept.clear()
  }

  #extend(selection: Selection, by: TimelineBy, tally: Tally, settled: number): void {
    if (settled <= tally.upto) return
    const { from, id, params } = selection
    const where = boundedText(selection.where, tally.upto + 1, settled)
    const sql = `SELECT a.minute AS minute, ${KEY_SQL[by]} AS key, count(*) AS n FROM ${from}
      WHERE (${where}) AND ${id} > ? AND ${id} <= ? AND a.delivery_id IS NOT NULL GROUP BY 1, 2`
    const query = where === selection.where ? this.#statements.get(sql) : this.#statements.once(sql)
    const rows = query.iterate(...params, tally.upto, settled)
    for (const row of rows) {
      const minute = Number(row.minute)
      let counts = tally.minutes.get(minute)
      if (!counts) {
        counts = new Array<number>(KEYS[by].length).fill(0)
        tally.minutes.set(minute, counts)
      }
      const key = Number(row.key)
      counts[key] = (counts[key] ?? 0) + Number(row.n)
    }
    tally.upto = settled
  }
}

import { GROUPS } from '#catalog/kinds.ts'
import type { TimelineBy } from '#contract/timeline.ts'
import { VERDICTS } from '#contract/values.ts'
import type { TimelineQuery } from '#core/ports.ts'
import type { Statements } from '../sql/connection.ts'
import { RecentlyUsed } from '../sql/recently-used.ts'
import { Members } from './members.ts'
import type { SetPlan } from './plan.ts'

/** What the parts of a bar are, from the bottom up. */
export const KEYS: Readonly<Record<TimelineBy, readonly string[]>> = {
  verdict: [...VERDICTS, 'unjudged'],
  group: [...GROUPS.map(({ slug }) => slug), 'none'],
}

/** SQL for the place in KEYS, from the columns of `analysis a`. */
export const KEY_SQL: Readonly<Record<TimelineBy, string>> = {
  verdict: `coalesce(a.verdict, ${VERDICTS.length})`,
  group: `CASE a."group" ${GROUPS.map(({ slug }, place) => `WHEN '${slug}' THEN ${place}`).join(' ')} ELSE ${GROUPS.length} END`,
}

/** Filters whose counts by the minute are kept; a month of minutes is about two megabytes. */
const REMEMBERED = 6

/** Counts by minute and key of one filter, up to an id. */
interface Tally {
  upto: number
  readonly minutes: Map<number, number[]>
}

/** Ids read at once; fewer where deliveries may have to be opened. */
const WINDOW = 20_000
const OPENED_WINDOW = 500
/** The time that one question may take. */
const MOST_MS = 40

/**
 * Counts by the minute for filters that the rollups cannot answer, such as words. Each is made by one pass over its members, as its exact
 * total is, and then follows what arrives; so any time range of it is drawn without another pass.
 */
export class FilterTallies {
  readonly #statements: Statements
  readonly #kept = new RecentlyUsed<Tally>(REMEMBERED)

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /** Adds the members up to `settled` that arrived in the time range. @returns whether that is all of them */
  add(
    plan: SetPlan,
    { from, to, bucketMs, by }: TimelineQuery,
    settled: number,
    bars: { add(bucket: number, key: number, n: number): void },
  ): boolean {
    const make = (): Tally => ({ upto: 0, minutes: new Map() })
    // Pins come and go anywhere in the set, so nothing about it can be remembered.
    const tally = plan.changes ? make() : this.#kept.get(`${by} ${plan.key}`, make)
    this.#approach(plan, by, tally, settled)
    const [first, past, step] = [from / 60_000, to / 60_000, bucketMs / 60_000]
    for (const [minute, counts] of tally.minutes) {
      if (minute < first || minute >= past) continue
      const bucket = Math.floor((minute - first) / step)
      for (const [key, n] of counts.entries()) if (n > 0) bars.add(bucket, key, n)
    }
    return tally.upto >= settled
  }

  /** A long pass goes on a little with every question: other reads wait meanwhile. */
  #approach(plan: SetPlan, by: TimelineBy, tally: Tally, settled: number): void {
    const began = performance.now()
    // What is not remembered has to be counted whole.
    const whole = plan.strategy === 'volatile'
    const window = whole ? settled : plan.opens ? OPENED_WINDOW : WINDOW
    while (tally.upto < settled && performance.now() - began < MOST_MS)
      this.#extend(plan, by, tally, Math.min(settled, tally.upto + window))
  }

  reset(): void {
    this.#kept.clear()
  }

  #extend(plan: SetPlan, by: TimelineBy, tally: Tally, settled: number): void {
    if (settled <= tally.upto) return
    const members = new Members(this.#statements, plan.rows)
    const what = `a.minute AS minute, ${KEY_SQL[by]} AS key, count(*) AS n`
    const rows = members.all(what, tally.upto + 1, settled, 'AND a.delivery_id IS NOT NULL GROUP BY 1, 2')
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

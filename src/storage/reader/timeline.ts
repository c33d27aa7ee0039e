import { GROUPS } from '#catalog/kinds.ts'
import type { TimelineBucket, TimelineBy } from '#contract/timeline.ts'
import { VERDICTS } from '#contract/values.ts'
import type { TimelineCounts, TimelineQuery } from '#core/ports.ts'
import { eachCount, GROUP_COLUMNS, VERDICT_COLUMNS } from '../sql/columns.ts'
import { Queries, RecentlyUsed, raw, type Sql, sql } from '../sql/connection.ts'
import { highestId } from '../sql/numbers.ts'
import { Members, NO_END } from './members.ts'
import { ANALYSIS_FIRST, type SetPlan, type Source } from './plan.ts'
import { rolledSorts } from './totals.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Largest number of deliveries in a range for bars finer than a minute, which read each delivery. */
const MOST_READ = 20_000

/** Counts per bucket (a bar or a minute) and key of a query. */
class Bars {
  readonly counts = new Map<number, number[]>()
  readonly #keys: number

  constructor(by: TimelineBy) {
    this.#keys = KEYS[by].length
  }

  at(bucket: number): number[] {
    const known = this.counts.get(bucket)
    if (known) return known
    const counts = new Array<number>(this.#keys).fill(0)
    this.counts.set(bucket, counts)
    return counts
  }

  add(bucket: number, key: number, n: number): void {
    const counts = this.at(bucket)
    counts[key] = (counts[key] ?? 0) + n
  }

  list(from: number, bucketMs: number): TimelineBucket[] {
    return [...this.counts]
      .filter(([, counts]) => counts.some((n) => n > 0))
      .sort(([a], [b]) => a - b)
      .map(([bucket, counts]) => ({ at: from + bucket * bucketMs, counts }))
  }
}

export class TimelineReader extends Queries {
  readonly #tallies = new FilterTallies(this.db)

  /** @param settled every delivery up to this id has been analysed */
  count(plan: SetPlan, asked: TimelineQuery, settled: number): TimelineCounts {
    const query = { ...asked, ...whole(asked) }
    const { from, to, bucketMs } = query
    const fine = bucketMs < MINUTE_MS && this.#total(from, to) <= MOST_READ
    const width = fine ? bucketMs : Math.max(bucketMs, MINUTE_MS)
    const bars = new Bars(query.by)
    const final = { ...query, bucketMs: width }
    let exact = true
    if (fine) this.#readEach(plan, final, settled, bars)
    else if (plan.strategy === 'rollups' || plan.strategy === 'everything')
      this.#fromRollups(plan, final, bars)
    else exact = this.#tallies.add(plan, final, settled, bars)
    if (!plan.analysedOnly) exact = this.#addUnjudged(plan, final, settled, bars) && exact
    return {
      bucketMs: width,
      from,
      to,
      keys: KEYS[query.by],
      buckets: bars.list(from, width),
      exact,
      stored: this.#stored(),
    }
  }

  reset(): void {
    this.#tallies.reset()
  }

  #fromRollups(plan: SetPlan, query: TimelineQuery, bars: Bars): void {
    const { from, to, bucketMs, by } = query
    const unit = from % HOUR_MS === 0 && to % HOUR_MS === 0 && bucketMs % HOUR_MS === 0 ? 60 : 1
    const first = from / MINUTE_MS
    const step = bucketMs / MINUTE_MS
    const within = sql`width = ${unit} AND at >= ${first} AND at < ${to / MINUTE_MS}`
    // Summed here, because GROUP BY would sort rows that are already in order.
    if (plan.strategy !== 'rollups') {
      // A day has 1,440 rows: columns per verdict and group are read four times as fast as packed counts.
      const columns = by === 'verdict' ? VERDICT_COLUMNS : GROUP_COLUMNS
      const rows = this.db.lists`SELECT at, ${raw(columns.join(', '))} FROM rollup_total WHERE ${within}`
      for (const row of rows as number[][]) {
        const bar = bars.at(Math.floor(((row[0] ?? 0) - first) / step))
        for (let key = 0; key < columns.length; key++) bar[key] = (bar[key] ?? 0) + (row[key + 1] ?? 0)
      }
      return
    }
    const places = this.#places(plan, by)
    for (const row of this.db.all`SELECT at, counts FROM rollup WHERE ${within}`) {
      const bar = bars.at(Math.floor((Number(row.at) - first) / step))
      eachCount(row.counts, (sort, n) => {
        const key = places[sort] ?? -1
        if (key >= 0) bar[key] = (bar[key] ?? 0) + n
      })
    }
  }

  /** @returns index into KEYS by id of `rollup_sort`; -1 where the filter excludes it */
  #places(plan: SetPlan & { strategy: 'rollups' }, by: TimelineBy): readonly number[] {
    const places: number[] = []
    for (const { id, facts } of rolledSorts(this.db)) {
      const key = KEYS[by].indexOf((by === 'group' ? facts.group : facts.verdict) ?? 'none')
      places[id] = plan.rolled(facts) ? key : -1
    }
    return places
  }

  /** Counts single deliveries, for time ranges so short that a minute is too coarse. */
  #readEach(plan: SetPlan, query: TimelineQuery, settled: number, bars: Bars): void {
    const { from, to } = query
    const analysed = { ...plan.rows, from: ANALYSIS_FIRST, id: 'a.delivery_id' }
    const within = sql`a.minute >= ${from / MINUTE_MS} AND a.minute < ${to / MINUTE_MS}`
    this.#addEach(analysed, query, [0, settled], within, bars)
  }

  /** Counts deliveries that wait for analysis: no rollup has them. After a rebuild that can be all; then it counts only the newest. */
  #addUnjudged(plan: SetPlan, query: TimelineQuery, settled: number, bars: Bars): boolean {
    const highest = highestId(this.db)
    const after = Math.max(settled, highest - MOST_READ)
    if (after >= highest) return true
    const within = sql`d.received_at >= ${query.from * 1_000} AND d.received_at < ${query.to * 1_000}`
    this.#addEach({ ...plan.rows, id: 'd.id' }, query, [after + 1, NO_END], within, bars)
    return after === settled
  }

  #addEach(
    source: Source,
    { from, bucketMs, by }: TimelineQuery,
    [low, high]: readonly [number, number],
    within: Sql,
    bars: Bars,
  ): void {
    const bucket = sql`CAST((d.received_at - ${from * 1_000}) / ${bucketMs * 1_000} AS INTEGER)`
    const what = sql`${bucket} AS bucket, ${raw(KEY_SQL[by])} AS key, count(*) AS n`
    const rows = new Members(this.db, source).all(what, low, high, sql`AND ${within} GROUP BY 1, 2`)
    for (const row of rows) bars.add(Number(row.bucket), Number(row.key), Number(row.n))
  }

  #total(from: number, to: number): number {
    return this.db.number`SELECT sum(${raw(VERDICT_COLUMNS.join(' + '))}) FROM rollup_total
      WHERE width = 1 AND at >= ${from / MINUTE_MS} AND at < ${to / MINUTE_MS}`
  }

  #stored(): TimelineCounts['stored'] {
    const first = this.db.value`SELECT min(at) FROM rollup_total WHERE width = 1`
    const last = this.db.value`SELECT max(at) FROM rollup_total WHERE width = 1`
    if (typeof first !== 'number' || typeof last !== 'number') return null
    return { from: first * MINUTE_MS, to: (last + 1) * MINUTE_MS }
  }
}

/** Widens the range to whole minutes, the unit of the rollups, and wide bars to a multiple of a minute. */
function whole({ from, to, bucketMs }: TimelineQuery): { from: number; to: number; bucketMs: number } {
  return {
    from: Math.floor(from / MINUTE_MS) * MINUTE_MS,
    to: Math.ceil(to / MINUTE_MS) * MINUTE_MS,
    bucketMs: bucketMs <= MINUTE_MS ? bucketMs : Math.ceil(bucketMs / MINUTE_MS) * MINUTE_MS,
  }
}

/** Keys of the parts of a bar, from the bottom up. */
export const KEYS: Readonly<Record<TimelineBy, readonly string[]>> = {
  verdict: [...VERDICTS, 'unjudged'],
  group: [...GROUPS.map(({ slug }) => slug), 'none'],
}

/** SQL for the index into KEYS, over `analysis a`. */
export const KEY_SQL: Readonly<Record<TimelineBy, string>> = {
  verdict: `coalesce(a.verdict, ${VERDICTS.length})`,
  group: `CASE a."group" ${GROUPS.map(({ slug }, place) => `WHEN '${slug}' THEN ${place}`).join(' ')} ELSE ${GROUPS.length} END`,
}

/** Filters whose counts by minute are cached; a month of minutes takes about two megabytes. */
const REMEMBERED = 6

interface Tally {
  upto: number
  readonly minutes: Bars
}

/** Ids per query; fewer when the filter has to open deliveries. */
const WINDOW = 20_000
const OPENED_WINDOW = 500
const MOST_MS = 40

/** Counts by minute for filters that the rollups cannot answer, such as words: one pass over the members, then only new arrivals. */
export class FilterTallies extends Queries {
  readonly #kept = new RecentlyUsed<Tally>(REMEMBERED)

  /** Adds the members up to id `settled` that arrived in the time range. @returns false while the pass is unfinished */
  add(plan: SetPlan, { from, to, bucketMs, by }: TimelineQuery, settled: number, bars: Bars): boolean {
    const make = (): Tally => ({ upto: 0, minutes: new Bars(by) })
    // Pins and tags change membership anywhere in the set, so no count can be cached.
    const tally = plan.changes ? make() : this.#kept.get(`${by} ${plan.key}`, make)
    this.#approach(plan, by, tally, settled)
    const [first, past, step] = [from / MINUTE_MS, to / MINUTE_MS, bucketMs / MINUTE_MS]
    for (const [minute, counts] of tally.minutes.counts) {
      if (minute < first || minute >= past) continue
      const bucket = Math.floor((minute - first) / step)
      for (const [key, n] of counts.entries()) if (n > 0) bars.add(bucket, key, n)
    }
    return tally.upto >= settled
  }

  /** Each query continues a long pass for MOST_MS only, because other reads wait meanwhile. */
  #approach(plan: SetPlan, by: TimelineBy, tally: Tally, settled: number): void {
    const began = performance.now()
    // Without a cache, the pass must be complete.
    const whole = plan.strategy === 'volatile'
    const window = whole ? settled : plan.opens ? OPENED_WINDOW : WINDOW
    while (tally.upto < settled && performance.now() - began < MOST_MS)
      this.#extend(plan, by, tally, Math.min(settled, tally.upto + window))
  }

  reset(): void {
    this.#kept.clear()
  }

  #extend(plan: SetPlan, by: TimelineBy, tally: Tally, settled: number): void {
    const members = new Members(this.db, plan.rows)
    const what = sql`a.minute AS minute, ${raw(KEY_SQL[by])} AS key, count(*) AS n`
    const rest = sql`AND a.delivery_id IS NOT NULL GROUP BY 1, 2`
    const rows = members.all(what, tally.upto + 1, settled, rest)
    for (const row of rows) tally.minutes.add(Number(row.minute), Number(row.key), Number(row.n))
    tally.upto = settled
  }
}

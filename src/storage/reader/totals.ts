import type { Verdict } from '#contract/delivery.ts'
import { VERDICTS } from '#contract/values.ts'
import { eachCount, kindOfNumber } from '../sql/columns.ts'
import { Queries, RecentlyUsed, type Statements, sql } from '../sql/connection.ts'
import { zeros } from '../sql/numbers.ts'
import { deletionsFollowed, Members, NO_END, storedAfter, storedUpto } from './members.ts'
import type { SetPlan } from './plan.ts'
import type { RolledFacts } from './traits.ts'

const REMEMBERED = 40
/** Positions within this distance of the newest member are counted from there, without marks. */
const NEAR = 1_200
/** New deliveries after which the rollups are summed anew; until then, the new ones are counted apart. */
const SUMS_BEHIND = 2_000
/** Ids per count of verdicts, which takes some milliseconds. */
const AT_ONCE = 50_000

export type Counts = Record<Verdict | 'unjudged', number>
export const noCounts = (): Counts => zeros([...VERDICTS, 'unjudged'])
/** @param verdict value of `analysis.verdict` */
export const nameOf = (verdict: unknown): Verdict | 'unjudged' =>
  (typeof verdict === 'number' ? VERDICTS[verdict] : undefined) ?? 'unjudged'

interface Sums {
  readonly upto: number
  readonly sorts: readonly { readonly facts: RolledFacts; readonly n: number }[]
}

export interface Reached {
  readonly analysed: number
  readonly highest: number
}

/** The newest page as a range of ids that has no other member. */
export interface Newest {
  readonly total: number
  readonly start: number
  /** First and last id; undefined when there are no rows. */
  readonly range: readonly [number, number] | undefined
}

/**
 * Sizes of sets, also by verdict, and their newest members, without a pass over all members: it uses the rollups, or the text index
 * alone. Position marks are made only when the user scrolls far. Call everything inside one read transaction.
 */
export class Totals extends Queries {
  #sums: Sums | undefined
  readonly #sizes = new RecentlyUsed<{ upto: number; n: number }>(REMEMBERED)
  readonly #verdicts = new RecentlyUsed<{ upto: number; counts: Counts }>(REMEMBERED)

  /** Counts members by verdict, cached and updated. @returns undefined when one call would take too long: call again to continue */
  byVerdict(plan: SetPlan, analysed: number): Counts | undefined {
    const settled = plan.changes ? 0 : analysed
    const make = () => this.#rolled(plan, settled) ?? { upto: 0, counts: noCounts() }
    const known = this.#verdicts.get(plan.key, make)
    const upto = Math.max(known.upto, Math.min(settled, known.upto + AT_ONCE))
    this.#addVerdicts(plan, known.counts, known.upto + 1, upto)
    known.upto = upto
    if (upto < settled) return undefined
    const counts = { ...known.counts }
    // During a rebuild a million deliveries may wait, and windows ask every second, so this takes the writer's count.
    if (plan.strategy === 'everything') counts.unjudged += storedAfter(this.db, known.upto)
    else this.#addVerdicts(plan, counts, known.upto + 1, NO_END)
    return counts
  }

  /** The page of the newest members, or one near it. @returns undefined when position marks are needed */
  newest(
    plan: SetPlan,
    { from, limit }: { readonly from: number | 'newest'; readonly limit: number },
    reached: Reached,
  ): Newest | undefined {
    const followed = deletionsFollowed(this.db)
    const members = new Members(this.db, followed ? plan.lean.ids : plan.rows)
    const total = this.#total(plan, members, followed, reached)
    if (total === undefined) return undefined
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    const end = Math.min(total, start + limit)
    if (total - start > NEAR) return undefined
    if (end <= start) return { total, start, range: undefined }
    const ids = this.#lastIds(members, total - start, total, reached.highest)
    const [first, last] = [ids[total - start - 1], ids[total - end]]
    return first === undefined || last === undefined ? undefined : { total, start, range: [first, last] }
  }

  clear(): void {
    this.#sums = undefined
    this.#sizes.clear()
    this.#verdicts.clear()
  }

  #total(plan: SetPlan, members: Members, followed: boolean, reached: Reached): number | undefined {
    const known = this.#sizes.get(plan.key, () => ({ upto: 0, n: -1 }))
    if (known.n < 0) {
      const first = this.#first(plan, members, followed, reached)
      if (!first) return undefined
      Object.assign(known, first)
    }
    const settled = plan.waitsForAnalysis ? reached.analysed : reached.highest
    if (settled > known.upto) {
      known.n += members.count(known.upto + 1, settled)
      known.upto = settled
    }
    return known.n + members.count(known.upto + 1)
  }

  #first(
    plan: SetPlan,
    members: Members,
    followed: boolean,
    { analysed, highest }: Reached,
  ): { upto: number; n: number } | undefined {
    switch (plan.strategy) {
      case 'everything':
        return { upto: highest, n: storedUpto(this.db, highest) }
      case 'rollups': {
        const found = this.#rolled(plan, analysed)
        return found && { upto: found.upto, n: Object.values(found.counts).reduce((sum, n) => sum + n, 0) }
      }
      case 'text':
        return followed ? { upto: analysed, n: members.count(0, analysed) } : undefined
      case 'index':
      case 'volatile':
      case 'search':
        return undefined
    }
  }

  /** Ids of the newest members, newest first. Reads a range of ids that is likely to hold enough, then wider ones. */
  #lastIds(members: Members, wanted: number, total: number, highest: number): number[] {
    for (let width = Math.ceil((highest / total) * wanted * 1.5) + 200; ; width *= 4) {
      const low = width >= highest ? 0 : highest - width
      const ids = members.ids(low + 1, NO_END, { limit: wanted, down: true })
      if (ids.length >= wanted || low === 0) return ids
    }
  }

  /** Counts by verdict up to an id near `settled`; undefined when the rollups cannot answer, or disagree with the stored deliveries. */
  #rolled(plan: SetPlan, settled: number): { upto: number; counts: Counts } | undefined {
    if (plan.strategy !== 'rollups' && plan.strategy !== 'everything') return undefined
    if (!this.#sums || settled - this.#sums.upto > SUMS_BEHIND) this.#sums = this.#sumUp(settled)
    if (!this.#sums) return undefined
    const counts = noCounts()
    for (const { facts, n } of this.#sums.sorts)
      if (facts.verdict && (plan.strategy !== 'rollups' || plan.rolled(facts))) counts[facts.verdict] += n
    return { upto: this.#sums.upto, counts }
  }

  /** Sums the rollups of all time by sort; undefined while they disagree with the stored deliveries, as during a deletion. */
  #sumUp(settled: number): Sums | undefined {
    const sums: number[] = []
    for (const { counts } of this.db.each`SELECT counts FROM rollup WHERE width = 60`)
      eachCount(counts, (sort, n) => {
        sums[sort] = (sums[sort] ?? 0) + n
      })
    const rolled = sums.reduce((sum, n) => sum + n, 0)
    if (rolled !== storedUpto(this.db, settled)) return undefined
    const sorts = rolledSorts(this.db).map(({ id, facts }) => ({ facts, n: sums[id] ?? 0 }))
    return { upto: settled, sorts }
  }

  /** When derived.db has followed every deletion, its index alone can count. */
  #addVerdicts(plan: SetPlan, into: Counts, low: number, high: number): void {
    if (low > high) return
    const source = deletionsFollowed(this.db) ? plan.lean.verdicts : plan.rows
    const what = sql`a.verdict AS verdict, count(*) AS n`
    const rows = new Members(this.db, source).all(what, low, high, sql`GROUP BY a.verdict`)
    for (const { verdict, n } of rows) into[nameOf(verdict)] += Number(n)
  }
}

export function rolledSorts(statements: Statements): { readonly id: number; readonly facts: RolledFacts }[] {
  const rows = statements.all`SELECT id, endpoint, kind_no, verdict FROM rollup_sort`
  return rows.map((row) => {
    const spec = kindOfNumber(Number(row.kind_no))
    const verdict = VERDICTS[Number(row.verdict)] ?? null
    const facts = {
      kind: spec?.kind ?? null,
      group: spec?.group ?? null,
      endpoint: String(row.endpoint),
      verdict,
    }
    return { id: Number(row.id), facts }
  })
}

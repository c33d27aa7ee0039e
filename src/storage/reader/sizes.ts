import { VERDICTS } from '#contract/values.ts'
import type { Filter } from '#core/filter/tree.ts'
import { holdsRolled, isRolled, type RolledFacts } from '#core/timeline/rolled.ts'
import type { Statements } from '../sql/connection.ts'
import { kindOfNumber, unpackCounts } from '../sql/rollup-columns.ts'
import { MarksCache } from './marks.ts'
import { type Counts, noCounts } from './scanned-set.ts'
import type { Selection } from './selection.ts'
import { storedUpto } from './stored.ts'

const REMEMBERED = 40
/** Positions this near to the newest are counted from there, without marks. */
const NEAR = 1_200

/** The rollups are summed up anew when so many deliveries came since; what came is counted by itself. */
const SUMS_BEHIND = 2_000

interface Sums {
  readonly upto: number
  readonly sorts: readonly { readonly facts: RolledFacts; readonly n: number }[]
}

/** Up to which id all are analysed, and the highest there is. */
export interface Reached {
  readonly analysed: number
  readonly highest: number
}

/** Rows of the newest page, between these ids, which hold no other member. */
export interface Newest {
  readonly total: number
  readonly start: number
  /** First and last id; null when there are no rows. */
  readonly range: readonly [number, number] | null
}

/**
 * How large sets are, and which members are their newest, without going through all of them: by the rollups that analysis keeps, or by
 * the text index alone. Whoever opens a window or a filter sees rows at once; marks of positions are made when somebody scrolls far.
 * Call everything inside one snapshot.
 */
export class Sizes {
  readonly #statements: Statements
  #sums: Sums | undefined
  readonly #known = new MarksCache<{ upto: number; n: number }>(REMEMBERED)

  constructor(statements: Statements) {
    this.#statements = statements
  }

  /**
   * Members by verdict, up to an id not far below `settled`.
   * @returns undefined when the rollups do not tell what the filter asks for, or do not agree with what is stored
   */
  verdicts(filter: Filter, settled: number): { readonly upto: number; readonly counts: Counts } | undefined {
    if (!isRolled(filter)) return undefined
    if (!this.#sums || settled - this.#sums.upto > SUMS_BEHIND) this.#sums = this.#sumUp(settled)
    if (!this.#sums) return undefined
    const counts = noCounts()
    for (const { facts, n } of this.#sums.sorts)
      if (facts.verdict && holdsRolled(filter, facts)) counts[facts.verdict] += n
    return { upto: this.#sums.upto, counts }
  }

  /**
   * The page of the newest members, or one near to it.
   * @param lean the same set over fewer tables
   * @returns undefined when only marks can tell
   */
  newest(
    filter: Filter,
    lean: Selection,
    { from, limit }: { readonly from: number | 'newest'; readonly limit: number },
    reached: Reached,
  ): Newest | undefined {
    const total = this.#total(filter, lean, reached)
    if (total === undefined) return undefined
    const start = Math.min(from === 'newest' ? Math.max(0, total - limit) : from, total)
    const end = Math.min(total, start + limit)
    if (total - start > NEAR) return undefined
    if (end <= start) return { total, start, range: null }
    const ids = this.#lastIds(lean, total - start, total)
    const [first, last] = [ids[total - start - 1], ids[total - end]]
    return first === undefined || last === undefined ? undefined : { total, start, range: [first, last] }
  }

  clear(): void {
    this.#sums = undefined
    this.#known.clear()
  }

  #total(filter: Filter, lean: Selection, reached: Reached): number | undefined {
    const known = this.#known.get(lean.key, () => ({ upto: 0, n: -1 }))
    if (known.n < 0) {
      const first = this.#first(filter, lean, reached)
      if (!first) return undefined
      Object.assign(known, first)
    }
    const settled = lean.waitsForAnalysis ? reached.analysed : reached.highest
    if (settled > known.upto) {
      known.n += this.#count(lean, known.upto, settled)
      known.upto = settled
    }
    return known.n + this.#count(lean, known.upto, Number.MAX_SAFE_INTEGER)
  }

  #first(
    filter: Filter,
    lean: Selection,
    { analysed, highest }: Reached,
  ): { upto: number; n: number } | undefined {
    if (lean.from === 'search') return { upto: analysed, n: this.#count(lean, 0, analysed) }
    if (lean.everything) return { upto: highest, n: storedUpto(this.#statements, highest) }
    const found = this.verdicts(filter, analysed)
    return found && { upto: found.upto, n: Object.values(found.counts).reduce((sum, n) => sum + n, 0) }
  }

  /** Ids of the newest members, newest first, from as many ids as are likely to hold them. */
  #lastIds(lean: Selection, wanted: number, total: number): number[] {
    const highest = this.#number('SELECT max(id) AS n FROM delivery')
    for (let width = Math.ceil((highest / total) * wanted * 1.5) + 200; ; width *= 4) {
      const low = width >= highest ? 0 : highest - width
      const rows = this.#statements
        .get(
          `SELECT ${lean.id} AS id FROM ${lean.from} WHERE (${lean.where}) AND ${lean.id} > ? ORDER BY ${lean.id} DESC LIMIT ?`,
        )
        .all(...lean.params, low, wanted)
      if (rows.length >= wanted || low === 0) return rows.map(({ id }) => Number(id))
    }
  }

  /** The rollups of all time, by sort. They have to agree with what is stored: not while deletions, or what came back, are on their way there. */
  #sumUp(settled: number): Sums | undefined {
    const sums: number[] = []
    for (const row of this.#statements.get('SELECT counts FROM rollup WHERE width = 60').iterate()) {
      const packed = unpackCounts(row.counts)
      for (let at = 0; at + 1 < packed.length; at += 2) {
        const sort = packed[at] ?? 0
        sums[sort] = (sums[sort] ?? 0) + (packed[at + 1] ?? 0)
      }
    }
    const rolled = sums.reduce((sum, n) => sum + n, 0)
    if (rolled !== storedUpto(this.#statements, settled)) return undefined
    const rows = this.#statements.get('SELECT id, endpoint, kind_no, verdict FROM rollup_sort').all()
    const sorts = rows.map((row) => {
      const spec = kindOfNumber(Number(row.kind_no))
      const verdict = VERDICTS[Number(row.verdict)] ?? null
      const endpoint = String(row.endpoint)
      const facts = { kind: spec?.kind ?? null, group: spec?.group ?? null, endpoint, verdict }
      return { facts, n: sums[Number(row.id)] ?? 0 }
    })
    return { upto: settled, sorts }
  }

  #count({ from, where, id, params }: Selection, after: number, upto: number): number {
    if (after >= upto) return 0
    const row = this.#statements
      .get(`SELECT count(*) AS n FROM ${from} WHERE (${where}) AND ${id} > ? AND ${id} <= ?`)
      .get(...params, after, upto)
    return Number(row?.n)
  }

  #number(sql: string): number {
    return Number(this.#statements.get(sql).get()?.n ?? 0)
  }
}

import { VERDICTS } from '#contract/values.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { Statements } from '../sql/connection.ts'
import { boundedText, withoutDelivery } from './lean.ts'
import { MarksCache } from './marks.ts'
import { type Counts, noCounts } from './scanned-set.ts'
import type { Selection } from './selection.ts'
import type { Sizes } from './sizes.ts'
import { deletionsFollowed, storedAfter } from './stored.ts'

const REMEMBERED = 40
/** Ids whose verdicts are counted at once: some milliseconds. */
const AT_ONCE = 50_000

/** Members of sets by verdict. They are counted once, by the rollups or in steps, and from then on only what arrives is. */
export class Summaries {
  readonly #statements: Statements
  readonly #sizes: Sizes
  readonly #known = new MarksCache<{ upto: number; counts: Counts }>(REMEMBERED)

  constructor(statements: Statements, sizes: Sizes) {
    this.#statements = statements
    this.#sizes = sizes
  }

  /**
   * Call inside a snapshot.
   * @param analysed every delivery up to this one has its verdict
   * @returns undefined when there is more to count than should be at once: what was counted is kept, and the next call goes on
   */
  count(filter: Filter, selection: Selection, analysed: number): Counts | undefined {
    const settled = selection.changesAnywhere ? 0 : analysed
    const known = this.#known.get(selection.key, () => {
      const seed = this.#sizes.verdicts(filter, settled)
      return seed ? { upto: seed.upto, counts: seed.counts } : { upto: 0, counts: noCounts() }
    })
    const upto = Math.max(known.upto, Math.min(settled, known.upto + AT_ONCE))
    this.#add(selection, known.counts, known.upto, upto)
    known.upto = upto
    if (upto < settled) return undefined
    const counts = { ...known.counts }
    // While everything is analysed anew this can be a million, asked for every second: they are counted without a look at each.
    if (selection.everything) counts.unjudged += storedAfter(this.#statements, known.upto)
    else this.#add(selection, counts, known.upto, Number.MAX_SAFE_INTEGER)
    return counts
  }

  clear(): void {
    this.#known.clear()
  }

  #add(selection: Selection, into: Counts, after: number, upto: number): void {
    if (after >= upto) return
    const { from, id, where, params } = this.#few(selection, upto !== Number.MAX_SAFE_INTEGER)
    const bounded = boundedText(where, after + 1, upto)
    const sql = `SELECT a.verdict AS verdict, count(*) AS n FROM ${from} WHERE (${bounded}) AND ${id} > ? AND ${id} <= ? GROUP BY a.verdict`
    const query = bounded === where ? this.#statements.get(sql) : this.#statements.once(sql)
    for (const row of query.all(...params, after, upto)) {
      const verdict = typeof row.verdict === 'number' ? VERDICTS[row.verdict] : undefined
      into[verdict ?? 'unjudged'] += Number(row.n)
    }
  }

  /** Up to where all are analysed, every delivery has its verdict: the index alone can count them. */
  #few(selection: Selection, analysed: boolean): Selection {
    if (!deletionsFollowed(this.#statements)) return selection
    if (selection.everything && analysed) return { ...selection, from: 'analysis a', id: 'a.delivery_id' }
    return withoutDelivery(selection)
  }
}

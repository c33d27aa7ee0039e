import { type Filter, type Is, isOpenedLeaf, mentions, type Range } from '#core/filter/tree.ts'
import { isDerivedMark } from '../sql/columns.ts'
import { compileFilter } from '../sql/filter-sql.ts'

/** What is true of a delivery today and was not yesterday, wherever it stands. */
const COME_AND_GO: ReadonlySet<Is> = new Set(['pinned', 'replayed', 'missed'])

/** A filter as SQL over the tables it needs. */
export interface Selection {
  /** Tells selections apart: same key, same rows. */
  readonly key: string
  readonly from: string
  /** The id of a row, in the table that leads the query: its index then gives the order. */
  readonly id: string
  readonly where: string
  readonly params: readonly (string | number)[]
  /** Every member has been analysed, so `analysis` and its indexes lead the query. */
  readonly analysedOnly: boolean
  /** What is known of a row may still change while it waits for analysis. */
  readonly waitsForAnalysis: boolean
  /** Pins, tags, notes and attempts come and go anywhere in the set. */
  readonly changesAnywhere: boolean
  /** No index tells its members, so they are found step by step (scanned-set.ts). */
  readonly scanned: boolean
  /** Asks for the answer, which may be known only a while after the delivery is. */
  readonly waitsForAnswer: boolean
  /** Selects every delivery. */
  readonly everything: boolean
  /** Every member was received between these, microseconds; null where the filter does not say so. */
  readonly received: Range | null
}

export function select(filter: Filter): Selection {
  const { sql, params } = compileFilter(filter)
  const analysedOnly = needsAnalysis(filter)
  const few = (filter.type === 'and' ? filter.all : [filter]).some(isMarkedByHand)
  return {
    key: JSON.stringify([sql, params]),
    from: !analysedOnly
      ? 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'
      : few
        ? // In this order: SQLite would go through a whole kind for the few that somebody marked.
          'delivery d CROSS JOIN analysis a ON a.delivery_id = d.id'
        : 'analysis a JOIN delivery d ON d.id = a.delivery_id',
    id: analysedOnly && !few ? 'a.delivery_id' : 'd.id',
    where: sql,
    params,
    analysedOnly,
    waitsForAnalysis: mentions(filter, (leaf) => asksAnalysis(leaf)),
    changesAnywhere: mentions(
      filter,
      (leaf) =>
        leaf.type === 'has' ||
        leaf.type === 'tag' ||
        (leaf.type === 'is' && leaf.facts.some((fact) => COME_AND_GO.has(fact))),
    ),
    scanned: mentions(
      filter,
      (leaf) => leaf.type === 'amount' || leaf.type === 'time' || leaf.type === 'word' || isOpenedLeaf(leaf),
    ),
    waitsForAnswer: mentions(
      filter,
      (leaf) => leaf.type === 'amount' && (leaf.of === 'took' || leaf.of === 'answer'),
    ),
    everything: filter.type === 'and' && filter.all.length === 0,
    received: receivedBetween(filter),
  }
}

function receivedBetween(filter: Filter): Range | null {
  if (filter.type === 'time' && filter.of === 'received') {
    const [froms, tos] = [filter.spans.map(({ from }) => from), filter.spans.map(({ to }) => to)]
    return {
      from: froms.includes(null) ? null : Math.min(...froms.map(Number)),
      to: tos.includes(null) ? null : Math.max(...tos.map(Number)),
    }
  }
  if (filter.type !== 'and') return null
  const parts = filter.all.map(receivedBetween).filter((part) => part !== null)
  if (parts.length === 0) return null
  const [froms, tos] = [parts.flatMap(({ from }) => from ?? []), parts.flatMap(({ to }) => to ?? [])]
  return {
    from: froms.length > 0 ? Math.max(...froms) : null,
    to: tos.length > 0 ? Math.min(...tos) : null,
  }
}

/** Whether only deliveries that somebody marked can be members: a table of their own has them, and they are few. */
function isMarkedByHand(filter: Filter): boolean {
  if (filter.type === 'tag') return true
  if (filter.type === 'has') return !filter.what.includes('attempt')
  return filter.type === 'is' && filter.facts.every((fact) => fact === 'pinned')
}

/**
 * Whether no delivery without analysis can be a member. Then the query may start from `analysis`, whose indexes find the members of a
 * kind or verdict without looking at the others; from a LEFT JOIN they could not be used.
 */
function needsAnalysis(filter: Filter): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.some(needsAnalysis)
    case 'or':
      return filter.any.length > 0 && filter.any.every(needsAnalysis)
    case 'kind':
    case 'group':
      return true
    case 'doc':
      return true
    case 'verdict':
      return !filter.verdicts.includes('unjudged')
    case 'is':
      return filter.facts.every(isAnalysed)
    case 'text':
      return /[\p{L}\p{N}]/u.test(filter.text)
    case 'amount':
      return filter.of === 'status' && !filter.none
    case 'time':
      return filter.of === 'timestamp' && !filter.spans.some(({ from, to }) => from === null && to === null)
    case 'word':
      return filter.of !== 'method'
    case 'finding':
      return true
    default:
      return false
  }
}

const isAnalysed = (fact: Is): boolean => fact === 'drift' || fact === 'missed' || isDerivedMark(fact)

function asksAnalysis(leaf: Filter): boolean {
  if (leaf.type === 'is') return leaf.facts.some(isAnalysed)
  if (leaf.type === 'amount') return leaf.of === 'status'
  if (leaf.type === 'time') return leaf.of === 'timestamp'
  if (leaf.type === 'word') return leaf.of !== 'method'
  if (leaf.type === 'has' || leaf.type === 'tag') return false
  if (isOpenedLeaf(leaf)) return leaf.type === 'finding'
  return leaf.type !== 'endpoint' && leaf.type !== 'and' && leaf.type !== 'or' && leaf.type !== 'not'
}

import type { Sort, SortKey } from '#contract/order.ts'
import type { Filter, Range } from '#core/filter/tree.ts'
import type { IdColumn } from '../sql/columns.ts'
import { type Sql, sql } from '../sql/connection.ts'
import { compileFilter, onlyText } from '../sql/filter-sql.ts'
import { DOCUMENT_ID } from './rows.ts'
import { type Rolled, traitsOf } from './traits.ts'

/** Where to query members. The condition may name `:low` and `:high`, the wanted range of ids (members.ts binds them). */
export interface Source {
  readonly from: string
  /** The id column of the query's first table, so that its index gives the order. */
  readonly id: string
  readonly where: Sql
}

/** A set of deliveries in order of arrival, and the strategy that finds its members. */
export type SetPlan = SetSources &
  (
    | {
        /**
         * `everything`: all deliveries; the writer counts them. `text`: the text index alone counts and finds members. `index`: an index
         * finds them; position marks and counts are cached. `volatile`: like `index`, but membership changes, so nothing is cached.
         */
        readonly strategy: 'everything' | 'text' | 'index' | 'volatile'
      }
    | {
        /** The rollups count the members; an index finds them. */
        readonly strategy: 'rollups'
        readonly rolled: Rolled
      }
    | {
        /** No index finds the members, so ranges of ids are scanned, the newest first. */
        readonly strategy: 'search'
        /** Range of arrival in microseconds that can hold members; null when the filter sets none. */
        readonly received: Range | null
      }
  )

export interface SetSources {
  /** Identifies the set: plans with the same key have the same members. */
  readonly key: string
  /** To read rows: has `delivery d` and `analysis a`. */
  readonly rows: Source
  /** The same members from fewer tables, so that an index alone answers. Valid while derived.db has followed every deletion. */
  readonly lean: { readonly verdicts: Source; readonly ids: Source }
  /** Every member is analysed. */
  readonly analysedOnly: boolean
  readonly waitsForAnalysis: boolean
  readonly waitsForAnswer: boolean
  readonly changes: boolean
  readonly opens: boolean
}

/** A set in an order other than arrival: a list of ids, computed once and cached. */
export interface OrderPlan
  extends Pick<SetSources, 'key' | 'waitsForAnalysis' | 'waitsForAnswer' | 'changes'> {
  readonly strategy: 'order'
  readonly set: SetPlan
  readonly by: SortKey
  readonly descending: boolean
  /** Only deliveries up to this id take part. */
  readonly upto: number | undefined
  /** Column of `analysis` whose index gives the first rows before the list is ready. */
  readonly ledBy: string | undefined
}

export type Plan = SetPlan | OrderPlan

/** Type for comparing keys; a missing value sorts first. */
export type KeyType = 'number' | 'text'

export interface OrderKey {
  /** Expression over `delivery d` joined with `analysis a`. */
  readonly sql: string
  readonly type: KeyType
  /** The key is unknown until the delivery is analysed. */
  readonly analysed?: boolean
  /** The key is unknown until the delivery is answered, which the store learns later. */
  readonly answered?: boolean
  /** The key may change at any time: the order is a snapshot of the moment of the request. */
  readonly changes?: boolean
  /** Column of `analysis` with an index in this order, usable when the set is every delivery. */
  readonly led?: string
}

const OF_DOCUMENT = { type: 'text', analysed: true, changes: true } as const
const ofDocument = (fact: 'number' | 'party' | 'total'): string =>
  `coalesce(a.${fact}, (SELECT ${fact} FROM document WHERE id = ${DOCUMENT_ID}))`

export const ORDER_KEYS: Readonly<Record<SortKey, OrderKey>> = {
  arrival: { sql: 'd.id', type: 'number', led: 'delivery_id' },
  kind: { sql: 'a.kind', type: 'text', analysed: true, led: 'kind' },
  // As the list shows it; a later event of the document may still supply it.
  document: { sql: `coalesce(${ofDocument('number')}, a.document_id)`, ...OF_DOCUMENT },
  party: { sql: `lower(${ofDocument('party')})`, ...OF_DOCUMENT },
  total: { sql: `CAST(${ofDocument('total')} AS REAL)`, ...OF_DOCUMENT, type: 'number' },
  verdict: { sql: 'a.verdict', type: 'number', analysed: true, led: 'verdict' },
  tags: { sql: '(SELECT min(tag) FROM tag WHERE delivery_id = d.id)', type: 'text', changes: true },
  endpoint: { sql: 'd.endpoint', type: 'text' },
  answer: { sql: 'd.answer_status', type: 'number', answered: true },
  size: { sql: 'd.size', type: 'number' },
  took: { sql: 'd.took_us', type: 'number', answered: true },
  timestamp: { sql: 'a.instant', type: 'number', analysed: true },
  attempts: {
    sql: '(SELECT count(*) FROM attempt WHERE delivery_id = d.id)',
    type: 'number',
    changes: true,
  },
  method: { sql: 'd.method', type: 'text' },
  path: { sql: 'd.url', type: 'text' },
}

/** Decides how to read a filter in an order; nothing else does. Pure, so that a plan can be printed without a store. */
export function plan(filter: Filter, sort: Sort): OrderPlan
export function plan(filter: Filter, sort?: undefined): SetPlan
export function plan(filter: Filter, sort?: Sort): Plan
export function plan(filter: Filter, sort?: Sort): Plan {
  const set = planSet(filter)
  if (!sort) return set
  const key = ORDER_KEYS[sort.by]
  return {
    strategy: 'order',
    key: `${sort.by} ${set.key}`,
    set,
    by: sort.by,
    descending: sort.descending,
    upto: sort.upto,
    ledBy: set.strategy === 'everything' ? key.led : undefined,
    waitsForAnalysis: set.waitsForAnalysis || key.analysed === true,
    waitsForAnswer: set.waitsForAnswer || key.answered === true,
    changes: set.changes || key.changes === true,
  }
}

const EACH = 'delivery d LEFT JOIN analysis a ON a.delivery_id = d.id'
export const ANALYSIS_FIRST = 'analysis a JOIN delivery d ON d.id = a.delivery_id'
/** CROSS JOIN fixes the order: SQLite would scan a whole kind for the few deliveries that the user marked. */
const MARKED_FIRST = 'delivery d CROSS JOIN analysis a ON a.delivery_id = d.id'

function planSet(filter: Filter): SetPlan {
  const { analysed, byHand, unindexed, waitsForAnalysis, waitsForAnswer, changes, opens, rolled } =
    traitsOf(filter)
  const rows = sourceOf(filter, analysed ? (byHand ? MARKED_FIRST : ANALYSIS_FIRST) : EACH)
  const sources: SetSources = {
    key: JSON.stringify(rows.where),
    rows,
    lean: leanOf(filter, rows),
    analysedOnly: analysed === true,
    waitsForAnalysis: waitsForAnalysis === true,
    waitsForAnswer: waitsForAnswer === true,
    changes: changes === true,
    opens: opens === true,
  }
  if (unindexed) return { ...sources, strategy: 'search', received: receivedBetween(filter) }
  if (changes) return { ...sources, strategy: 'volatile' }
  if (filter.type === 'and' && filter.all.length === 0) return { ...sources, strategy: 'everything' }
  if (onlyText(filter) !== undefined) return { ...sources, strategy: 'text' }
  if (rolled) return { ...sources, strategy: 'rollups', rolled }
  return { ...sources, strategy: 'index' }
}

function sourceOf(filter: Filter, from: string): Source {
  const id: IdColumn = from === EACH || from === MARKED_FIRST ? 'd.id' : 'a.delivery_id'
  return { from, id, where: compileFilter(filter) }
}

function leanOf(filter: Filter, rows: Source): SetSources['lean'] {
  const analysis = { from: 'analysis a', id: 'a.delivery_id' }
  if (filter.type === 'and' && filter.all.length === 0)
    return { verdicts: { ...rows, ...analysis }, ids: rows }
  if (rows.from !== ANALYSIS_FIRST) return { verdicts: rows, ids: rows }
  const where = compileFilter(filter, 'a.delivery_id')
  const verdicts = where.readsDelivery ? rows : { ...analysis, where }
  const text = onlyText(filter)
  if (text === undefined) return { verdicts, ids: verdicts }
  return { verdicts, ids: { from: 'search', id: 'search.rowid', where: sql`search MATCH ${text}` } }
}

/** @returns the range of arrival that holds every member; null when the filter sets none */
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

/** The plan as `acuse events --explain` prints it. */
export function describePlan(plan: Plan): Readonly<Record<string, string>> {
  const set = plan.strategy === 'order' ? plan.set : plan
  const settles = [
    ...(plan.waitsForAnalysis ? ['analysed'] : []),
    ...(plan.waitsForAnswer ? ['answered'] : []),
    ...(plan.changes ? ['never'] : []),
  ]
  const order =
    plan.strategy === 'order' ? { order: `${plan.by}${plan.descending ? ' descending' : ''}` } : {}
  const { received } = set.strategy === 'search' ? set : { received: null }
  const instant = (us: number | null) => (us === null ? '' : new Date(us / 1_000).toISOString())
  return {
    strategy: set.strategy,
    ...order,
    ...(plan.strategy === 'order' && plan.ledBy !== undefined ? { ledBy: plan.ledBy } : {}),
    settles: settles.join(', ') || 'at once',
    ...(received ? { received: `${instant(received.from)}..${instant(received.to)}` } : {}),
    rows: set.rows.from,
    ids: set.lean.ids.from,
    where: set.rows.where.text,
    values: JSON.stringify(set.rows.where.values),
  }
}

import type { Params } from '#contract/commands.ts'
import type {
  DocumentEntry,
  DocumentLife,
  DocumentSort,
  DocumentStepFacts,
  DocumentsPage,
} from '#contract/documents.ts'
import { STEPS_KEPT, VERDICTS } from '#contract/values.ts'
import { type BareStep, type DocumentFilter, lifeOf } from '#core/documents.ts'
import type { Range } from '#core/filter/tree.ts'
import { folded } from '#core/filter/values.ts'
import { FAMILIES, gapBits, gapsOf, kindBit, kindOfNumber, MARK_BITS, verdictRank } from '../sql/columns.ts'
import {
  columns,
  joined,
  numberOrNull,
  Queries,
  RecentlyUsed,
  raw,
  type Sql,
  type SqlRow,
  sql,
  textOrNull,
} from '../sql/connection.ts'
import { isLike, startsWith, within } from '../sql/filter-sql.ts'
import { readProgress } from '../sql/numbers.ts'
import { ROW_COLUMNS, ROW_JOINS, toRow, withAttempts } from './rows.ts'

/** Sort expressions. Totals are stored as the digits sent, so they are compared as numbers. */
const ORDER: Readonly<Record<DocumentSort, string>> = {
  last: 'last_at',
  first: 'first_at',
  kind: 'family',
  number: 'number',
  party: 'party COLLATE NOCASE',
  total: 'CAST(total AS REAL)',
  status: 'status_id',
  events: 'events',
  gaps: 'gaps',
}

/** Orders to cache, and how long to use one while documents change. */
const ORDERS_KEPT = 4
const FRESH_MS = 3_000

interface Order {
  ids: readonly number[]
  /** `analysed_upto` when the ids were read. */
  version: number
  at: number
}

export class Documents extends Queries {
  readonly #orders = new RecentlyUsed<Order>(ORDERS_KEPT)

  page(
    filter: DocumentFilter,
    { gaps, sort, from, limit }: Omit<Params<'documents.page'>, 'query'>,
  ): DocumentsPage {
    const told = compile(filter)
    const where = gaps ? sql`${told} AND (gaps & ${gapBits(gaps)}) <> 0` : told
    const direction = sort.descending ? 'DESC' : 'ASC'
    const order = raw(`${ORDER[sort.by]} ${direction} NULLS LAST, id ${direction}`)
    if (from === 0 && where.text === 'TRUE') {
      const total = this.db.number`SELECT count(*) FROM document`
      const first = this.db.all`SELECT * FROM document ORDER BY ${order} LIMIT ${limit}`
      return { entries: first.map(toEntry), from, total }
    }
    const ids = this.#ordered(where, order)
    const entries = ids.slice(from, from + limit).flatMap((id) => {
      const row = this.db.one`SELECT * FROM document WHERE id = ${id}`
      return row ? toEntry(row) : []
    })
    return { entries, from, total: ids.length }
  }

  /** Call when documents were deleted or the database was replaced. */
  reset(): void {
    this.#orders.clear()
  }

  /** Ids in an order, read once while nothing changes. While deliveries arrive, scrolling keeps one order for FRESH_MS. */
  #ordered(where: Sql, order: Sql): readonly number[] {
    const known = this.#orders.get(JSON.stringify([where, order.text]), () => ({
      ids: [],
      version: -1,
      at: Number.NEGATIVE_INFINITY,
    }))
    const version = readProgress(this.db, 'analysed_upto')
    if (known.version === version || performance.now() - known.at < FRESH_MS) return known.ids
    // One JSON text: a row per id would take ten times as long.
    const ids = this.db
      .value`SELECT json_group_array(id) FROM (SELECT id FROM document WHERE ${where} ORDER BY ${order})`
    known.ids = JSON.parse(String(ids)) as number[]
    known.version = version
    known.at = performance.now()
    return known.ids
  }

  life(key: string): DocumentLife | undefined {
    const entry = this.db.one`SELECT * FROM document WHERE key = ${key}`
    if (!entry) return undefined
    const rows = this.db
      .all`SELECT ${raw(ROW_COLUMNS)}, a.instant AS happened, own.delivery_id AS told, own.issued_at,
        own.document_type, a.party, a.total, a.currency, own.modifies FROM analysis a
        JOIN delivery d ON d.id = a.delivery_id ${raw(ROW_JOINS)} LEFT JOIN document_event own ON own.delivery_id = d.id
        WHERE a.document_key = ${key} ORDER BY a.delivery_id LIMIT ${STEPS_KEPT}`
    const all = this.db.number`SELECT count(*) FROM analysis WHERE document_key = ${key}`
    const attempted = withAttempts(this.db, rows.map(toRow))
    const bare = rows.flatMap((row, place): BareStep[] => {
      const delivery = attempted[place]
      if (!delivery) return []
      const instant = Number(row.happened ?? row.received_at)
      return [{ row: delivery, instant, facts: row.told === null ? null : factsOf(row) }]
    })
    return { entry: toEntry(entry), steps: lifeOf(bare), more: all - rows.length }
  }
}

function compile(filter: DocumentFilter): Sql {
  switch (filter.type) {
    case 'and':
    case 'or': {
      if (filter.parts.length === 0) return filter.type === 'and' ? sql`TRUE` : sql`FALSE`
      return sql`(${joined(filter.parts.map(compile), filter.type === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return sql`NOT (${compile(filter.not)})`
    case 'kinds':
      return sql`(kinds & ${filter.kinds.reduce((sum, kind) => sum | kindBit(kind), 0)}) <> 0`
    case 'verdicts':
      return sql`(verdicts & ${filter.verdicts.reduce((sum, one) => sum | (2 ** verdictRank(one)), 0)}) <> 0`
    case 'marks': {
      const bits = filter.marks.reduce((sum, mark) => (mark === 'synthetic' ? sum : sum | MARK_BITS[mark]), 0)
      const marked = sql`(marks & ${bits}) <> 0`
      return filter.marks.includes('synthetic') ? sql`(${marked} OR recovered > 0)` : marked
    }
    case 'doc':
      return filter.prefix === '' ? sql`TRUE` : startsWith('key', filter.prefix.toLowerCase())
    case 'word': {
      const column = filter.of === 'party' ? 'names' : 'number'
      return sql`coalesce(${anyOf(filter.patterns.map((pattern) => isLike(column, pattern)))}, FALSE)`
    }
    case 'status': {
      const parts = filter.ranges.map((range) => sql`${within('status_id', range)} AND status_id IS NOT NULL`)
      return sql`(${anyOf(filter.none ? [...parts, sql`status_id IS NULL`] : parts)})`
    }
    case 'time':
      return sql`(${anyOf(filter.spans.map(toldIn))})`
    case 'text': {
      // These columns are short: a substring index would cost every event more than this scan costs a query.
      const words = folded(filter.text)
      return sql`coalesce(instr(number, ${words.toUpperCase()}) > 0 OR instr(names, ${words}) > 0 OR instr(key, ${words}) > 0, FALSE)`
    }
  }
}

const anyOf = (parts: readonly Sql[]): Sql => (parts.length > 0 ? joined(parts, ' OR ') : sql`FALSE`)

/** Whether an event lies in a range. For most documents the first or last event decides; only the others are looked through. */
function toldIn(range: Range): Sql {
  const { from, to } = range
  const ends = sql`${within('first_at', range)} OR ${within('last_at', range)}`
  if (from === null || to === null) return sql`(${ends})`
  return sql`(${ends} OR (first_at < ${from} AND last_at > ${to} AND EXISTS (SELECT 1 FROM analysis a
    JOIN document_event e ON e.delivery_id = a.delivery_id WHERE a.document_key = document.key AND ${within('e.instant', range)})))`
}

function toEntry(row: SqlRow): DocumentEntry {
  const verdicts = Number(row.verdicts)
  return {
    ...columns(row, String, 'key', 'documentId'),
    ...columns(row, textOrNull, 'number', 'party', 'total', 'currency'),
    ...columns(row, Number, 'events', 'recovered', 'firstAt', 'lastAt'),
    family: FAMILIES[Number(row.family)] ?? 'invoice',
    statusId: numberOrNull(row.status_id),
    lastKind: kindOfNumber(Number(row.last_kind))?.kind ?? 'factura.created',
    gaps: gapsOf(Number(row.gaps)),
    verdict: VERDICTS.findLast((_, place) => (verdicts & (2 ** place)) !== 0) ?? 'valid',
  }
}

const factsOf = (row: SqlRow): DocumentStepFacts => ({
  ...columns(row, numberOrNull, 'issuedAt', 'documentType'),
  ...columns(row, textOrNull, 'number', 'party', 'total', 'currency', 'modifies'),
})

import type {
  DocumentEntry,
  DocumentLife,
  DocumentSort,
  DocumentStepFacts,
  DocumentsPage,
} from '#contract/documents.ts'
import { STEPS_KEPT, VERDICTS } from '#contract/values.ts'
import type { DocumentFilter } from '#core/documents/document-filter.ts'
import { type BareStep, lifeOf } from '#core/documents/life.ts'
import { folded } from '#core/filter/glob.ts'
import type { Range } from '#core/filter/tree.ts'
import type { DocumentsQuery } from '#core/ports.ts'
import { FAMILIES, gapBits, gapsOf, kindBit, kindOfNumber, MARK_BITS, verdictRank } from '../sql/columns.ts'
import { numberOrNull, RecentlyUsed, type SqlRow, type Statements, textOrNull } from '../sql/connection.ts'
import { isLike, startsWith } from '../sql/filter-sql.ts'
import { readProgress } from '../sql/numbers.ts'
import { ROW_COLUMNS, toRow, withAttempts } from './rows.ts'

/** What documents are sorted by. Totals are digits as sent; their value is what counts. */
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

type Value = string | number

/** Orders kept, and how long one is used while documents change. */
const ORDERS_KEPT = 4
const FRESH_MS = 3_000

interface Order {
  ids: readonly number[]
  /** Up to which delivery analysis had come. */
  version: number
  at: number
}

/** Documents as analysis keeps them. */
export class Documents {
  readonly #statements: Statements
  readonly #orders = new RecentlyUsed<Order>(ORDERS_KEPT)

  constructor(statements: Statements) {
    this.#statements = statements
  }

  page(filter: DocumentFilter, { gaps, sort, from, limit }: DocumentsQuery): DocumentsPage {
    const params: Value[] = []
    const parts = [compile(filter, (value) => params.push(value))]
    if (gaps) {
      parts.push('(gaps & ?) <> 0')
      params.push(gapBits(gaps))
    }
    const where = parts.join(' AND ')
    const direction = sort.descending ? 'DESC' : 'ASC'
    const order = `${ORDER[sort.by]} ${direction} NULLS LAST, id ${direction}`
    if (from === 0 && where === 'TRUE') {
      const total = Number(this.#statements.get('SELECT count(*) AS n FROM document').get()?.n)
      const first = this.#statements.get(`SELECT * FROM document ORDER BY ${order} LIMIT ?`).all(limit)
      return { entries: first.map(toEntry), from, total }
    }
    const ids = this.#ordered(where, params, order)
    const one = this.#statements.get('SELECT * FROM document WHERE id = ?')
    const entries = ids
      .slice(from, from + limit)
      .map((id) => one.get(id))
      .filter((row) => row !== undefined)
      .map(toEntry)
    return { entries, from, total: ids.length }
  }

  /** Forgets orders: documents went, or another database took over. */
  reset(): void {
    this.#orders.clear()
  }

  /** Ids in an order, looked up once while nothing changes; while deliveries arrive, scrolling keeps to one order for a moment. */
  #ordered(where: string, params: readonly Value[], order: string): readonly number[] {
    const known = this.#orders.get(JSON.stringify([where, params, order]), () => ({
      ids: [],
      version: -1,
      at: Number.NEGATIVE_INFINITY,
    }))
    const version = readProgress(this.#statements, 'analysed_upto')
    if (known.version === version || performance.now() - known.at < FRESH_MS) return known.ids
    // As one text: a row for each of them would take ten times as long to hand over.
    const row = this.#statements
      .get(
        `SELECT json_group_array(id) AS ids FROM (SELECT id FROM document WHERE ${where} ORDER BY ${order})`,
      )
      .get(...params)
    known.ids = JSON.parse(String(row?.ids)) as number[]
    known.version = version
    known.at = performance.now()
    return known.ids
  }

  life(key: string): DocumentLife | undefined {
    const entry = this.#statements.get('SELECT * FROM document WHERE key = ?').get(key)
    if (!entry) return undefined
    const rows = this.#statements
      .get(
        `SELECT ${ROW_COLUMNS}, a.instant AS happened, e.delivery_id AS told, e.issued_at, e.document_type, e.party, e.total, e.currency,
           e.modifies FROM analysis a JOIN delivery d ON d.id = a.delivery_id
         LEFT JOIN document_event e ON e.delivery_id = a.delivery_id WHERE a.document_key = ? ORDER BY a.delivery_id LIMIT ?`,
      )
      .all(key, STEPS_KEPT)
    const all = this.#statements.get('SELECT count(*) AS n FROM analysis WHERE document_key = ?').get(key)
    const attempted = withAttempts(this.#statements, rows.map(toRow))
    const bare = rows.flatMap((row, place): BareStep[] => {
      const delivery = attempted[place]
      if (!delivery) return []
      const instant = Number(row.happened ?? row.received_at)
      return [{ row: delivery, instant, facts: row.told === null ? null : factsOf(row) }]
    })
    return { entry: toEntry(entry), steps: lifeOf(bare), more: Number(all?.n) - rows.length }
  }
}

function compile(filter: DocumentFilter, bind: (value: Value) => unknown): string {
  const bound = (sql: string, value: Value): string => {
    bind(value)
    return sql
  }
  switch (filter.type) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => compile(part, bind))
      if (parts.length === 0) return filter.type === 'and' ? 'TRUE' : 'FALSE'
      return `(${parts.join(filter.type === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return `NOT (${compile(filter.not, bind)})`
    case 'kinds':
      return bound(
        '(kinds & ?) <> 0',
        filter.kinds.reduce((sum, kind) => sum | kindBit(kind), 0),
      )
    case 'verdicts':
      return bound(
        '(verdicts & ?) <> 0',
        filter.verdicts.reduce((sum, one) => sum | (2 ** verdictRank(one)), 0),
      )
    case 'marks': {
      const bits = filter.marks.reduce((sum, mark) => (mark === 'synthetic' ? sum : sum | MARK_BITS[mark]), 0)
      const marked = bound('(marks & ?) <> 0', bits)
      return filter.marks.includes('synthetic') ? `(${marked} OR recovered > 0)` : marked
    }
    case 'doc': {
      if (filter.prefix === '') return 'TRUE'
      return startsWith('key', filter.prefix.toLowerCase(), (value) => bound('?', value))
    }
    case 'word': {
      const column = filter.of === 'party' ? 'names' : 'number'
      const parts = filter.patterns.map((pattern) => isLike(column, pattern, (value) => bound('?', value)))
      return `coalesce(${parts.join(' OR ') || 'FALSE'}, FALSE)`
    }
    case 'status': {
      const parts = filter.ranges.map(({ from, to }) =>
        [
          ...(from === null ? [] : [bound('status_id >= ?', from)]),
          ...(to === null ? [] : [bound('status_id <= ?', to)]),
          'status_id IS NOT NULL',
        ].join(' AND '),
      )
      if (filter.none) parts.push('status_id IS NULL')
      return `(${parts.join(' OR ') || 'FALSE'})`
    }
    case 'time':
      return `(${filter.spans.map((span) => toldIn(span, bound)).join(' OR ') || 'FALSE'})`
    case 'text': {
      // Columns of few characters: an index of their parts would cost every event more than this look costs a question.
      const words = folded(filter.text)
      const number = bound('instr(number, ?) > 0', words.toUpperCase())
      const names = bound('instr(names, ?) > 0', words)
      return `coalesce(${number} OR ${names} OR ${bound('instr(key, ?) > 0', words)}, FALSE)`
    }
  }
}

/** Whether an event lies in a stretch: most documents tell by their first or last one, and only the others are looked through. */
function toldIn({ from, to }: Range, bound: (sql: string, value: Value) => string): string {
  const within = (column: string): string =>
    [
      ...(from === null ? [] : [bound(`${column} >= ?`, from)]),
      ...(to === null ? [] : [bound(`${column} <= ?`, to)]),
      'TRUE',
    ].join(' AND ')
  const ends = `${within('first_at')} OR ${within('last_at')}`
  if (from === null || to === null) return `(${ends})`
  const around = `${bound('first_at < ?', from)} AND ${bound('last_at > ?', to)}`
  return `(${ends} OR (${around} AND EXISTS (SELECT 1 FROM analysis a JOIN document_event e ON e.delivery_id = a.delivery_id
    WHERE a.document_key = document.key AND ${within('e.instant')})))`
}

function toEntry(row: SqlRow): DocumentEntry {
  const verdicts = Number(row.verdicts)
  return {
    key: String(row.key),
    documentId: String(row.document_id),
    family: FAMILIES[Number(row.family)] ?? 'invoice',
    number: textOrNull(row.number),
    party: textOrNull(row.party),
    total: textOrNull(row.total),
    currency: textOrNull(row.currency),
    statusId: numberOrNull(row.status_id),
    lastKind: kindOfNumber(Number(row.last_kind))?.kind ?? 'factura.created',
    events: Number(row.events),
    recovered: Number(row.recovered),
    firstAt: Number(row.first_at),
    lastAt: Number(row.last_at),
    gaps: gapsOf(Number(row.gaps)),
    verdict: VERDICTS.findLast((_, place) => (verdicts & (2 ** place)) !== 0) ?? 'valid',
  }
}

function factsOf(row: SqlRow): DocumentStepFacts {
  return {
    issuedAt: numberOrNull(row.issued_at),
    documentType: numberOrNull(row.document_type),
    number: textOrNull(row.number),
    party: textOrNull(row.party),
    total: textOrNull(row.total),
    currency: textOrNull(row.currency),
    modifies: textOrNull(row.modifies),
  }
}

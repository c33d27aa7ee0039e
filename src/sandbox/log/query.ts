import { isUtf8 } from 'node:buffer'
import type { DatabaseSync } from 'node:sqlite'
import { kindSpec } from '#catalog/kinds.ts'
import type {
  SandboxLogBrief,
  SandboxLogEntry,
  SandboxLogQuery,
  SandboxOutcome,
  SandboxState,
} from '#contract/sandbox.ts'

/** As the service records it: any 2xx is `delivered`, any other answer `refused`; `cut` comes from the laboratory. */
export type AttemptOutcome = Exclude<SandboxOutcome, 'lost' | 'not-dispatched'>

export interface Answer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
  readonly truncated: boolean
}

export type Deed = SandboxLogBrief['deeds'][number]

export const DEEDS = {
  held: 'held back, later events went past',
  outage: 'outage of the receiver',
  lost: 'lost on purpose',
  delayed: 'delayed',
  cut: 'cut in the middle of the body',
  again: 'sent a second time',
} as const satisfies Record<Deed['code'], string>

export interface Failure {
  readonly code: NonNullable<SandboxLogBrief['errorCode']>
  readonly message: string
}

export interface NewEntry
  extends Pick<SandboxLogBrief, 'type' | 'run' | 'seq' | 'kind' | 'subject' | 'cause' | 'outcome' | 'lost'>,
    Pick<SandboxLogBrief, 'durationMs' | 'method' | 'url'> {
  /** The subscription or the receiving plugin. */
  readonly target: SandboxLogBrief['subscription']
  readonly laboratory: readonly Deed[]
  readonly error: Failure | null
  readonly at: number
  /** Null when nothing was sent. */
  readonly requestHead: string | null
  readonly requestBody: Buffer
  readonly answer: Answer | null
}

/** An event, recorded even without a subscriber, since a later event may supersede a lost one. */
export interface Occurrence {
  readonly seq: number
  readonly kind: string
  readonly subject: string
  readonly statusId: number | null
  readonly at: number
}

/** Looks up a document's present facts; undefined for an unknown id. */
export type FactsOf = (id: string) => NonNullable<SandboxLogBrief['document']> | undefined

/** SQL for number, party, total and currency in an event's body. Skips bodies longer than any that the sandbox makes. */
const STATED = `(SELECT json_array(${[
  `body ->> '$.data.Number'`,
  `coalesce(body ->> '$.data.CustomerName', body ->> '$.data.SupplierName')`,
  `body -> '$.data.Accounting.Total'`,
  `body ->> '$.data.Accounting.CurrencyCode'`,
]
  .map((value) => `substr(CAST(${value} AS TEXT), 1, 200)`)
  .join()}) FROM (SELECT CAST(request_body AS TEXT) AS body) WHERE length(body) < 262144 AND json_valid(body))`

export type LogQuery = SandboxLogQuery & Required<Pick<SandboxLogQuery, 'order' | 'limit'>>

const SUPERSEDED_BY = `(SELECT min(e.seq) FROM events e WHERE log.lost AND e.subject = log.subject AND e.seq > log.seq
  AND supersedes(log.kind, log.status_id, e.kind, e.status_id))`
const BRIEF = `id, type, run, seq, kind, subject, status_id AS statusId, ${STATED} AS stated, cause, target_id, target_name, outcome, lost, laboratory, error, error_code AS errorCode, at,
  duration_ms AS durationMs,  method, url, answer_status AS status, ${SUPERSEDED_BY} AS supersededBy`
const FULL = `${BRIEF}, request_head, request_body, answer_head, answer_body, answer_truncated`
const SEARCHED = 'kind subject url target_name error request_head request_body answer_head answer_body'.split(
  ' ',
)

type Row = Readonly<Record<string, unknown>>

export const readBriefs = (db: DatabaseSync, query: LogQuery, factsOf: FactsOf): SandboxLogBrief[] =>
  rowsOf(db, BRIEF, query).map((row) => brief(row, factsOf))
export const readEntries = (db: DatabaseSync, query: LogQuery, factsOf: FactsOf): SandboxLogEntry[] =>
  rowsOf(db, FULL, query).map((row) => full(row, factsOf))

function rowsOf(db: DatabaseSync, columns: string, query: LogQuery): Row[] {
  const { where, values } = conditions(query)
  if (query.after !== undefined) {
    where.push(query.order === 'oldest' ? 'id > ?' : 'id < ?')
    values.push(query.after)
  }
  const order = query.order === 'oldest' ? 'ASC' : 'DESC'
  return db
    .prepare(`SELECT ${columns} FROM log ${clause(where)} ORDER BY id ${order} LIMIT ?`)
    .all(...values, query.limit)
}

export function readEntry(db: DatabaseSync, id: number, factsOf: FactsOf): SandboxLogEntry | undefined {
  const row = db.prepare(`SELECT ${FULL} FROM log WHERE id = ?`).get(id)
  return row && full(row, factsOf)
}

export function countLog(db: DatabaseSync, query: SandboxLogQuery): number {
  const { where, values } = conditions(query)
  return Number(db.prepare(`SELECT count(*) AS n FROM log ${clause(where)}`).get(...values)?.n)
}

export type LogCounts = SandboxState['log']

/** @param run counts only this run's entries, connection tests and plugin events included; default: all events */
export function logCounts(db: DatabaseSync, run?: string): LogCounts {
  const rows = db
    .prepare(
      `SELECT outcome, count(*) AS n, sum(lost) AS lost FROM log
        WHERE ${run === undefined ? `type = 'event'` : 'run = ?'} GROUP BY outcome`,
    )
    .all(...(run === undefined ? [] : [run]))
  return {
    outcomes: Object.fromEntries(rows.map((row) => [String(row.outcome), Number(row.n)])),
    lost: rows.reduce((sum, row) => sum + Number(row.lost), 0),
  }
}

function conditions(query: SandboxLogQuery) {
  const where: string[] = []
  const values: (string | number)[] = []
  const { type, outcome, kind, subject, subscription: target_id, run } = query
  for (const [column, value] of Object.entries({ type, outcome, kind, subject, target_id, run })) {
    if (value === undefined) continue
    where.push(`${column} = ?`)
    values.push(value)
  }
  if (target_id !== undefined) where.push(`type <> 'plugin'`)
  if (query.lost !== undefined) where.push(query.lost ? 'lost' : 'NOT lost')
  if (query.superseded !== undefined) where.push(`${SUPERSEDED_BY} IS ${query.superseded ? 'NOT ' : ''}NULL`)
  if (query.q !== undefined) {
    where.push(`(${SEARCHED.map((column) => `CAST(${column} AS TEXT) LIKE ? ESCAPE '\\'`).join(' OR ')})`)
    const pattern = `%${query.q.replace(/[\\%_]/g, '\\$&')}%`
    values.push(...SEARCHED.map(() => pattern))
  }
  return { where, values }
}

const clause = (where: readonly string[]): string =>
  where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`

/** Entries of an earlier version hold sentences instead of codes. */
const sentence = (deed: Deed | string): string =>
  typeof deed === 'string'
    ? deed
    : deed.ms === undefined
      ? DEEDS[deed.code]
      : `${DEEDS[deed.code]} by ${deed.ms} ms`

/** Columns that an entry takes unchanged. */
type AsStored = Omit<SandboxLogBrief, 'document' | 'subscription' | 'lost' | 'laboratory' | 'deeds' | 'at'>

function brief(
  { target_id, target_name, lost, laboratory, at, stated, ...row }: Row,
  factsOf: FactsOf,
): SandboxLogBrief {
  const deeds: readonly (Deed | string)[] = JSON.parse(String(laboratory))
  return {
    ...(row as AsStored),
    document: documentOf(row as AsStored, stated, factsOf),
    subscription: { id: Number(target_id), name: String(target_name) },
    lost: lost === 1,
    laboratory: deeds.map(sentence),
    deeds: deeds.filter((deed) => typeof deed !== 'string'),
    at: new Date(Number(at)).toISOString(),
  }
}

function documentOf(
  { type, kind, subject }: AsStored,
  stated: unknown,
  factsOf: FactsOf,
): SandboxLogBrief['document'] {
  const family = kindSpec(kind)?.group
  if (type !== 'event' || family === undefined || family === 'contacts' || family === 'catalog') return null
  const [number = null, party = null, total = null, currency = null]: (string | null)[] =
    stated === null ? [] : JSON.parse(String(stated))
  const own = { number, party, total, currency }
  const known = subject !== null && (party === null || total === null) ? factsOf(subject) : undefined
  if (!known) return number === null ? null : own
  return {
    number: number ?? known.number,
    party: party ?? known.party,
    total: total ?? known.total,
    currency: currency ?? known.currency,
  }
}

function full(
  { request_head, request_body, answer_head, answer_body, answer_truncated, ...row }: Row,
  factsOf: FactsOf,
) {
  const request = { head: request_head as string | null, body: bytes(request_body).toString('utf8') }
  if (row.status === null) return { ...brief(row, factsOf), request, answer: null }
  const body = bytes(answer_body)
  const encoding = isUtf8(body) ? 'utf8' : 'base64'
  const answer = {
    status: Number(row.status),
    head: String(answer_head),
    body: body.toString(encoding),
    encoding,
    truncated: answer_truncated === 1,
  } as const
  return { ...brief(row, factsOf), request, answer }
}

const bytes = (value: unknown): Buffer => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0))

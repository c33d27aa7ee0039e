import { isUtf8 } from 'node:buffer'
import type { DatabaseSync } from 'node:sqlite'

/** As the service records it: any 2xx is `delivered`, any other answer `refused`; `cut` is the laboratory's doing. */
export type AttemptOutcome = 'delivered' | 'refused' | 'failed' | 'timed-out' | 'cut'

export interface Answer {
  readonly status: number
  /** Status line and headers as they came. */
  readonly head: string
  /** At most ANSWER_LIMIT bytes of it. */
  readonly body: Buffer
  readonly truncated: boolean
}

/** `event` is what counts; connectivity tests and plugin events are logged apart. */
export const ENTRY_TYPES = ['event', 'test', 'plugin'] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** What became of an event at one subscription: what the attempt came to, or why there was none. */
export const OUTCOMES = [
  ...(['delivered', 'refused', 'failed', 'timed-out', 'cut'] as const),
  ...(['lost', 'not-dispatched'] as const),
] as const
export type Outcome = AttemptOutcome | (typeof OUTCOMES)[number]

/** What the laboratory did to a delivery. */
export interface Deed {
  readonly code: keyof typeof DEEDS
  /** Of a delay. */
  readonly ms?: number
}

/** In English, for the log's readers. */
export const DEEDS = {
  held: 'held back, later events went past',
  outage: 'outage of the receiver',
  lost: 'lost on purpose',
  delayed: 'delayed',
  cut: 'cut in the middle of the body',
  again: 'sent a second time',
} as const

/** Why nothing was sent, or why an attempt failed: a stable code, and a sentence that may say more. */
export interface Failure {
  readonly code:
    | 'plan'
    | 'queue-full'
    | 'subscription-removed'
    | 'stopped'
    | 'timeout'
    | 'cut'
    | 'no-answer'
    | 'answer-broken'
    | 'certificate'
    | 'not-tls'
    | 'connection'
  readonly message: string
}

/** An entry of the execution log as it is written. */
export interface NewEntry {
  readonly type: EntryType
  /** The call that caused it, so that its caller can follow it; null for traffic. */
  readonly run: string | null
  /** Of the event; null when the entry is about none. */
  readonly seq: number | null
  readonly kind: string
  readonly subject: string | null
  readonly cause: string
  /** Subscription, or the receiving plugin. */
  readonly target: { readonly id: number; readonly name: string }
  readonly outcome: Outcome
  /** The event did not reach this target, by whatever cause. False for an entry about a further sending of the same event. */
  readonly lost: boolean
  readonly laboratory: readonly Deed[]
  readonly error: Failure | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly durationMs: number | null
  readonly method: string
  readonly url: string
  /** Null when nothing was sent. */
  readonly requestHead: string | null
  readonly requestBody: Buffer
  readonly answer: Answer | null
}

/** An event that occurred, with or without subscribers: needed to tell what superseded a lost one. */
export interface Occurrence {
  readonly seq: number
  readonly kind: string
  readonly subject: string
  /** `data.StatusId` where the event carries one. */
  readonly statusId: number | null
  readonly at: number
}

export interface LogQuery {
  readonly type?: EntryType | undefined
  readonly outcome?: Outcome | undefined
  readonly lost?: boolean | undefined
  readonly superseded?: boolean | undefined
  readonly kind?: string | undefined
  readonly subject?: string | undefined
  readonly subscription?: number | undefined
  readonly run?: string | undefined
  /** Text looked for in kind, subject, address, request, answer and error, whatever its case. */
  readonly q?: string | undefined
  readonly order: 'oldest' | 'newest'
  /** The last id of the page before. */
  readonly after?: number | undefined
  readonly limit: number
}

/** An entry of the execution log without its requests and answers. */
export interface BriefEntry {
  readonly id: number
  readonly type: EntryType
  readonly run: string | null
  readonly seq: number | null
  readonly kind: string
  readonly subject: string | null
  readonly cause: string
  readonly subscription: { readonly id: number; readonly name: string }
  readonly outcome: Outcome
  readonly lost: boolean
  /** Number of the event that left no trace of this lost one. */
  readonly supersededBy: number | null
  /** What the laboratory did, in English; `deeds` has the codes, in the same order. */
  readonly laboratory: readonly string[]
  readonly deeds: readonly Deed[]
  /** In English; `errorCode` is stable. */
  readonly error: string | null
  readonly errorCode: string | null
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly durationMs: number | null
  readonly method: string
  readonly url: string
  readonly status: number | null
}

export interface FullEntry extends BriefEntry {
  /** `head` is null when nothing was sent; then `body` is what would have been. */
  readonly request: { readonly head: string | null; readonly body: string }
  readonly answer: {
    readonly status: number
    readonly head: string
    readonly body: string
    /** How `body` stands here: text where the answer was UTF-8, else base64. */
    readonly encoding: 'utf8' | 'base64'
    readonly truncated: boolean
  } | null
}

const SUPERSEDED_BY = `(SELECT min(e.seq) FROM events e WHERE log.lost AND e.subject = log.subject AND e.seq > log.seq
  AND supersedes(log.kind, log.status_id, e.kind, e.status_id))`
const BRIEF = `id, type, run, seq, kind, subject, cause, target_id, target_name, outcome, lost, laboratory, error, error_code, at, duration_ms,
  method, url, answer_status, ${SUPERSEDED_BY} AS superseded_by`
const FULL = `${BRIEF}, request_head, request_body, answer_head, answer_body, answer_truncated`
const SEARCHED = [
  'kind',
  'subject',
  'url',
  'target_name',
  'error',
  'request_head',
  'request_body',
  'answer_head',
  'answer_body',
]

type Row = Readonly<Record<string, unknown>>

/** One page of the log. */
export function readLog(db: DatabaseSync, query: LogQuery & { readonly brief: true }): BriefEntry[]
export function readLog(db: DatabaseSync, query: LogQuery & { readonly brief: false }): FullEntry[]
export function readLog(db: DatabaseSync, query: LogQuery & { readonly brief: boolean }): BriefEntry[] {
  const { where, values } = conditions(query)
  if (query.after !== undefined) {
    where.push(query.order === 'oldest' ? 'id > ?' : 'id < ?')
    values.push(query.after)
  }
  const order = query.order === 'oldest' ? 'ASC' : 'DESC'
  const rows = db
    .prepare(`SELECT ${query.brief ? BRIEF : FULL} FROM log ${clause(where)} ORDER BY id ${order} LIMIT ?`)
    .all(...values, query.limit)
  return rows.map(query.brief ? brief : full)
}

export function readEntry(db: DatabaseSync, id: number): FullEntry | undefined {
  const row = db.prepare(`SELECT ${FULL} FROM log WHERE id = ?`).get(id)
  return row === undefined ? undefined : full(row)
}

/** How many entries a query finds, whatever its page. */
export function countLog(db: DatabaseSync, query: Omit<LogQuery, 'order' | 'limit'>): number {
  const { where, values } = conditions(query)
  return Number(db.prepare(`SELECT count(*) AS n FROM log ${clause(where)}`).get(...values)?.n)
}

export interface LogCounts {
  /** Entries about events by outcome; tests and plugin events are in no count. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly lost: number
}

export function logCounts(db: DatabaseSync): LogCounts {
  const rows = db
    .prepare(
      `SELECT outcome, count(*) AS n, sum(lost) AS lost FROM log WHERE type = 'event' GROUP BY outcome`,
    )
    .all()
  return {
    outcomes: Object.fromEntries(rows.map((row) => [String(row.outcome), Number(row.n)])),
    lost: rows.reduce((sum, row) => sum + Number(row.lost), 0),
  }
}

function conditions(query: Omit<LogQuery, 'order' | 'limit'>) {
  const where: string[] = []
  const values: (string | number)[] = []
  const equal = (column: string, value: string | number | undefined) => {
    if (value === undefined) return
    where.push(`${column} = ?`)
    values.push(value)
  }
  equal('type', query.type)
  equal('outcome', query.outcome)
  equal('kind', query.kind)
  equal('subject', query.subject)
  if (query.subscription !== undefined) where.push(`type <> 'plugin'`)
  equal('target_id', query.subscription)
  equal('run', query.run)
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

/** Entries of an earlier version have sentences only. */
const sentence = (deed: Deed | string): string =>
  typeof deed === 'string'
    ? deed
    : deed.ms === undefined
      ? DEEDS[deed.code]
      : `${DEEDS[deed.code]} by ${deed.ms} ms`

function brief(row: Row): BriefEntry {
  const deeds: readonly (Deed | string)[] = JSON.parse(String(row.laboratory))
  return {
    id: Number(row.id),
    type: row.type as EntryType,
    run: row.run as string | null,
    seq: row.seq as number | null,
    kind: String(row.kind),
    subject: row.subject as string | null,
    cause: String(row.cause),
    subscription: { id: Number(row.target_id), name: String(row.target_name) },
    outcome: row.outcome as Outcome,
    lost: row.lost === 1,
    supersededBy: row.superseded_by as number | null,
    laboratory: deeds.map(sentence),
    deeds: deeds.filter((deed) => typeof deed !== 'string'),
    error: row.error as string | null,
    errorCode: row.error_code as string | null,
    at: new Date(Number(row.at)).toISOString(),
    durationMs: row.duration_ms as number | null,
    method: String(row.method),
    url: String(row.url),
    status: row.answer_status as number | null,
  }
}

function full(row: Row): FullEntry {
  const request = { head: row.request_head as string | null, body: bytes(row.request_body).toString('utf8') }
  if (row.answer_status === null) return { ...brief(row), request, answer: null }
  const body = bytes(row.answer_body)
  const readable = isUtf8(body)
  return {
    ...brief(row),
    request,
    answer: {
      status: Number(row.answer_status),
      head: String(row.answer_head),
      body: body.toString(readable ? 'utf8' : 'base64'),
      encoding: readable ? 'utf8' : 'base64',
      truncated: row.answer_truncated === 1,
    },
  }
}

const bytes = (value: unknown): Buffer => (value instanceof Uint8Array ? Buffer.from(value) : Buffer.alloc(0))

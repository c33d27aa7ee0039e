import type { Header } from '#contract/delivery.ts'
import { headerRows } from '#contract/headers.ts'
import type { AttemptDetail, AttemptError, AttemptRow, AttemptState } from '#contract/replay.ts'
import { ATTEMPT_STATES } from '#contract/values.ts'
import type { EndedAttempt, Ledger, NewAttempt } from '#core/replay/ports.ts'
import { asBuffer } from '../body/stored-body.ts'
import { FAILED_ATTEMPT } from '../sql/columns.ts'
import {
  columns,
  numberOrNull,
  Queries,
  raw,
  type Sql,
  type SqlRow,
  type Statements,
  sql,
  textOrNull,
} from '../sql/connection.ts'
import { packHeaders, unpackHeaders } from '../wire/record.ts'
import type { Bodies } from './bodies.ts'
import type { Lanes } from './lanes.ts'

/** Bytes of an answer in which to look for its first line. */
const LINE_BYTES = 800
const ROW = sql`t.id, t.delivery_id, t.job, f.name AS forward, t.state, t.ok, t.status, t.started_at, t.took_us, t.answer_size, t.edited,
  t.again, t.try, t.imported, t.target, t.method, t.url, t.answer_digest, t.error,
  CASE WHEN t.ok = 0 THEN (SELECT substr(bytes, 1, ${LINE_BYTES}) FROM body WHERE id = t.answer_body) END AS line`
const FROM = sql`attempt t LEFT JOIN forward f ON f.id = t.forward`

const TIMINGS = ['lookupUs', 'connectUs', 'tlsUs', 'sendUs', 'waitUs', 'receiveUs'] as const

type Query = Parameters<Ledger['attempts']>[0]

export class AttemptReader extends Queries {
  list({ of, before, after, limit, failed }: Query): AttemptRow[] {
    const rising = after !== undefined && before === undefined
    const beyond = rising ? sql`t.id > ${after}` : sql`t.id < ${before ?? Number.MAX_SAFE_INTEGER}`
    return this.db
      .all`SELECT ${ROW} FROM ${FROM} WHERE ${ownerOf(of)} AND ${beyond} AND ${failed ? FAILED_ATTEMPT : sql`TRUE`}
      ORDER BY t.id ${raw(rising ? 'ASC' : 'DESC')} LIMIT ${limit}`.map(toRow)
  }

  get(id: number, reveal: boolean): AttemptDetail | undefined {
    const row = this.db
      .one`SELECT ${ROW}, t.body_size, t.answer_kept, t.lookup_us, t.connect_us, t.tls_us, t.send_us, t.wait_us,
        t.receive_us, t.address, t.reused, t.status_text, t.secret_names, t.headers, t.answer_headers
        FROM ${FROM} WHERE t.id = ${id}`
    if (!row) return undefined
    const secret = new Set(reveal || row.secret_names === null ? [] : String(row.secret_names).split(','))
    const attempt = toRow(row)
    const kept = Number(row.answer_kept ?? 0)
    return {
      ...attempt,
      request: { headers: headersOf(row.headers, secret), size: Number(row.body_size) },
      answer:
        attempt.status === null
          ? null
          : {
              status: attempt.status,
              statusText: String(row.status_text ?? ''),
              headers: headersOf(row.answer_headers, new Set()),
              kept,
              truncated: kept < (attempt.answerSize ?? 0),
            },
      timings: columns(row, numberOrNull, ...TIMINGS),
      address: textOrNull(row.address),
      reusedConnection: row.reused === 1,
    }
  }
}

function ownerOf(of: Query['of']): Sql {
  if ('delivery' in of) return sql`t.delivery_id = ${of.delivery}`
  if ('job' in of) return sql`t.job = ${of.job}`
  return sql`t.forward = (SELECT id FROM forward WHERE name = ${of.forward})`
}

function toRow(row: SqlRow): AttemptRow {
  return {
    ...columns(row, Number, 'id', 'deliveryId', 'startedAt'),
    ...columns(row, String, 'target', 'method', 'url'),
    ...columns(row, numberOrNull, 'tookUs', 'status', 'answerSize'),
    origin:
      row.job !== null
        ? { by: 'job', job: Number(row.job) }
        : row.forward !== null
          ? { by: 'forward', forward: String(row.forward) }
          : { by: 'hand' },
    state: ATTEMPT_STATES[Number(row.state)] ?? 'uncertain',
    ok: row.ok === null ? null : row.ok === 1,
    // AttemptWriter wrote this JSON.
    error: row.error === null ? null : (JSON.parse(String(row.error)) as AttemptError),
    answerDigest: textOrNull(row.answer_digest),
    answerLine: row.line instanceof Uint8Array ? lineOf(row.line) : null,
    edited: row.edited === 1,
    again: row.again === 1,
    tryNumber: Number(row.try),
    imported: row.imported === 1,
  }
}

/** The first line that is not blank; null for bytes that are no UTF-8 text, such as a compressed body. */
function lineOf(bytes: Uint8Array): string | null {
  // `stream` allows an incomplete character at the end only.
  const lines = new TextDecoder().decode(bytes, { stream: true }).split(/[\r\n]+/)
  const line = lines
    .find((one) => one.trim() !== '')
    ?.replaceAll('\t', ' ')
    .trim()
    .slice(0, 200)
  return line === undefined || /[\p{Cc}\ufffd]/u.test(line) ? null : line
}

function headersOf(packed: unknown, secret: ReadonlySet<string>): Header[] {
  return headerRows(unpackHeaders(asBuffer(packed))).map((header) =>
    secret.has(header.name.toLowerCase())
      ? { ...header, value: `${header.value.length} characters`, masked: true }
      : header,
  )
}

/** The stored number of a state. The schema's indexes contain the numbers of `sending` and `uncertain`. */
export const stateNumber = (state: AttemptState): number => ATTEMPT_STATES.indexOf(state)

/** Records the start and the end of attempts, and updates their queue entries. The caller handles transactions. */
export class AttemptWriter extends Queries {
  readonly #lanes: Lanes
  readonly #bodies: Bodies
  readonly #forward: (name: string) => number

  constructor(statements: Statements, lanes: Lanes, bodies: Bodies, forward: (name: string) => number) {
    super(statements)
    this.#lanes = lanes
    this.#bodies = bodies
    this.#forward = forward
  }

  begin(attempt: NewAttempt): void {
    if (attempt.item) this.#lanes.begin(attempt.item, attempt.tryNumber)
    this.db.insert('INTO attempt', { ...this.#begun(attempt), state: stateNumber('sending') })
  }

  /** Records an uncertain attempt of another host; one that this host began is on record already. */
  doubt(attempt: NewAttempt): void {
    const row = { ...this.#begun(attempt), state: stateNumber('uncertain') }
    const { deliveryId, forward, state, target } = row
    const known = this.db.one`SELECT 1 AS known FROM attempt
      WHERE delivery_id = ${deliveryId} AND forward = ${forward} AND target = ${target} AND state = ${state}`
    if (!known) this.db.insert('INTO attempt', row)
  }

  end(attempt: EndedAttempt): void {
    if (attempt.item) this.#lanes.end(attempt.item, attempt.item.end)
    this.db.update('attempt', this.#ended(attempt), sql`id = ${attempt.id}`)
  }

  whole(began: NewAttempt, attempt: EndedAttempt): void {
    if (attempt.item) this.#lanes.end(attempt.item, attempt.item.end, began.tryNumber)
    this.db.insert('INTO attempt', { ...this.#begun(began), ...this.#ended(attempt) })
  }

  #begun(attempt: NewAttempt) {
    const { origin, editedBody, secretNames } = attempt
    return {
      id: attempt.id,
      deliveryId: attempt.deliveryId,
      job: origin.by === 'job' ? origin.job : null,
      forward: origin.by === 'forward' ? this.#forward(origin.forward) : null,
      startedAt: attempt.startedAt,
      edited: Number(attempt.edited),
      again: Number(attempt.again),
      try: attempt.tryNumber,
      target: attempt.target,
      method: attempt.method,
      url: attempt.url,
      bodySize: attempt.bodySize,
      editedBody: editedBody && this.#bodies.keep(editedBody),
      secretNames: secretNames.length > 0 ? secretNames.join(',') : null,
      headers: packHeaders(attempt.headers),
    }
  }

  /** An attempt with an incomplete answer has failed, but has an answer. */
  #ended({ outcome, ok, digest }: EndedAttempt) {
    const { answer, error, timings } = outcome
    return {
      state: stateNumber(error ? 'failed' : 'answered'),
      ok: Number(ok),
      tookUs: outcome.tookUs,
      answerDigest: digest,
      error: error ? JSON.stringify(error) : null,
      ...timings,
      address: outcome.address,
      reused: Number(outcome.reusedConnection),
      ...(answer && {
        status: answer.status,
        statusText: answer.statusText,
        answerSize: answer.size,
        answerBody: this.#bodies.keep(answer.body),
        answerKept: answer.body.byteLength,
        answerHeaders: packHeaders(answer.headers),
      }),
    }
  }

  /** Marks unfinished attempts of a former process as uncertain. @param deliveries of its unfinished entries @returns number of attempts */
  recover(deliveries: readonly number[]): number {
    const uncertain = (which: Sql) =>
      Number(
        this.db.run`UPDATE attempt SET state = ${raw(stateNumber('uncertain'))}
          WHERE state = ${raw(stateNumber('sending'))} AND ${which}`.changes,
      )
    const byHand = uncertain(sql`job IS NULL AND forward IS NULL`)
    return deliveries.reduce((count, id) => count + uncertain(sql`delivery_id = ${id}`), byHand)
  }
}

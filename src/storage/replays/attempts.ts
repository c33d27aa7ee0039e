import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Header } from '#contract/delivery.ts'
import type { AttemptDetail, AttemptError, AttemptRow, AttemptState } from '#contract/replay.ts'
import { ATTEMPT_STATES } from '#contract/values.ts'
import type { EndedAttempt, Ledger, NewAttempt } from '#core/replay/ports.ts'
import { asBuffer } from '../body/stored-body.ts'
import { numberOrNull, type SqlRow, type Statements, textOrNull } from '../sql/connection.ts'
import { headerRows, packHeaders, unpackHeaders } from '../wire/record.ts'
import type { Bodies } from './bodies.ts'
import type { Lanes } from './lanes.ts'

const ROW = `t.id, t.delivery_id, t.job, f.name AS forward, t.state, t.ok, t.status, t.started_at, t.took_us, t.answer_size, t.edited,
  t.again, t.try, t.target, t.method, t.url, t.answer_digest, t.error`
const FROM = 'attempt t LEFT JOIN forward f ON f.id = t.forward'
/** As the indexes say it, word for word, or they do not serve. */
const FAILED = '(ok = 0 OR state = 3)'

type Query = Parameters<Ledger['attempts']>[0]

/** Lists of attempts, and one in full. */
export class AttemptReader {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  list({ of, before, after, limit, failed }: Query): AttemptRow[] {
    const [owner, value] = ownerOf(of)
    const rising = after !== undefined && before === undefined
    const bound = rising ? 't.id > ?' : 't.id < ?'
    return this.#statements
      .get(
        `SELECT ${ROW} FROM ${FROM} WHERE ${owner} AND ${bound}${failed ? ` AND ${FAILED}` : ''}
         ORDER BY t.id ${rising ? 'ASC' : 'DESC'} LIMIT ?`,
      )
      .all(value, (rising ? after : before) ?? Number.MAX_SAFE_INTEGER, limit)
      .map(toRow)
  }

  get(id: number, reveal: boolean): AttemptDetail | undefined {
    const row = this.#statements
      .get(
        `SELECT ${ROW}, t.body_size, t.answer_kept, t.lookup_us, t.connect_us, t.tls_us, t.send_us, t.wait_us, t.receive_us, t.address,
         t.reused, t.status_text, t.secret_names, t.headers, t.answer_headers FROM ${FROM} WHERE t.id = ?`,
      )
      .get(id)
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
      timings: {
        lookupUs: numberOrNull(row.lookup_us),
        connectUs: numberOrNull(row.connect_us),
        tlsUs: numberOrNull(row.tls_us),
        sendUs: numberOrNull(row.send_us),
        waitUs: numberOrNull(row.wait_us),
        receiveUs: numberOrNull(row.receive_us),
      },
      address: textOrNull(row.address),
      reusedConnection: row.reused === 1,
    }
  }
}

function ownerOf(of: Query['of']): readonly [condition: string, value: number | string] {
  if ('delivery' in of) return ['t.delivery_id = ?', of.delivery]
  if ('job' in of) return ['t.job = ?', of.job]
  return ['t.forward = (SELECT id FROM forward WHERE name = ?)', of.forward]
}

function toRow(row: SqlRow): AttemptRow {
  return {
    id: Number(row.id),
    deliveryId: Number(row.delivery_id),
    origin:
      row.job !== null
        ? { by: 'job', job: Number(row.job) }
        : row.forward !== null
          ? { by: 'forward', forward: String(row.forward) }
          : { by: 'hand' },
    target: String(row.target),
    method: String(row.method),
    url: String(row.url),
    startedAt: Number(row.started_at),
    tookUs: numberOrNull(row.took_us),
    state: ATTEMPT_STATES[Number(row.state)] ?? 'uncertain',
    status: numberOrNull(row.status),
    ok: row.ok === null ? null : row.ok === 1,
    // Written by the writer of this very version.
    error: row.error === null ? null : (JSON.parse(String(row.error)) as AttemptError),
    answerSize: numberOrNull(row.answer_size),
    answerDigest: textOrNull(row.answer_digest),
    edited: row.edited === 1,
    again: row.again === 1,
    tryNumber: Number(row.try),
  }
}

/** The value of a secret is replaced by a description of it. */
function headersOf(packed: unknown, secret: ReadonlySet<string>): Header[] {
  return headerRows(unpackHeaders(asBuffer(packed))).map((header) =>
    secret.has(header.name.toLowerCase())
      ? { ...header, value: `${header.value.length} characters`, masked: true }
      : header,
  )
}

/** How a state is stored. The schema's indexes name `sending` and `uncertain` by these numbers. */
export const stateNumber = (state: AttemptState): number => ATTEMPT_STATES.indexOf(state)

const BEGUN = `id, delivery_id, job, forward, started_at, edited, again, try, target, method, url, body_size, edited_body, secret_names,
  headers`
const ENDED =
  `state ok status took_us answer_size answer_digest error answer_body answer_kept lookup_us connect_us tls_us send_us
  wait_us receive_us address reused status_text answer_headers`.split(/\s+/)
const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ')

const BEGIN = `INSERT INTO attempt (${BEGUN}, state) VALUES (${places(15)}, ${stateNumber('sending')})`
const END = `UPDATE attempt SET ${ENDED.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`
const WHOLE = `INSERT INTO attempt (${BEGUN}, ${ENDED.join(', ')}) VALUES (${places(15 + ENDED.length)})`

/** Writes attempts as they begin and end, with their entries. Knows nothing of transactions. */
export class AttemptWriter {
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #whole: StatementSync
  readonly #statements: Statements
  readonly #lanes: Lanes
  readonly #bodies: Bodies
  readonly #forward: (name: string) => number

  /** @param forward gives the number of a forward */
  constructor(statements: Statements, lanes: Lanes, bodies: Bodies, forward: (name: string) => number) {
    this.#begin = statements.get(BEGIN)
    this.#end = statements.get(END)
    this.#whole = statements.get(WHOLE)
    this.#statements = statements
    this.#lanes = lanes
    this.#bodies = bodies
    this.#forward = forward
  }

  begin(attempt: NewAttempt): void {
    if (attempt.item) this.#lanes.begin(attempt.item, attempt.tryNumber)
    this.#begin.run(...this.#begun(attempt))
  }

  end(attempt: EndedAttempt): void {
    if (attempt.item) this.#lanes.end(attempt.item, attempt.item.end)
    this.#end.run(...this.#ended(attempt), attempt.id)
  }

  /** One that began and ended. */
  whole(began: NewAttempt, attempt: EndedAttempt): void {
    if (attempt.item) this.#lanes.pass(attempt.item, began.tryNumber, attempt.item.end)
    this.#whole.run(...this.#begun(began), ...this.#ended(attempt))
  }

  #begun(attempt: NewAttempt): SQLInputValue[] {
    const { origin, editedBody, secretNames } = attempt
    return [
      attempt.id,
      attempt.deliveryId,
      origin.by === 'job' ? origin.job : null,
      origin.by === 'forward' ? this.#forward(origin.forward) : null,
      attempt.startedAt,
      attempt.edited ? 1 : 0,
      attempt.again ? 1 : 0,
      attempt.tryNumber,
      attempt.target,
      attempt.method,
      attempt.url,
      attempt.bodySize,
      editedBody && this.#bodies.keep(editedBody),
      secretNames.length > 0 ? secretNames.join(',') : null,
      packed(attempt.headers),
    ]
  }

  /** An answer that broke off is a failure that has an answer. */
  #ended({ outcome, ok, digest }: EndedAttempt): SQLInputValue[] {
    const { answer, error, timings } = outcome
    return [
      stateNumber(error ? 'failed' : 'answered'),
      ok ? 1 : 0,
      answer ? answer.status : null,
      outcome.tookUs,
      answer ? answer.size : null,
      digest,
      error ? JSON.stringify(error) : null,
      answer ? this.#bodies.keep(answer.body) : null,
      answer ? answer.body.byteLength : null,
      timings.lookupUs,
      timings.connectUs,
      timings.tlsUs,
      timings.sendUs,
      timings.waitUs,
      timings.receiveUs,
      outcome.address,
      outcome.reusedConnection ? 1 : 0,
      answer ? answer.statusText : null,
      answer ? packed(answer.headers) : null,
    ]
  }

  /**
   * What a former process left on its way.
   * @param deliveries of the entries that were
   * @returns how many attempts
   */
  recover(deliveries: readonly number[]): number {
    const uncertain = (which: string) =>
      this.#statements.get(
        `UPDATE attempt SET state = ${stateNumber('uncertain')} WHERE state = ${stateNumber('sending')} AND ${which}`,
      )
    let count = Number(uncertain('job IS NULL AND forward IS NULL').run().changes)
    const ofDelivery = uncertain('delivery_id = ?')
    for (const id of deliveries) count += Number(ofDelivery.run(id).changes)
    return count
  }
}

const packed = (headers: readonly string[]): Buffer => Buffer.from(packHeaders(headers), 'latin1')

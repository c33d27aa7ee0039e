import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { AttemptState } from '#contract/replay.ts'
import { ATTEMPT_STATES } from '#contract/values.ts'
import type { EndedAttempt, NewAttempt } from '#core/replay/ports.ts'
import type { Statements } from '../sql/connection.ts'
import { packHeaders } from '../wire/record.ts'
import type { Bodies } from './bodies.ts'
import type { Lanes } from './lanes.ts'

/** How a state is stored. The schema's indexes name `sending` and `uncertain` by these numbers. */
export const stateNumber = (state: AttemptState): number => ATTEMPT_STATES.indexOf(state)

const BEGUN = `id, delivery_id, job, forward, started_at, edited, again, try, target, method, url, body_size, edited_body, secret_names,
  headers`
const ENDED = [
  ...[
    'state',
    'ok',
    'status',
    'took_us',
    'answer_size',
    'answer_digest',
    'error',
    'answer_body',
    'answer_kept',
    'lookup_us',
  ],
  ...[
    'connect_us',
    'tls_us',
    'send_us',
    'wait_us',
    'receive_us',
    'address',
    'reused',
    'status_text',
    'answer_headers',
  ],
] as const
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

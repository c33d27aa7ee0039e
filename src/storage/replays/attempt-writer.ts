import type { StatementSync } from 'node:sqlite'
import { ATTEMPT_STATES, type AttemptState } from '#contract/replay.ts'
import type { EndedAttempt, NewAttempt } from '#core/replay/ports.ts'
import type { Statements } from '../sql/connection.ts'
import { packHeaders } from '../wire/record.ts'
import type { Bodies } from './bodies.ts'
import type { Lanes } from './lanes.ts'

/** How a state is stored. The schema's indexes name `sending` and `uncertain` by these numbers. */
export const stateNumber = (state: AttemptState): number => ATTEMPT_STATES.indexOf(state)

const BEGIN = `INSERT INTO attempt (id, delivery_id, job, forward, state, started_at, edited, again, try, target, method, url,
  body_size, edited_body, secret_names, headers) VALUES (?, ?, ?, ?, ${stateNumber('sending')}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const END = `UPDATE attempt SET state = ?, ok = ?, status = ?, took_us = ?, answer_size = ?, answer_digest = ?, error = ?,
  answer_body = ?, answer_kept = ?, lookup_us = ?, connect_us = ?, tls_us = ?, send_us = ?, wait_us = ?, receive_us = ?, address = ?,
  reused = ?, status_text = ?, answer_headers = ? WHERE id = ?`

/** Writes attempts as they begin and end, with their entries. Knows nothing of transactions. */
export class AttemptWriter {
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #statements: Statements
  readonly #lanes: Lanes
  readonly #bodies: Bodies
  readonly #forward: (name: string) => number

  /** @param forward gives the number of a forward */
  constructor(statements: Statements, lanes: Lanes, bodies: Bodies, forward: (name: string) => number) {
    this.#begin = statements.get(BEGIN)
    this.#end = statements.get(END)
    this.#statements = statements
    this.#lanes = lanes
    this.#bodies = bodies
    this.#forward = forward
  }

  begin(attempt: NewAttempt): void {
    const { origin, item, editedBody, secretNames } = attempt
    if (item) this.#lanes.begin(item, attempt.tryNumber)
    this.#begin.run(
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
    )
  }

  /** An answer that broke off is a failure that has an answer. */
  end({ id, outcome, ok, digest, item }: EndedAttempt): void {
    const { answer, error, timings } = outcome
    if (item) this.#lanes.end(item, item.end)
    this.#end.run(
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
      id,
    )
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

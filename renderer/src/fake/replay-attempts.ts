import type { Params, Result } from '#contract/commands.ts'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { AcuseError } from '#contract/errors.ts'
import type { AttemptDetail, AttemptError, AttemptOrigin, AttemptRow, Edit } from '#contract/replay.ts'
import { chance } from './chance.ts'

export interface Sending {
  readonly delivery: DeliveryDetail
  readonly origin: AttemptOrigin
  readonly target: string
  readonly url: string
  readonly edit?: Edit | undefined
  readonly again?: boolean
}

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (b) => String.fromCharCode(b)).join(''))

const refused = (url: string): AttemptError => {
  const host = URL.parse(url)?.host ?? url
  return {
    code: 'connection-refused',
    message: `Nothing listens at ${host}. Start the program there, or correct the port of the target.`,
    params: { host },
  }
}

/** What a target answers: the same for the same delivery, unless its name says that it changes its mind or is not there. */
function statusOf(target: string, delivery: number, id: number): number | null {
  if (target.includes('down')) return null
  const drawn = chance(11, target.includes('flaky') ? id : delivery, 51)
  if (drawn < 0.04) return null
  if (drawn < 0.1) return 500
  return drawn < 0.15 ? 422 : 200
}

function bodyOf(row: AttemptRow): string {
  if (row.status === 422)
    return '{\n  "error": "unprocessable",\n  "field": "StatusId",\n  "message": "7 is not a final status"\n}\n'
  if (row.status === 500)
    return 'Internal Server Error\n    at handle (app.js:41:9)\n    at next (app.js:12:3)\n'
  const varying = row.target.includes('flaky') ? row.id % 2 : 0
  return `{\n  "ok": true,\n  "delivery": ${row.deliveryId},\n  "stored": "doc-${row.deliveryId}",\n  "version": ${1 + varying}\n}\n`
}

/** Attempts made so far, oldest first; answers and timings follow from their number. */
export class FakeAttempts {
  readonly rows: AttemptRow[] = []
  readonly #edits = new Map<number, Edit>()
  readonly #deliveries: (id: number) => DeliveryDetail
  readonly #attempted: (id: number) => void

  constructor(deliveries: (id: number) => DeliveryDetail, attempted: (id: number) => void) {
    this.#deliveries = deliveries
    this.#attempted = attempted
  }

  make(sending: Sending): AttemptRow {
    const { delivery, origin, target, url, edit, again = false } = sending
    const id = this.rows.length + 1
    const status = statusOf(target, delivery.id, id)
    const ok = status !== null && status < 300
    const path = edit?.url ?? delivery.url
    const query = path.includes('?') ? path.slice(path.indexOf('?')) : ''
    const row: AttemptRow = {
      id,
      deliveryId: delivery.id,
      origin,
      target,
      method: edit?.method ?? delivery.method,
      url: url + query,
      startedAt: Date.now() * 1_000,
      tookUs: 1_800 + Math.floor(chance(11, id, 52) ** 3 * 60_000),
      state: status === null ? 'failed' : 'answered',
      status,
      ok,
      error: status === null ? refused(url) : null,
      answerSize: null,
      answerDigest: null,
      edited: edit !== undefined,
      again,
      tryNumber: 1,
    }
    const body = status === null ? '' : bodyOf(row)
    const made = {
      ...row,
      answerSize: status === null ? null : body.length,
      answerDigest: status === null ? null : `${status}:${body}`,
    }
    if (edit) this.#edits.set(id, edit)
    this.rows.push(made)
    this.#attempted(delivery.id)
    return made
  }

  list({ of, before, after, limit, failed }: Params<'attempts.list'>): Result<'attempts.list'> {
    const mine = this.rows.filter((row) => {
      if (failed && row.ok !== false && row.state !== 'uncertain') return false
      if (before !== undefined && row.id >= before) return false
      if (after !== undefined && row.id <= after) return false
      if ('delivery' in of) return row.deliveryId === of.delivery
      if ('job' in of) return row.origin.by === 'job' && row.origin.job === of.job
      return row.origin.by === 'forward' && row.origin.forward === of.forward
    })
    const ordered = after === undefined ? mine.reverse() : mine
    return { attempts: ordered.slice(0, limit), more: ordered.length > limit }
  }

  get({ id, reveal = false }: Params<'attempts.get'>): AttemptDetail {
    const row = this.#row(id)
    const delivery = this.#deliveries(row.deliveryId)
    const edit = this.#edits.get(id)
    const plain = (name: string, value: string): Header => ({ name, value, masked: false })
    const sent = (edit?.headers?.map(([name, value]) => plain(name, value)) ?? delivery.headers).map(
      (header) =>
        header.name.toLowerCase() === 'host' ? { ...header, value: URL.parse(row.url)?.host ?? '' } : header,
    )
    const secret: Header = reveal
      ? plain('Authorization', 'Bearer 4f2a9c0d1e')
      : { name: 'Authorization', value: '17 characters', masked: true }
    const us = row.tookUs ?? 0
    const fresh = id % 3 !== 0
    return {
      ...row,
      request: {
        headers: [...sent, secret, plain('X-Acuse-Replay', String(id))],
        size: edit?.bodyBase64 === undefined ? delivery.size : atob(edit.bodyBase64).length,
      },
      answer:
        row.status === null
          ? null
          : {
              status: row.status,
              statusText:
                row.status === 200
                  ? 'OK'
                  : row.status === 422
                    ? 'Unprocessable Content'
                    : 'Internal Server Error',
              headers: [
                plain('Content-Type', row.status === 500 ? 'text/plain' : 'application/json'),
                plain('X-Request-Id', `r-${id}`),
                plain('Content-Length', String(row.answerSize)),
              ],
              kept: row.answerSize ?? 0,
              truncated: false,
            },
      timings: {
        lookupUs: null,
        connectUs: fresh ? Math.floor(us * 0.12) : null,
        tlsUs: null,
        sendUs: row.status === null ? null : Math.floor(us * 0.06),
        waitUs: row.status === null ? null : Math.floor(us * 0.7),
        receiveUs: row.status === null ? null : Math.floor(us * 0.1),
      },
      address: row.status === null ? null : (URL.parse(row.url)?.host ?? null),
      reusedConnection: !fresh,
    }
  }

  /** @param original the delivery's own body, for requests that were not edited */
  body(params: Params<'attempts.body'>, original: (delivery: number) => string): Result<'attempts.body'> {
    const { id, of, from, length } = params
    const row = this.#row(id)
    const whole =
      of === 'answer' ? base64(bodyOf(row)) : (this.#edits.get(id)?.bodyBase64 ?? original(row.deliveryId))
    const binary = atob(whole)
    return { bytesBase64: btoa(binary.slice(from, from + length)), total: binary.length, problem: null }
  }

  #row(id: number): AttemptRow {
    const row = this.rows[id - 1]
    if (!row) throw new AcuseError('not-found', `There is no attempt ${id}.`)
    return row
  }
}

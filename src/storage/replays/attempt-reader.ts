import type { Header } from '#contract/delivery.ts'
import type { AttemptDetail, AttemptError, AttemptRow } from '#contract/replay.ts'
import { ATTEMPT_STATES } from '#contract/values.ts'
import type { Ledger } from '#core/replay/ports.ts'
import { asBuffer } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'
import { unpackHeaders } from '../wire/record.ts'

const ROW = `t.id, t.delivery_id, t.job, f.name AS forward, t.state, t.ok, t.status, t.started_at, t.took_us, t.answer_size, t.edited,
  t.again, t.try, t.target, t.method, t.url, t.answer_digest, t.error`
const FROM = 'attempt t LEFT JOIN forward f ON f.id = t.forward'
/** As the indexes say it, word for word, or they do not serve. */
const FAILED = '(ok = 0 OR state = 3)'

type Query = Parameters<Ledger['attempts']>[0]
type SqlRow = Readonly<Record<string, unknown>>

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
  const list = unpackHeaders(asBuffer(packed))
  const headers: Header[] = []
  for (let i = 0; i + 1 < list.length; i += 2) {
    const [name = '', value = ''] = [list[i], list[i + 1]]
    const masked = secret.has(name.toLowerCase())
    headers.push({ name, value: masked ? `${value.length} characters` : value, masked })
  }
  return headers
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

import { badRecord, type Refusal } from '#contract/errors.ts'
import { headerRows } from '#contract/headers.ts'
import { asBuffer, isSound } from '../body/stored-body.ts'
import { words } from '../disk/files.ts'
import { type SqlRow, Statements, textOrNull } from '../sql/connection.ts'
import { unpackAnsweredBy, unpackHeaders } from '../wire/record.ts'
import { openSession } from './session-file.ts'

/** A delivery of a session file, unchecked: the file may come from anyone. */
export interface SessionRecord {
  readonly id: number
  /** As SQLite has it; a time in microseconds. */
  readonly receivedAt: unknown
  /** In the names and forms of an exported record. */
  readonly members: Readonly<Record<string, unknown>>
  /** Undefined: it was left out. */
  readonly body: Uint8Array | undefined
}
export type SessionFound =
  | ({ readonly place: string } & SessionRecord)
  | { readonly place: string; readonly reason: Refusal }

const AT_ONCE = 500
/** A larger row is not read into memory. */
const MOST_BYTES = 256 * 1024 * 1024

/** Reads a session file's deliveries, and goes on after one that is damaged. @throws AcuseError as `openSession` */
export function* sessionDeliveries(path: string): Generator<SessionFound> {
  using session = openSession(path)
  const statements = new Statements(session.db)
  for (let after = 0; ; ) {
    let ids: readonly number[]
    try {
      ids = statements.numbers`SELECT id FROM delivery WHERE id > ${after} ORDER BY id LIMIT ${AT_ONCE}`
    } catch (error) {
      yield { place: 'file', reason: badRecord('damaged-after', { id: after, system: words(error) }) }
      return
    }
    for (const id of ids) yield { place: `delivery ${id}`, ...one(statements, id) }
    if (ids.length < AT_ONCE) return
    after = ids.at(-1) ?? after
  }
}

/** Numbers of what a session file holds besides deliveries; 0 for what cannot be counted. @throws AcuseError as `openSession` */
export function sessionCounts(path: string): { readonly attempts: number; readonly sweeps: number } {
  using session = openSession(path)
  const { db } = session
  const count = (table: 'attempt' | 'sweep') => {
    try {
      return Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
    } catch {
      return 0
    }
  }
  return { attempts: count('attempt'), sweeps: count('sweep') }
}

function one(statements: Statements, id: number): SessionRecord | { readonly reason: Refusal } {
  try {
    // Lengths of blobs are in the row's head: SQLite reads no content for them.
    const bytes = statements.number`SELECT octet_length(p.headers) + coalesce(octet_length(p.trailers), 0)
      + coalesce(octet_length(p.body), 0) + octet_length(d.url)
      + coalesce((SELECT sum(octet_length(bytes)) FROM chunk WHERE upload = d.upload), 0)
      FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id WHERE d.id = ${id}`
    if (bytes > MOST_BYTES) return { reason: badRecord('too-large') }
    const row = statements.one`SELECT d.*, p.headers, p.trailers, p.body, p.crc, w.headers AS answer_headers,
      w.body AS answer_body, n.text AS note, b.state, EXISTS (SELECT 1 FROM pin WHERE delivery_id = d.id) AS pinned
      FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id LEFT JOIN answer w ON w.id = d.answer_id
      LEFT JOIN note n ON n.delivery_id = d.id LEFT JOIN body_state b ON b.delivery_id = d.id WHERE d.id = ${id}`
    if (!row) return { reason: badRecord('gone') }
    const body = bodyOf(statements, id, row)
    if (body === null) return { reason: badRecord('changed') }
    const leftOut = row.state === 'left-out'
    return {
      id,
      receivedAt: row.received_at,
      members: membersOf(statements, row, leftOut),
      body: leftOut ? undefined : body,
    }
  } catch (error) {
    return { reason: badRecord('damaged', { system: words(error) }) }
  }
}

/** @returns null when the bytes do not match their checksum */
function bodyOf(statements: Statements, id: number, row: SqlRow): Buffer | null {
  if (isSound(id, row) !== true) return null
  if (row.upload === null) return asBuffer(row.body)
  const pieces = statements.all`SELECT upload, seq, bytes AS body, crc FROM chunk WHERE upload = ${String(row.upload)} ORDER BY seq`
  return pieces.every((piece) => isSound(id, piece))
    ? Buffer.concat(pieces.map(({ body }) => asBuffer(body)))
    : null
}

const pairs = (packed: unknown): readonly (readonly [string, string])[] =>
  headerRows(unpackHeaders(asBuffer(packed))).map(({ name, value }) => [name, value])

function membersOf(statements: Statements, row: SqlRow, leftOut: boolean): SessionRecord['members'] {
  const { endpoint, method, url, size, malformed, answer_status: answer, note } = row
  return {
    ...{ endpoint, method, url, size, malformed, answer },
    httpVersion: row.http_version,
    remoteAddress: row.remote_address,
    remotePort: row.remote_port,
    receivingUs: row.receiving_us,
    tookUs: row.took_us,
    rejected: row.rejected === 1,
    marks: [...(row.synthetic === 1 ? ['synthetic'] : []), ...(row.pinned === 1 ? ['pinned'] : [])],
    tags: statements.texts`SELECT tag FROM tag WHERE delivery_id = ${Number(row.id)} ORDER BY tag LIMIT 1000`,
    noteText: textOrNull(note),
    headers: pairs(row.headers),
    trailers: pairs(row.trailers),
    answeredBy: unpackAnsweredBy(row.answered_by),
    answered:
      row.answer_id === null
        ? null
        : { headers: pairs(row.answer_headers), bodyBase64: asBuffer(row.answer_body).toString('base64') },
    ...(leftOut ? { body: null } : {}),
  }
}

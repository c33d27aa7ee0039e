import { DatabaseSync } from 'node:sqlite'
import { refused } from '#contract/errors.ts'
import type { Filter } from '#core/filter/tree.ts'
import type { Body, CapturedRequest } from '#core/replay/ports.ts'
import { allowOpening } from '../body/opened.ts'
import { asBuffer, soundBody, storedPieces } from '../body/stored-body.ts'
import { fromMembers } from '../reader/members.ts'
import { plan } from '../reader/plan.ts'
import { Attachment, createOptionalDatabase, MISSED } from '../sql/attached.ts'
import { Statements, textOrNull } from '../sql/connection.ts'
import { readProgress } from '../sql/numbers.ts'
import type { RecordOptions } from '../sql/open-own.ts'
import { unpackHeaders } from '../wire/record.ts'
import { FORWARDABLE } from './source.ts'

/** Larger bodies are read only when they are sent, so that waiting requests use little memory. */
const AT_ONCE = 64 * 1024

/** Most deliveries to read ahead for a caller that reads in order, which halves the work per delivery. */
const AHEAD_AT_MOST = 32
/** Time to live of deliveries read ahead, because they may be deleted meanwhile. */
const AHEAD_MS = 100

/** Reads deliveries for the thread that sends. Every call throws AcuseError `store-failed` while they cannot be read. */
export function openCapturedRequests({ paths }: Pick<RecordOptions, 'paths'>) {
  const db = new DatabaseSync(':memory:', { timeout: 2_000 })
  const statements = new Statements(db)
  allowOpening(db, statements)
  // An empty table suffices for filters: a delivery to be forwarded for the first time has no attempts.
  db.exec('CREATE TABLE attempt (delivery_id INTEGER)')
  const captured = new Attachment(db, paths)
  const missed = createOptionalDatabase(db, paths.sweeps, MISSED)

  const ahead = new Map<number, CapturedRequest>()
  let readAt = 0
  let opened = 0
  let atOnce = 1
  let following = 0

  return {
    get(id: number): CapturedRequest | undefined {
      captured.ensure()
      if (captured.opened !== opened || performance.now() - readAt > AHEAD_MS) ahead.clear()
      opened = captured.opened
      const known = ahead.get(id)
      if (known) {
        ahead.delete(id)
        return known
      }
      atOnce = id === following ? Math.min(AHEAD_AT_MOST, atOnce * 2) : 1
      const [first, ...others] = statements.all`SELECT d.id, d.received_at, d.method, d.url, d.size,
          d.upload, p.headers, p.trailers, p.crc, CASE WHEN length(p.body) <= ${AT_ONCE} THEN p.body END AS body
        FROM delivery d JOIN payload p ON p.delivery_id = d.id WHERE d.id >= ${id} ORDER BY d.id LIMIT ${atOnce}`.map(
        requestOf,
      )
      ahead.clear()
      for (const request of others) ahead.set(request.id, request)
      readAt = performance.now()
      following = (others.at(-1) ?? first)?.id ?? 0
      following += 1
      return first?.id === id ? first : undefined
    },
    analysedUpto(): number {
      captured.ensure()
      return readProgress(statements, 'analysed_upto')
    },
    forwardable(id: number, filter: Filter): boolean {
      captured.ensure()
      missed.ensure()
      const { rows } = plan(filter)
      return statements.has`SELECT 1 ${fromMembers(rows, id, id)} AND ${FORWARDABLE}`
    },
    releaseCaptured: () => captured.hold(),
    reopenCaptured: () => captured.reopen(),
    close: () => db.close(),
  }

  function requestOf(row: Readonly<Record<string, unknown>>): CapturedRequest {
    const id = Number(row.id)
    const inline = row.body === null && row.size !== 0 ? null : asBuffer(row.body)
    return {
      id,
      receivedAt: Number(row.received_at),
      method: String(row.method),
      url: String(row.url),
      headers: unpackHeaders(asBuffer(row.headers)),
      body: inline
        ? { size: inline.byteLength, pieces: () => [soundBody(id, row)] }
        : storedBody(id, Number(row.size), textOrNull(row.upload)),
    }
  }

  /** Reads pieces on demand; a large upload is stored in chunks of 1 MiB. */
  function storedBody(id: number, size: number, upload: string | null): Body {
    return {
      size,
      *pieces() {
        let sent = 0
        for (const bytes of storedPieces(statements, { id, upload })) {
          sent += bytes.byteLength
          yield bytes
        }
        if (sent < size) throw refused('not-found', 'deleted-while-sent')
      },
    }
  }
}

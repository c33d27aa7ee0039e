import { KINDS, type Kind, kindSpec } from '#catalog/kinds.ts'
import type { Params } from '#contract/commands.ts'
import type { DeliveryDetail } from '#contract/delivery.ts'
import type { DriftEvent, DriftEvents, DriftFact, DriftKind, DriftProfile } from '#contract/drift.ts'
import { headerRows } from '#contract/headers.ts'
import { DRIFT_CODES, LEARNING_DELIVERIES } from '#contract/values.ts'
import { profileOf } from '#core/drift/shown.ts'
import { codingsOf, DecodedView } from '../body/codings.ts'
import { asBuffer, readSlice, storedPieces, unpackFindings } from '../body/stored-body.ts'
import { kindNumber, kindOfNumber, observedOf, unpackShapes } from '../sql/columns.ts'
import { columns, numberOrNull, Queries, raw, type SqlRow, sql, textOrNull } from '../sql/connection.ts'
import { unpackAnsweredBy, unpackHeaders } from '../wire/record.ts'
import { ROW_COLUMNS, ROW_JOINS, toRow } from './rows.ts'

export class Details extends Queries {
  readonly #drift = new DriftReader(this.db)
  readonly #decoded = new DecodedView()

  get(id: number): DeliveryDetail | undefined {
    const row = this.db
      .one`SELECT ${raw(ROW_COLUMNS)}, d.http_version, d.remote_address, d.remote_port, d.receiving_us,
        d.answered_by, p.headers, p.trailers, iif(d.upload IS NULL, length(p.body), d.size) AS body_kept, w.headers
        AS answer_headers, w.body AS answer_body, f.packed AS findings, n.text AS note_text, n.at AS note_at,
        n.author AS note_author
        FROM delivery d LEFT JOIN analysis a ON a.delivery_id = d.id ${raw(ROW_JOINS)} LEFT
        JOIN payload p ON p.delivery_id = d.id LEFT JOIN answer w ON w.id = d.answer_id LEFT
        JOIN findings f ON f.delivery_id = d.id LEFT JOIN note n ON n.delivery_id = d.id WHERE d.id = ${id}`
    if (!row) return undefined
    const headers = unpackHeaders(asBuffer(row.headers))
    return {
      ...toRow(row),
      ...columns(row, String, 'httpVersion', 'remoteAddress'),
      ...columns(row, Number, 'remotePort', 'receivingUs', 'bodyKept'),
      headers: headerRows(headers),
      trailers: headerRows(unpackHeaders(asBuffer(row.trailers))),
      answeredBy: unpackAnsweredBy(row.answered_by),
      answered:
        row.answer_headers === null
          ? null
          : {
              headers: headerRows(unpackHeaders(asBuffer(row.answer_headers))),
              bodyBase64: asBuffer(row.answer_body).toString('base64'),
            },
      // The analyst of this version wrote them, so their format is known.
      findingList: unpackFindings(row.findings),
      noteText:
        typeof row.note_text === 'string'
          ? { text: row.note_text, at: Number(row.note_at), author: textOrNull(row.note_author) }
          : null,
      drift: this.#drift.facts(id),
      codings: codingsOf(headers),
    }
  }

  async body(id: number, view: 'raw' | 'decoded', from: number, length: number) {
    const row = this.db
      .one`SELECT d.upload, p.headers FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id WHERE d.id = ${id}`
    if (!row) return undefined
    const place = { id, upload: textOrNull(row.upload) }
    const codings = view === 'raw' ? [] : codingsOf(unpackHeaders(asBuffer(row.headers)))
    if (codings.length === 0) {
      const { bytes, total } = readSlice(this.db, place, from, length)
      return { bytesBase64: bytes.toString('base64'), total, problem: null }
    }
    return this.#decoded.slice({ id, codings, pieces: () => storedPieces(this.db, place) }, from, length)
  }

  close(): void {
    this.#decoded.close()
  }
}

const FACT_COLUMNS = sql`f.code, f.pointer, f.place, f.was, f.now, f.seen, f.since`

/** Reads the observed profile of each kind, and the drift events. */
export class DriftReader extends Queries {
  /** @param since microseconds since the epoch; events of later arrivals count as fresh */
  kinds(since: number): readonly DriftKind[] {
    const events = new Map(
      this.db
        .all`SELECT kind_no, count(*) AS n, sum(at > ${since}) AS fresh, max(at) AS last FROM drift GROUP BY kind_no`.map(
        (row) => [Number(row.kind_no), row],
      ),
    )
    return KINDS.flatMap(({ kind }) => {
      const { deliveries, learning, fields, unrecorded } = this.#observed(kind)
      if (deliveries === 0) return []
      const row = events.get(kindNumber(kind))
      return {
        kind,
        deliveries,
        learning,
        unrecorded,
        missing: Math.max(0, LEARNING_DELIVERIES - deliveries),
        fields: fields.length,
        undocumented: fields.filter(({ documented }) => !documented).length,
        events: Number(row?.n ?? 0),
        fresh: Number(row?.fresh ?? 0),
        lastEventAt: row ? Number(row.last) : null,
      }
    })
  }

  profile(kind: Kind): DriftProfile {
    const profile = this.#observed(kind)
    const ids = profile.fields.flatMap((field) =>
      [field, ...field.shapes, ...field.values].flatMap(({ firstId, lastId }) => [firstId, lastId]),
    )
    const stored = this.#stored(ids)
    const kept = <T extends { readonly firstId: number | null; readonly lastId: number | null }>(
      one: T,
    ): T => ({
      ...one,
      firstId: one.firstId !== null && stored.has(one.firstId) ? one.firstId : null,
      lastId: one.lastId !== null && stored.has(one.lastId) ? one.lastId : null,
    })
    const fields = profile.fields.map((field) => ({
      ...kept(field),
      shapes: field.shapes.map(kept),
      values: field.values.map(kept),
    }))
    return { ...profile, fields }
  }

  events({ kind, from, limit }: Params<'drift.events'>): DriftEvents {
    const where = kind === undefined ? sql`TRUE` : sql`kind_no = ${kindNumber(kind)}`
    const rows = this.db.all`SELECT ${FACT_COLUMNS}, f.kind_no, f.at, d.id AS delivery FROM drift f
      LEFT JOIN delivery d ON d.id = f.delivery_id WHERE ${where} ORDER BY f.at DESC, f.id LIMIT ${limit} OFFSET ${from}`
    const total = this.db.number`SELECT count(*) FROM drift WHERE ${where}`
    return { events: rows.flatMap(toEvent), from, total }
  }

  facts(id: number): readonly DriftFact[] {
    return this.db.all`SELECT ${FACT_COLUMNS} FROM drift f WHERE f.delivery_id = ${id} ORDER BY f.id`.map(
      toFact,
    )
  }

  /** The ids may be of deleted deliveries. */
  #observed(kind: Kind): DriftProfile {
    return profileOf(kind, ...observedOf(this.db, kind))
  }

  #stored(ids: readonly (number | null)[]): ReadonlySet<number> {
    const asked = JSON.stringify([...new Set(ids)].filter((id) => id !== null))
    return new Set(
      this.db.numbers`SELECT id FROM delivery WHERE id IN (SELECT value FROM json_each(${asked}))`,
    )
  }
}

function toFact(row: SqlRow): DriftFact {
  return {
    code: DRIFT_CODES.find((code) => code === row.code) ?? 'new-field',
    ...columns(row, String, 'pointer', 'place'),
    was: unpackShapes(row.was),
    now: unpackShapes(row.now)[0] ?? null,
    ...columns(row, Number, 'seen', 'since'),
  }
}

function toEvent(row: SqlRow): DriftEvent[] {
  const spec = kindSpec(kindOfNumber(Number(row.kind_no))?.kind ?? '')
  if (!spec) return []
  const deliveryId = numberOrNull(row.delivery)
  return [{ ...toFact(row), kind: spec.kind, deliveryId, at: Number(row.at) }]
}

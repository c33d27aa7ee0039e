import type { BodySlice, DeliveryDetail, Header } from '#contract/delivery.ts'
import { codingsOf } from '../body/codings.ts'
import { DecodedView } from '../body/decoded-view.ts'
import { unpackFindings } from '../body/packed-findings.ts'
import { asBuffer, readSlice, storedPieces } from '../body/stored-body.ts'
import type { Statements } from '../sql/connection.ts'
import { unpackAnsweredBy } from '../wire/answered-by.ts'
import { unpackHeaders } from '../wire/record.ts'
import { DriftReader } from './drift.ts'
import { ROW_COLUMNS, toRow } from './rows.ts'

/** One delivery in full, and slices of its body. */
export class Details {
  readonly #statements: Statements
  readonly #drift: DriftReader
  readonly #decoded = new DecodedView()

  constructor(statements: Statements) {
    this.#statements = statements
    this.#drift = new DriftReader(statements)
  }

  get(id: number): DeliveryDetail | undefined {
    const row = this.#statements
      .get(
        `SELECT ${ROW_COLUMNS}, d.http_version, d.remote_address, d.remote_port, d.receiving_us, d.answered_by, p.headers, p.trailers,
         iif(d.upload IS NULL, length(p.body), d.size) AS kept,
         w.headers AS answer_headers, w.body AS answer_body, f.packed AS findings,
         n.text AS note_text, n.at AS note_at
         FROM delivery d LEFT JOIN analysis a ON a.delivery_id = d.id LEFT JOIN payload p ON p.delivery_id = d.id
         LEFT JOIN answer w ON w.id = d.answer_id LEFT JOIN findings f ON f.delivery_id = d.id
         LEFT JOIN note n ON n.delivery_id = d.id WHERE d.id = ?`,
      )
      .get(id)
    if (!row) return undefined
    const headers = unpackHeaders(asBuffer(row.headers))
    return {
      ...toRow(row),
      httpVersion: String(row.http_version),
      remoteAddress: String(row.remote_address),
      remotePort: Number(row.remote_port),
      receivingUs: Number(row.receiving_us),
      bodyKept: Number(row.kept),
      headers: pairs(headers),
      trailers: pairs(unpackHeaders(asBuffer(row.trailers))),
      answeredBy: unpackAnsweredBy(row.answered_by),
      answered:
        row.answer_headers === null
          ? null
          : {
              headers: pairs(unpackHeaders(asBuffer(row.answer_headers))),
              bodyBase64: asBuffer(row.answer_body).toString('base64'),
            },
      // The analyst of this very version wrote it.
      findingList: unpackFindings(row.findings),
      noteText: typeof row.note_text === 'string' ? { text: row.note_text, at: Number(row.note_at) } : null,
      drift: this.#drift.facts(id),
      codings: codingsOf(headers),
    }
  }

  async body(
    id: number,
    view: 'raw' | 'decoded',
    from: number,
    length: number,
  ): Promise<BodySlice | undefined> {
    const row = this.#statements
      .get(
        'SELECT d.upload, p.headers FROM delivery d LEFT JOIN payload p ON p.delivery_id = d.id WHERE d.id = ?',
      )
      .get(id)
    if (!row) return undefined
    const place = { id, upload: typeof row.upload === 'string' ? row.upload : null }
    const codings = view === 'raw' ? [] : codingsOf(unpackHeaders(asBuffer(row.headers)))
    if (codings.length === 0) {
      const { bytes, total } = readSlice(this.#statements, place, from, length)
      return { bytesBase64: bytes.toString('base64'), total, problem: null }
    }
    return this.#decoded.slice(
      { id, codings, pieces: () => storedPieces(this.#statements, place) },
      from,
      length,
    )
  }

  close(): void {
    this.#decoded.close()
  }
}

function pairs(list: readonly string[]): Header[] {
  const headers: Header[] = []
  for (let i = 0; i + 1 < list.length; i += 2)
    headers.push({ name: list[i] ?? '', value: list[i + 1] ?? '', masked: false })
  return headers
}

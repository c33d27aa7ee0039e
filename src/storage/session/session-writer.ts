import type { DatabaseSync } from 'node:sqlite'
import type { DeliveryDetail, Header } from '#contract/delivery.ts'
import { packFindings } from '../body/stored-body.ts'
import { MARK_BITS } from '../sql/columns.ts'
import { Statements } from '../sql/connection.ts'
import { checksum, packAnsweredBy, packHeaders, placeOf } from '../wire/record.ts'
import { Intake } from '../writer/intake.ts'

/** A delivery to write, masked. */
export interface SessionDelivery {
  readonly detail: DeliveryDetail
  readonly body: Uint8Array
  readonly bodyState: string
  /** When it was imported, microseconds; null: this store received it. */
  readonly importedAt: number | null
}

/** A larger body is stored in pieces, as when it arrived. */
const PIECE = 1024 * 1024

export const flat = (headers: readonly Header[]): readonly string[] =>
  headers.flatMap(({ name, value }) => [name, value])

/** Writes deliveries into a session file as a store keeps them. */
export class SessionWriter {
  readonly statements: Statements
  readonly #intake: Intake

  constructor(db: DatabaseSync) {
    this.statements = new Statements(db)
    this.#intake = new Intake(this.statements)
  }

  add({ detail, body, bodyState, importedAt }: SessionDelivery): void {
    const { id, answered, marks, noteText, tags } = detail
    const db = this.statements
    const [headers, trailers] = [packHeaders(flat(detail.headers)), packHeaders(flat(detail.trailers))]
    const upload = body.length > PIECE ? `session-${id}` : null
    db.insert('INTO delivery', {
      id,
      receivedAt: detail.receivedAt,
      receivingUs: detail.receivingUs,
      tookUs: detail.tookUs,
      endpoint: detail.endpoint,
      method: detail.method,
      url: detail.url,
      httpVersion: detail.httpVersion,
      remoteAddress: detail.remoteAddress,
      remotePort: detail.remotePort,
      size: detail.size,
      storedBytes: headers.length + trailers.length + body.length,
      answerStatus: detail.answer,
      answerId:
        answered &&
        this.#intake.answerId(
          packHeaders(flat(answered.headers)),
          Buffer.from(answered.bodyBase64, 'base64'),
        ),
      rejected: Number(detail.rejected),
      malformed: detail.malformed,
      upload,
      answeredBy: packAnsweredBy(detail.answeredBy),
      synthetic: Number(marks.includes('synthetic')),
    })
    const inline = upload === null ? body : null
    db.insert('INTO payload', {
      deliveryId: id,
      headers,
      trailers: trailers.length > 0 ? trailers : null,
      body: inline,
      crc: checksum(id, headers, trailers, inline),
    })
    if (upload !== null)
      for (let at = 0; at < body.length; at += PIECE) {
        const [seq, bytes] = [at / PIECE, body.subarray(at, at + PIECE)]
        db.insert('INTO chunk', { upload, seq, bytes, crc: checksum(placeOf(upload, seq), bytes) })
      }
    if (importedAt !== null) db.insert('INTO imported', { deliveryId: id, at: importedAt })
    if (marks.includes('pinned')) db.insert('INTO pin', { deliveryId: id })
    if (noteText) db.insert('INTO note', { deliveryId: id, ...noteText })
    for (const tag of new Set(tags)) db.insert('INTO tag', { deliveryId: id, tag })
    if (bodyState !== 'as-received') db.insert('INTO body_state', { deliveryId: id, state: bodyState })
    this.#judged(detail)
  }

  #judged({ id, verdict, findings, findingList, marks }: DeliveryDetail): void {
    // Without a verdict it was not analysed yet: the Acuse that opens the file does it.
    if (verdict === null) return
    const bits = Object.entries(MARK_BITS).filter(([mark]) => marks.some((one) => one === mark))
    this.statements.insert('INTO judged', {
      deliveryId: id,
      verdict,
      findingCount: findings,
      marks: bits.reduce((sum, [, bit]) => sum + bit, 0),
      packed: findingList.length > 0 ? packFindings(findingList) : null,
    })
  }
}
